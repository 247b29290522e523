/**
 * From a target back to a budget: the largest ρ or ε that stays within it, rounded **down**, to at least 15 digits.
 * What a mechanism does with it must be reported anew: `convert` says what the rounded parameter really costs.
 * Proof: docs/proofs/conversions.md.
 * @module
 */
import type { Rational, RationalLike } from "../exact/rational.js";
import {
  bigInteger,
  boolean,
  object,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../validate.js";
import { bestOrder, type Order } from "./best-order.js";
import { lnOf } from "./rational-enclosures.js";
import type { Method } from "./renyi-to-approx.js";
import { rootToDigits, roundedUp } from "./rounding.js";
import { rhoOfEpsilon } from "./zcdp-to-approx.js";

/**
 * The largest ρ whose conversion to (ε, δ) meets the target, rounded down.
 *
 * @param target What to stay within.
 * @param target.epsilon A rational > 0.
 * @param target.delta Above 0 and below 1.
 * @param options How it is converted.
 * @param options.method The `simple` formula, or (the default) the `optimal` one.
 */
export function rhoAtMost(
  target: { readonly epsilon: RationalLike; readonly delta: RationalLike },
  options: { readonly method?: Method | undefined } = {},
): Rational {
  const { method } = readOptions(options, {}, { method: oneOf("simple", "optimal") });
  const epsilon = positiveRational("epsilon", object("target", target).epsilon);
  const delta = properProbability("delta", target.delta);
  const simple = rhoOfEpsilon(epsilon, delta);
  if (method === "simple") return simple;
  const optimal = negativeRhoOverOrders(epsilon, delta).value.negated();
  return optimal.compare(simple) > 0 ? optimal : simple; // beyond the orders that are searched, the formula
}

/** The order at which the most zCDP fits into (ε, δ). */
export function mostZcdpOrder(epsilon: Rational, delta: Rational): Rational {
  return negativeRhoOverOrders(epsilon, delta).alpha;
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
export const ROUNDS = { times: bigInteger, boundedRange: boolean };

/** How many mechanisms share a target, and of which class they are. */
export interface RoundsOptions {
  /** How many mechanisms share the budget. Default 1. */
  readonly times?: number | bigint | undefined;
  /** Whether each has bounded range (the exponential mechanism, Gumbel noise): ε²/8 instead of ε²/2. Default false. */
  readonly boundedRange?: boolean | undefined;
}

/**
 * The largest ε for each of `times` mechanisms that are together ρ-zCDP: √(2ρ/times), or √(8ρ/times) for those of
 * bounded range; rounded down.
 *
 * @param rho What all of them may cost together.
 * @param options How many they are, and of which class.
 */
export function epsilonAtMost(rho: RationalLike, options: RoundsOptions = {}): Rational {
  const { times = 1n, boundedRange = false } = readOptions(options, {}, ROUNDS);
  const share = positiveRational("rho", rho).dividedBy(BigInt(times));
  return rootToDigits(share.times(boundedRange ? 8n : 2n), "down");
}
