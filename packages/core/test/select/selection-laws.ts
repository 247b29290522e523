/**
 * The vectors' selections as laws over named outcomes: `"2,0"` for an ordered top k, `"2,0 by 3,>=4"` with gaps.
 * @module
 */
import type { Rational } from "../../src/exact/rational.js";
import type { Winner } from "../../src/race/candidates.js";
import type { Law } from "../support/law.js";
import { type OrderedOutcome, type TopKWithGapVector, vectors } from "../support/vectors.js";

/** A top k with its law, whatever the noise. */
export interface Selection {
  readonly scores: readonly number[];
  readonly k: number;
  readonly scale: string;
  readonly law: Law;
}

export const ONE_SHOT: readonly Selection[] = vectors.exp_oneshot_topk.map((vector) => ({
  ...vector,
  law: lawOfOrders(vector.outcomes),
}));

export const PEELED: readonly Selection[] = vectors.pf_peel_topk.map((vector) => ({
  ...vector,
  law: lawOfOrders(vector.outcomes),
}));

export const GUMBEL: readonly Selection[] = vectors.gumbel_topk.map(({ tau, ...vector }) => ({
  ...vector,
  scale: tau,
  law: lawOfOrders(vector.outcomes),
}));

export interface SelectionWithGap extends Selection {
  readonly name: string;
  readonly resolution: string;
  /** Gaps from here on, in units of the resolution, share a cell. */
  readonly tail: bigint;
}

/** Scores that are not on the grid are given as the vectors floor them: `topKWithGap` does not floor any. */
export const WITH_GAP: readonly SelectionWithGap[] = vectors.noisy_topk_gap.map((vector) => ({
  name: vector.name,
  scores: vector.scores_floored.map(fromFraction),
  k: vector.k,
  scale: vector.noise_scale,
  resolution: vector.gamma,
  tail: BigInt(tailOf(vector).slice(2)),
  law: Object.fromEntries(vector.cells.map(({ indices, gaps, prob }) => [`${indices} by ${gaps}`, prob])),
}));

/** `"2,0"`: the winners of a top k. */
export function orderOf(winners: readonly Winner[]): string {
  return String(winners.map(({ candidate }) => candidate));
}

/** `"2,0 by 3,>=4"`: the winners with their gaps in units of the resolution. */
export function orderWithGaps({
  tail,
  resolution,
}: SelectionWithGap): (winners: readonly Winner[]) => string {
  return (winners) => {
    const gaps = winners
      .map(({ gap }) => inUnits(gap!, resolution))
      .map((gap) => (gap >= tail ? `>=${tail}` : gap));
    return `${orderOf(winners)} by ${gaps}`;
  };
}

/** A gap over the resolution, which must go into it. */
function inUnits(gap: Rational, resolution: string): bigint {
  const units = gap.dividedBy(resolution);
  if (!units.isInteger()) throw new Error(`${gap} is no multiple of ${resolution}`);
  return units.numerator;
}

function lawOfOrders(outcomes: readonly OrderedOutcome[]): Law {
  return Object.fromEntries(outcomes.map(({ indices, prob }) => [String(indices), prob]));
}

/** Such as `">=4"`. */
function tailOf({ cells }: TopKWithGapVector): string {
  return String(cells.at(-1)!.gaps.at(-1));
}

function fromFraction(fraction: string): number {
  const [numerator, denominator] = fraction.split("/");
  return Number(numerator) / Number(denominator);
}
