/**
 * The hockey-stick divergence of two laws at ε: the sum of P(outcome) − e^ε·P'(outcome) over the outcomes where it is
 * positive. It is the least δ for which P(S) ≤ e^ε·P'(S) + δ for every set S of outcomes, so a mechanism is
 * (ε, δ)-private exactly if this is at most δ for all neighbours, in both directions.
 *
 * The answer is an enclosure. Outcomes that no law names are given whatever the first law leaves of 1.
 * Proof: docs/proofs/likelihood-ratio.md.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { nonNegative } from "../select/options.js";
import { type Law, sideBySide } from "./law.js";

/** The least δ that goes with ε from one law to the other. */
export function hockeyStick(
  law: Law,
  other: Law,
  epsilon: RationalLike,
): { readonly least: Rational; readonly most: Rational } {
  const exponent = nonNegative("epsilon", epsilon);
  let [least, most] = [Rational.ZERO, Rational.ZERO];
  let named = Rational.ZERO;
  for (const [, here, there] of sideBySide(law, other)) {
    const factor = Interval.from(exponent, here.precision).exp();
    const excess = here.minus(there.times(factor));
    least = least.plus(positivePart(excess.lower()));
    most = most.plus(positivePart(excess.upper()));
    named = named.plus(positivePart(here.lower()));
  }
  return { least, most: most.plus(positivePart(Rational.ONE.minus(named))) };
}

function positivePart(value: Rational): Rational {
  return value.numerator > 0n ? value : Rational.ZERO;
}
