/**
 * The simple conversion between ρ-zCDP and (ε, δ): ε = ρ + 2·√(ρ·ln(1/δ)) [BS16], in all three directions. The
 * factor 2 is outside the root; √(2ρ·ln(1/δ)) would be false. Proof: conversions.proof.md.
 * @module
 */

import { lnOf, roundedDown, roundedUp } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";

/** ρ + 2·√(ρ·ln(1/δ)), rounded up. */
export function epsilonOfZcdp(rho: Rational, delta: Rational): Rational {
  if (rho.numerator === 0n) return Rational.ZERO;
  return roundedUp((precision) => lnInverse(delta, precision).times(rho).sqrt().times(2n).plus(rho));
}

/** e^(−(ε − ρ)²/(4ρ)) where ε > ρ, rounded up. */
export function deltaOfZcdp(rho: Rational, epsilon: Rational): Rational {
  if (rho.numerator === 0n) return Rational.ZERO;
  const excess = epsilon.minus(rho);
  if (excess.numerator <= 0n) return Rational.ONE;
  const exponent = excess.times(excess).dividedBy(rho.times(-4n));
  return roundedUp((precision) => Interval.from(exponent, precision).exp());
}

/** The largest ρ with ρ + 2·√(ρ·ln(1/δ)) ≤ ε, rounded down: (√(L + ε) − √L)², written so that nothing cancels. */
export function rhoOfEpsilon(epsilon: Rational, delta: Rational): Rational {
  return roundedDown((precision) => {
    const logarithm = lnInverse(delta, precision);
    const roots = logarithm.plus(epsilon).sqrt().plus(logarithm.sqrt());
    return Interval.from(epsilon, precision).dividedBy(roots).power(2);
  });
}

function lnInverse(delta: Rational, precision: number): Interval {
  return lnOf(delta, precision).negated();
}
