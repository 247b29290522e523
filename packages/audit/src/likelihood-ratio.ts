/**
 * How far apart the laws of neighbouring inputs are. For a law that is known, you can check that a promise holds and that it
 * is tight.
 *
 * - `likelihoodRatio`: the largest |ln(P(outcome)/P'(outcome))|. A mechanism is ε-private exactly if this is at most ε
 *   for all neighbours. Only outcomes that a law names are compared.
 * - `hockeyStick`: the sum of P(outcome) − e^ε·P'(outcome) over the outcomes where it is positive, which is the least
 *   δ with P(S) ≤ e^ε·P'(S) + δ for every set S of outcomes. A mechanism is (ε, δ)-private exactly if this is at most
 *   δ for all neighbours, in both directions. The probability that the first law leaves of 1 counts as excess in the
 *   upper end.
 * - `renyiDivergence`: ln(Σ P^α/P'^(α−1))/(α − 1) at an integer order α ≥ 2. A mechanism is ρ-zCDP only if this is at
 *   most α·ρ for all neighbours.
 *
 * All answers are enclosures: the true value is from `least` to `most`. Proof: likelihood-ratio.proof.md.
 *
 * `neighboursOf` lists every way in which one individual changes each score as much as it can or not at all: up by the
 * sensitivity, down by it, or not; if monotone, up or not. There are 3^n or 2^n of them. An individual who leaves
 * moves all scores down. A law that doesn't change when all scores move together, as for all selections here, sees no
 * difference from the others moving up.
 * @module
 */

import {
  type Extended,
  Interval,
  invalidParameter,
  Rational,
  type RationalLike,
  rational,
  readers,
  readOptions,
} from "winnow-dp";

import { commonPrecision, exactScores, type Law, leftOf, sideBySide } from "./laws/law.js";

/**
 * The largest loss between a law and its neighbours, enclosed, and where it is reached.
 *
 * @inline
 */
export interface LikelihoodRatio {
  /** The largest loss is certainly not below this; Infinity if an outcome is certainly possible on one side only. */
  readonly least: Extended;
  /** And not above this; Infinity if some probability may be 0. */
  readonly most: Extended;
  /** Where `least` is reached. */
  readonly outcome: string;
  /** With which of the neighbours, from 0. */
  readonly neighbour: number;
}

/**
 * The largest |ln ratio| between a law and those of its neighbours.
 *
 * A mechanism is ε-private exactly if this is at most ε for all neighbours. Proof: likelihood-ratio.proof.md.
 *
 * @param law The law on one input.
 * @param neighbours The laws on neighbouring inputs.
 *
 * @example
 * ```ts
 * import { exponentialTopKLaw, likelihoodRatio } from "winnow-audit";
 * import { rational } from "winnow-dp";
 *
 * const law = (scores: number[]) => exponentialTopKLaw(scores, { k: 1, scale: 1 });
 * const { least } = likelihoodRatio(law([1, 0]), [law([0, 1])]); // as a natural logarithm
 * rational(least).compare(2) <= 0; // → true
 * ```
 */
export function likelihoodRatio(law: Law, neighbours: Iterable<Law>): LikelihoodRatio {
  let witness: { readonly ratio: Ratio; readonly outcome: string; readonly neighbour: number } | undefined;
  let most: Ratio = { over: 0n, under: 1n };
  let neighbour = 0;
  for (const other of neighbours) {
    for (const [outcome, p, q] of sideBySide(law, other)) {
      if (p.hi <= 0n && q.hi <= 0n) continue; // possible on neither side
      const ratio = larger(leastRatio(p, q), leastRatio(q, p));
      if (witness === undefined || isLarger(ratio, witness.ratio)) witness = { ratio, outcome, neighbour };
      most = larger(most, larger(mostRatio(p, q), mostRatio(q, p)));
    }
    neighbour++;
  }
  if (witness === undefined)
    throw invalidParameter("neighbours", "a list with at least one law that has an outcome", "none");
  const { ratio, ...where } = witness;
  return { least: ln(ratio, "lower"), most: ln(most, "upper"), ...where };
}

/** A bound of a ratio of probabilities; over 0 it is infinite. Logarithms wait until the largest one is found. */
interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

function leastRatio(p: Interval, q: Interval): Ratio {
  return { over: atLeastZero(p.lo), under: atLeastZero(q.hi) };
}

function mostRatio(p: Interval, q: Interval): Ratio {
  return { over: atLeastZero(p.hi), under: atLeastZero(q.lo) };
}

/** Probabilities are not negative, whatever an enclosure says. */
function atLeastZero(end: bigint): bigint {
  return end < 0n ? 0n : end;
}

