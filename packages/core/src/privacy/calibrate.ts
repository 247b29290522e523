/**
 * From a target back to a budget: the largest ρ or ε that stays within it, rounded **down**, to at least 15 digits.
 * What a mechanism does with it must be reported anew: `convert` says what the rounded parameter really costs.
 * Proof: docs/proofs/conversions.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  bigInteger,
  boolean,
  object,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../validate.js";
import { bestOrder, type Order } from "./conversion-order.js";
import { gaussianRhoAtMost } from "./gaussian-to-approx.js";
import { type LossLike, readLoss } from "./loss-json.js";
import { lnOf, rootToDigits, roundedUp, shortened } from "./rounding.js";
import { type Method, rhoOfEpsilon } from "./to-approx.js";

/**
 * The largest ρ whose conversion to (ε, δ) meets the target, rounded down.
 *
 * @param target What to stay within.
 * @param target.epsilon A rational > 0.
 * @param target.delta Above 0 and below 1.
 * @param options How it is converted.
 * @param options.method The `simple` formula, or (the default) the `optimal` one.
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
  options: { readonly method?: Method | undefined } = {},
): Rational {
  const { method } = readOptions(options, {}, { method: oneOf("simple", "optimal") });
  const epsilon = positiveRational("epsilon", object("target", target).epsilon);
  const delta = properProbability("delta", target.delta);
  return method === "simple" ? rhoOfEpsilon(epsilon, delta) : mostZcdp(epsilon, delta).rho;
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
const ROUNDS = { times: bigInteger, boundedRange: boolean };

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
 *
 * @example
 * ```ts
 * import { epsilonAtMost } from "winnow-dp";
 *
 * epsilonAtMost("1/8", { boundedRange: true }); // → 1
 * ```
 */
export function epsilonAtMost(rho: RationalLike, options: RoundsOptions = {}): Rational {
  const { times = 1n, boundedRange = false } = readOptions(options, {}, ROUNDS);
  const share = positiveRational("rho", rho).dividedBy(BigInt(times));
  return rootToDigits(share.times(boundedRange ? 8n : 2n), "down");
}

/*
 * From a target to the noise that meets it: the smallest scale or variance, exact where it is a short rational and
 * rounded **up** otherwise. The loss to report is that of the noise really used. Proof: docs/proofs/conversions.md.
 */

/** How far scores move, how many selections share the target, and of which class they are. */
export interface ScaleOptions extends RoundsOptions {
  /** How far one individual can move any score against another: 2Δ, or Δ where scores are monotone. */
  readonly range: RationalLike;
}

/**
 * The smallest scale of exponential, Laplace or (with `boundedRange`) Gumbel noise for `times` selections.
 *
 * Each is range/scale-DP. Pure: times·range/ε. zCDP: range·√(times/(2ρ)), or range·√(times/(8ρ)) for Gumbel noise.
 *
 * @param target What all selections may cost together.
 * @param options How far scores move, and how many selections there are.
 *
 * @example
 * ```ts
 * import { pure, scaleAtLeast } from "winnow-dp";
 *
 * scaleAtLeast(pure("1/2"), { range: 2, times: 5 }); // → 20
 * ```
 */
export function scaleAtLeast(target: LossLike<"pure" | "zcdp">, options: ScaleOptions): Rational {
  const goal = readLoss(target, "target");
  const read = readOptions(options, { range: positiveRational }, ROUNDS);
  const [range, count] = [rational(read.range), BigInt(read.times ?? 1n)];
  if (goal.measure === "pure") return pureScale(positiveRational("epsilon", goal.epsilon), range, count);
  if (goal.measure !== "zcdp") throw invalidParameter("target", "a pure or zcdp loss", target);
  return zcdpScale(positiveRational("rho", goal.rho), range, count, read.boundedRange ? 8n : 2n);
}

/** times·range/ε. */
export function pureScale(epsilon: Rational, range: Rational, times: bigint): Rational {
  return shortened(range.times(times).dividedBy(epsilon), "up");
}

/** range·√(times/(divisor·ρ)), where the divisor is 8 for bounded range, and else 2. */
export function zcdpScale(rho: Rational, range: Rational, times: bigint, divisor: bigint): Rational {
  return rootToDigits(range.times(range).times(times).dividedBy(rho.times(divisor)), "up");
}

/** How far a value moves, how many releases share the target, and how it is met. */
export interface VarianceOptions {
  /** How far one individual can move the value. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** How many releases share the target. Default 1. */
  readonly times?: number | bigint | undefined;
  /** For an (ε, δ) target, how it is met: through zCDP (default `optimal`), or `exact` for continuous noise only, up to ε = 100. */
  readonly method?: Method | "exact" | undefined;
}

/**
 * The smallest variance σ² of Gaussian noise: times·sensitivity²/(2ρ) for the largest ρ that meets the target.
 *
 * @param target What all releases may cost together.
 * @param options How far the value moves, and how many releases there are.
 *
 * @example
 * ```ts
 * import { varianceAtLeast, zcdp } from "winnow-dp";
 *
 * varianceAtLeast(zcdp("0.3")); // → 5/3
 * ```
 */
export function varianceAtLeast(
  target: LossLike<"zcdp" | "approx">,
  options: VarianceOptions = {},
): Rational {
  const read = readOptions(options, {}, VARIANCE);
  const [sensitivity, count] = [rational(read.sensitivity ?? 1n), BigInt(read.times ?? 1n)];
  const rho = largestRho(target, read.method ?? "optimal");
  return shortened(sensitivity.times(sensitivity).times(count).dividedBy(rho.times(2n)), "up");
}

const VARIANCE = {
  sensitivity: positiveRational,
  times: bigInteger,
  method: oneOf("simple", "optimal", "exact"),
};

function largestRho(target: LossLike<"zcdp" | "approx">, method: Method | "exact"): Rational {
  const goal = readLoss(target, "target");
  if (goal.measure === "zcdp") return positiveRational("rho", goal.rho);
  if (goal.measure !== "approx") throw invalidParameter("target", "a zcdp or approx loss", target);
  const { epsilon, delta } = goal;
  return method === "exact"
    ? gaussianRhoAtMost({ epsilon, delta })
    : rhoAtMost({ epsilon, delta }, { method });
}
