/**
 * The exact laws and numbers of ../vectors-unknown.json, typed. The file's `schema` says what each section is.
 * @module
 */
import type { LimitedNoise } from "../../src/discover/limited-threshold.js";
import vectors from "../vectors-unknown.json" with { type: "json" };
import type { Law } from "./law.js";

export { vectors };

export interface LimitedVector {
  readonly name: string;
  readonly histogram: Readonly<Record<string, number>>;
  readonly question: {
    readonly k: number;
    readonly maxCandidates: number;
    readonly noise: LimitedNoise;
    readonly scale: string;
  };
  readonly range: string;
  readonly threshold: string;
  readonly law: Law;
}

/** The name of an outcome, as the closed forms of the audit have it. */
export function outcomeOf({ winners, stopped }: { winners: readonly string[]; stopped: boolean }): string {
  return `${winners}${stopped ? "." : ""}`;
}

function questionOf(vector: { k: number; kbar: number; noise: string; scale: string }) {
  const { k, kbar, noise, scale } = vector;
  return { k, maxCandidates: kbar, noise: noise as LimitedNoise, scale };
}

function histogramOf(histogram: Readonly<Record<string, number | undefined>>) {
  return Object.fromEntries(Object.entries(histogram).map(([name, count]) => [name, Number(count)]));
}

export const LIMITED: readonly LimitedVector[] = vectors.limited_domain.map((vector) => ({
  name: vector.name,
  histogram: histogramOf(vector.histogram),
  question: questionOf(vector),
  range: vector.r,
  threshold: vector.T,
  law: Object.fromEntries(vector.outcomes.map((outcome) => [outcomeOf(outcome), outcome.prob])),
}));

export interface LimitedGapVector extends LimitedVector {
  readonly resolution: string;
  readonly largestGap: number;
}

export const LIMITED_GAPS: readonly LimitedGapVector[] = vectors.limited_domain_gap.map((vector) => ({
  name: vector.name,
  histogram: histogramOf(vector.histogram),
  question: questionOf(vector),
  range: vector.r,
  threshold: vector.T,
  resolution: vector.gamma,
  largestGap: vector.last_bin,
  law: Object.fromEntries(
    vector.cells.map((cell) => {
      const gaps = cell.gaps.map((gap) => (gap < vector.last_bin ? gap : `>=${gap}`));
      return [gaps.length > 0 ? `${outcomeOf(cell)} by ${gaps}` : outcomeOf(cell), cell.prob];
    }),
  ),
}));
