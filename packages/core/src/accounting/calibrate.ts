/**
 * From a target back to a budget: the largest ρ or ε that stays within it, rounded **down**, to at least 15 digits.
 * Report the loss of the rounded parameter, not the target: `convert` says what the rounded parameter really costs.
 * Proof: conversions.proof.md.
 * @module
 */

import { lnOf, roundedUp } from "../exact/certified.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { bigInteger, object, oneOf, positiveRational, properProbability, readOptions } from "../options.js";
import { bestOrder, type Order } from "./best-order.js";
import type { Method } from "./curve-to-approx.js";
import { type RoundClass, roundWithin } from "./price.js";
import { rhoOfEpsilon } from "./zcdp-to-approx.js";

/**
 * The largest ρ whose conversion to (ε, δ) meets the target, rounded down.
 *
 * @param target What to stay within.
 * @param target.epsilon A rational > 0.
 * @param target.delta Above 0 and below 1.
 * @param options How it is converted.
 * @param options.conversion The `simple` formula, or (the default) the `optimal` one.
 *
 * @example
 * ```ts
 * import { rhoAtMost } from "winnow-dp";
 *
 * rhoAtMost({ epsilon: 1, delta: "1e-6" }); // → 0.02435597035953837
 * ```
 */
export function rhoAtMost(
  target: { readonly epsilon: RationalLike; readonly delta: RationalLike },
  options: { readonly conversion?: Method | undefined } = {},
): Rational {
  const { conversion } = readOptions(options, {}, { conversion: oneOf("simple", "optimal") });
  const epsilon = positiveRational("epsilon", object("target", target).epsilon);
  const delta = properProbability("delta", target.delta);
  return conversion === "simple" ? rhoOfEpsilon(epsilon, delta) : mostZcdp(epsilon, delta).rho;
}

/** The most zCDP that fits into (ε, δ), and the order at which it does. */
export function mostZcdp(epsilon: Rational, delta: Rational): { rho: Rational; order: Rational } {
  const simple = rhoOfEpsilon(epsilon, delta);
  const { alpha: order, value } = negativeRhoOverOrders(epsilon, delta);
  const optimal = value.negated();
  return { rho: optimal.compare(simple) > 0 ? optimal : simple, order }; // beyond the orders that are searched, the formula
}

/** The optimal conversion ρα + c(α) ≤ ε, solved for −ρ at the best order: any order is valid here too. */
function negativeRhoOverOrders(epsilon: Rational, delta: Rational): Order {
  return bestOrder((alpha) => {
    const order = alpha.minus(1n);
    return roundedUp((precision) => {
      const lnOdds = lnOf(delta.times(alpha), precision).dividedBy(order);
      const constant = lnOf(order.dividedBy(alpha), precision).minus(lnOdds);
      return constant.minus(epsilon).dividedBy(alpha);
    });
  });
}

/** The readers of what `RoundsOptions` has. */
export const ROUNDS = { rounds: bigInteger, class: /* @__PURE__ */ oneOf("pure", "bounded-range") };

/**
 * How many mechanisms share a target, and of which class they are.
 *
 * @inline
 */
export interface RoundsOptions {
  /** How many mechanisms share the budget. Default 1. */
  readonly rounds?: number | bigint | undefined;
  /** "bounded-range" for the exponential mechanism and Gumbel noise: ε²/8 each instead of ε²/2. Default "pure". */
  readonly class?: RoundClass | undefined;
}

/**
 * The largest ε for each of `rounds` mechanisms that are together ρ-zCDP: √(2ρ/rounds), or √(8ρ/rounds) for those of
 * bounded range; rounded down.
 *
 * @param rho What all of them may cost together.
 * @param options How many they are, and of which class.
 */
export function epsilonAtMost(rho: RationalLike, options: RoundsOptions = {}): Rational {
  const read = readOptions(options, {}, ROUNDS);
  return roundWithin(positiveRational("rho", rho), read.class ?? "pure", read.rounds ?? 1n);
}
