/**
 * From Rényi to (ε, δ): at one order by a formula, over all orders by search. `simple` is ε(α) + ln(1/δ)/(α − 1)
 * [Mir17]; `optimal` is ε(α) + ln(1 − 1/α) − (ln δ + ln α)/(α − 1), never larger [BBGHS20] [CKS20].
 * Proof: conversions.proof.md.
 * @module
 */

import { lnOf, roundedUp } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { bestOrder, type Order } from "./best-order.js";
import type { RenyiCurve } from "./renyi-curve.js";

/**
 * Which of two valid conversions: the textbook formula, or the smallest bound known.
 *
 * @inline
 */
export type Method = "simple" | "optimal";

/** The smallest ε ≥ 0 over all orders, rounded up, with the order that gives it. */
export function epsilonOfCurve(curve: RenyiCurve, delta: Rational, method: Method): Order {
  return bestOrder((alpha) => epsilonAtOrder(curve, alpha, delta, method));
}

/** The ε ≥ 0 that order α gives for δ, rounded up. */
export function epsilonAtOrder(
  curve: RenyiCurve,
  alpha: Rational,
  delta: Rational,
  method: Method,
): Rational {
  const order = alpha.minus(1n);
  return atLeastZero(
    roundedUp((precision) => {
      const ln = (value: Rational) => lnOf(value, precision);
      const divergence = curve.enclose(alpha, precision);
      if (method === "simple") return divergence.minus(ln(delta).dividedBy(order));
      return divergence.plus(ln(order.dividedBy(alpha))).minus(ln(delta.times(alpha)).dividedBy(order));
    }),
  );
}

/** The smallest δ ≤ 1 over all orders, rounded up. */
export function deltaOfCurve(curve: RenyiCurve, epsilon: Rational, method: Method): Rational {
  const lnDelta = bestOrder((alpha) => lnDeltaAtOrder(curve, alpha, epsilon, method)).value;
  if (lnDelta.numerator >= 0n) return Rational.ONE;
  return roundedUp((precision) => Interval.from(lnDelta, precision).exp());
}

/** (α − 1)·(ε(α) − ε), and for `optimal` (α − 1)·(ε(α) − ε + ln(1 − 1/α)) − ln α: the same conversions, solved for ln δ. */
function lnDeltaAtOrder(curve: RenyiCurve, alpha: Rational, epsilon: Rational, method: Method): Rational {
  const order = alpha.minus(1n);
  return roundedUp((precision) => {
    const ln = (value: Rational) => lnOf(value, precision);
    const excess = curve.enclose(alpha, precision).minus(epsilon);
    if (method === "simple") return excess.times(order);
    return excess
      .plus(ln(order.dividedBy(alpha)))
      .times(order)
      .minus(ln(alpha));
  });
}

function atLeastZero(value: Rational): Rational {
  return value.numerator < 0n ? Rational.ZERO : value;
}
