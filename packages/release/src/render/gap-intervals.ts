/**
 * How far a released gap may be from the truth.
 *
 * The noise on every count is exponential with a public scale β, so for two candidates far from all others the error
 * of a gap is the difference of two exponentials, with standard deviation √2·β. The interval holds for every rank,
 * no matter which item won, even where candidates are close: let d be the true lead of a winner over the next in the released
 * order, or 0 if it doesn't lead, and g the released gap. With probability at least 90 %,
 *
 *     g − β·ln 20  ≤  d  ≤  g + resolution + β·ln(20·n)          for n candidates.
 *
 * Each side fails with probability at most 5 %. Derivation: docs/guide/releases.md. The logarithms are rounded up; no
 * private value enters, so the rounding reveals nothing.
 *
 * Without a list, the candidates are those that race, and ⊥: the last lead of a list that it ended is the lead over ⊥.
 * @module
 */
import { Rational, rational } from "winnow-dp";
import { noiseScale } from "../question/mechanism.js";
import { type Question, sizeOf } from "../question/question.js";
import { limitedPlan } from "../question/unknown-domains.js";

export interface GapUncertainty {
  readonly confidence: 0.9;
  /** Of the noise in a gap between two candidates that are far from all others. */
  readonly standardDeviation: number;
  /** The true lead is at least the released gap less this. */
  readonly below: Rational;
  /** And at most the released gap and this. */
  readonly above: Rational;
}

export interface GapInterval {
  readonly low: Rational;
  readonly high: Rational;
}

/** 1 over the probability that one side fails. */
const ONE_SIDE = 20;

/** Undefined where no gaps are released. */
export function gapUncertainty(question: Question): GapUncertainty | undefined {
  if (question.resolution === undefined) return undefined;
  const { candidates, scale } = raceOf(question);
  return {
    confidence: 0.9,
    standardDeviation: Math.SQRT2 * scale.toNumber(),
    below: scale.times(lnAtLeast(ONE_SIDE)),
    above: scale.times(lnAtLeast(ONE_SIDE * candidates)).plus(question.resolution),
  };
}

/** How many race, and the scale of their noise. */
function raceOf(question: Question): { readonly candidates: number; readonly scale: Rational } {
  const size = sizeOf(question.domain);
  if (size !== undefined) return { candidates: size, scale: noiseScale(question) };
  const { maxCandidates, scale } = limitedPlan(question).measurement;
  return { candidates: maxCandidates + 1, scale };
}

/** Where the true lead lies, given the released one. */
export function gapInterval(gap: string, { below, above }: GapUncertainty): GapInterval {
  const low = rational(gap).minus(below);
  return { low: low.compare(0n) > 0 ? low : Rational.ZERO, high: rational(gap).plus(above) };
}

/** A thousandth above what any engine gives for the logarithm, to three decimals. */
function lnAtLeast(value: number): Rational {
  return Rational.ofNumbers(Math.ceil(Math.log(value) * 1000) + 1, 1000);
}
