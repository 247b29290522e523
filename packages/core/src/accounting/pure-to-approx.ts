/**
 * What ε-DP is worth as (ε', δ)-DP with a smaller ε': δ = (e^ε − e^ε')/(1 + e^ε), which randomized response
 * attains, so that no better conversion exists [KOV15]. Proof: conversions.proof.md.
 * @module
 */

import { roundedUp } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";

/** ε' = ε + ln(1 − δ·(1 + e^−ε)), at least 0, rounded up. */
export function epsilonOfPure(epsilon: Rational, delta: Rational): Rational {
  if (delta.numerator === 0n) return epsilon;
  if (delta.compare(deltaOfPure(epsilon, Rational.ZERO)) >= 0) return Rational.ZERO;
  return roundedUp((precision) => {
    const part = onePlusExp(epsilon, precision).times(delta).negated().plus(1n);
    // ε' lies between 0 and ε whatever the logarithm is; more precision tells.
    return part.lo <= 0n ? Interval.hull(0n, epsilon, precision) : part.ln().plus(epsilon);
  });
}

/** δ = (1 − e^(ε' − ε))/(1 + e^−ε), at least 0, rounded up. */
export function deltaOfPure(epsilon: Rational, target: Rational): Rational {
  const excess = epsilon.minus(target);
  if (excess.numerator <= 0n) return Rational.ZERO;
  return roundedUp((precision) =>
    Interval.from(excess.negated(), precision)
      .exp()
      .negated()
      .plus(1n)
      .dividedBy(onePlusExp(epsilon, precision)),
  );
}

/** 1 + e^−ε. */
function onePlusExp(epsilon: Rational, precision: number): Interval {
  return Interval.from(epsilon.negated(), precision).exp().plus(1n);
}