function isLarger(a: Ratio, b: Ratio): boolean {
  return a.over * b.under > b.over * a.under;
}

function larger(a: Ratio, b: Ratio): Ratio {
  return isLarger(a, b) ? a : b;
}

const LOGARITHM_PRECISION = 192;

/** A bound of ln(ratio) on that side, or 0: of |ln| of a ratio and of its inverse one is not negative. */
function ln({ over, under }: Ratio, side: "lower" | "upper"): Extended {
  if (over <= under) return Rational.ZERO;
  if (under === 0n) return Infinity;
  const [a, b] = [over, under].map((end) => new Interval(end, end, LOGARITHM_PRECISION).ln());
  return a.minus(b)[side]();
}

/**
 * The least δ that goes with ε from one law to the other, enclosed.
 *
 * A mechanism is (ε, δ)-private exactly if this is at most δ for all neighbours, in both directions. Proof:
 * likelihood-ratio.proof.md.
 *
 * @param law The law on one input.
 * @param other The law on a neighbouring input.
 * @param epsilon The ε of the promise.
 *
 * @example
 * ```ts
 * import { exponentialTopKLaw, hockeyStick } from "winnow-audit";
 * import { rational } from "winnow-dp";
 *
 * const law = (scores: number[]) => exponentialTopKLaw(scores, { k: 1, scale: 1 });
 * const { most } = hockeyStick(law([1, 0]), law([0, 1]), 1); // the δ at ε = 1
 * rational(most).toNumber() < 1; // → true
 * ```
 */
export function hockeyStick(
  law: Law,
  other: Law,
  epsilon: RationalLike,
): {
  /** It is certainly not below this. */
  readonly least: Rational;
  /** And not above this. */
  readonly most: Rational;
} {
  const exponent = readers.nonNegativeRational("epsilon", epsilon);
  const precision = commonPrecision(law, other);
  const factor = Interval.from(exponent, precision).exp();
  let delta = Interval.hull(0, leftOf(law), precision);
  for (const [outcome, here, there] of sideBySide(law, other)) {
    if (law.has(outcome)) delta = delta.plus(positivePart(here.minus(there.times(factor))));
  }
  return { least: delta.lower(), most: delta.upper() };
}

/** max(0, x) for the number x in the interval. */
function positivePart({ lo, hi, precision }: Interval): Interval {
  return new Interval(lo > 0n ? lo : 0n, hi > 0n ? hi : 0n, precision);
}

/**
 * The Rényi divergence from the first law to the second, enclosed; both must name the same outcomes, all of them
 * possible.
 *
 * A mechanism is ρ-zCDP only if this is at most α·ρ for all neighbours.
 *
 * @param law The law on one input.
 * @param other The law on a neighbouring input.
 * @param order α, an integer ≥ 2.
 *
 * @example
 * ```ts
 * import { exponentialTopKLaw, renyiDivergence } from "winnow-audit";
 *
 * const law = (scores: number[]) => exponentialTopKLaw(scores, { k: 1, scale: 1 });
 * renyiDivergence(law([1, 0]), law([1, 0]), 2).isBelow("1e-9"); // → true
 * ```
 */
export function renyiDivergence(law: Law, other: Law, order: number): Interval {
  readers.integer("order", order, 2);
  let sum = Interval.from(0n, commonPrecision(law, other));
  for (const [, here, there] of sideBySide(law, other))
    sum = sum.plus(here.times(here.dividedBy(there).power(order - 1)));
  return sum.ln().dividedBy(BigInt(order - 1));
}

/**
 * How one individual can move scores.
 *
 * @inline
 */
export interface NeighbourOptions {
  /** How much one individual can change any one score. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** Whether an individual moves all scores the same way. Default false. */
  readonly monotone?: boolean | undefined;
}

/**
 * All neighbouring scores: each moves as far as one individual can move it, or not at all.
 *
 * @param scores The scores of all candidates.
 * @param options How one individual can move them.
 *
 * @example
 * ```ts
 * import { neighboursOf } from "winnow-audit";
 *
 * neighboursOf([5, 3], { monotone: true }).length; // → 4
 * ```
 */
export function neighboursOf(scores: readonly RationalLike[], options: NeighbourOptions = {}): Rational[][] {
  const { sensitivity = 1, monotone = false } = readOptions(
    options,
    {},
    { sensitivity: readers.positiveRational, monotone: readers.boolean },
  );
  const step = rational(sensitivity);
  const moves = (score: Rational) => [...(monotone ? [] : [score.minus(step)]), score, score.plus(step)];
  return exactScores(scores).reduce<Rational[][]>(
    (lists, score) => lists.flatMap((list) => moves(score).map((moved) => [...list, moved])),
    [[]],
  );
}
