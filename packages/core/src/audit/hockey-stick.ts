/**
 * The hockey-stick divergence of two laws at ε: the sum of P(outcome) − e^ε·P'(outcome) over the outcomes where it is
 * positive. It is the least δ for which P(S) ≤ e^ε·P'(S) + δ for every set S of outcomes, so a mechanism is
 * (ε, δ)-private exactly if this is at most δ for all neighbours, in both directions.
 *
 * The answer is an enclosure. What the first law leaves of 1 counts as excess in its upper end.
 * Proof: docs/proofs/likelihood-ratio.md.
 * @module
 */
import { Interval } from "../exact/interval.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { nonNegativeRational } from "../validate.js";
import { commonPrecision, type Law, leftOf, sideBySide } from "./law.js";

/**
 * The least δ that goes with ε from one law to the other, enclosed.
 *
 * A mechanism is (ε, δ)-private exactly if this is at most δ for all neighbours, in both directions. Proof:
 * docs/proofs/likelihood-ratio.md.
 *
 * @param law The law on one input.
 * @param other The law on a neighbouring input.
 * @param epsilon The ε of the promise.
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
  const exponent = nonNegativeRational("epsilon", epsilon);
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
