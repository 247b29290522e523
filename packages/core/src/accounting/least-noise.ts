/**
 * From a target to the noise that meets it: the smallest scale or variance, exact where it is a short rational and
 * rounded **up** otherwise. The loss to report is that of the noise really used. Proof: conversions.proof.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { isCertainlyAtMost } from "../exact/certified.js";
import { type Rational, type RationalLike, rational, shortened } from "../exact/rational.js";
import { bigInteger, integer, oneOf, positiveRational, properProbability, readOptions } from "../options.js";
import { ROUNDS, type RoundsOptions, rhoAtMost } from "./calibrate.js";
import type { Method } from "./curve-to-approx.js";
import { edgeOfAccepted } from "./edge-of-accepted.js";
import { deltaOf, LARGEST_TARGET, readDelta, readEpsilon } from "./gaussian-approx.js";
import { gumbelNoise } from "./gumbel-scale.js";
import { type LossLike, readLoss } from "./loss-json.js";
import { pureScale, zcdpScale } from "./price.js";

/**
 * How far scores move, how many selections share the target, and of which class they are.
 *
 * @inline
 */
export interface ScaleOptions extends RoundsOptions {
  /** How far one individual can move any score against another: 2Δ, or Δ where scores are monotone. */
  readonly distance: RationalLike;
}

/**
 * The smallest scale of exponential, Laplace or (of class "bounded-range") Gumbel noise for `rounds` selections.
 *
 * Each is distance/scale-DP. Pure: rounds·distance/ε. zCDP: distance·√(rounds/(2ρ)), or distance·√(rounds/(8ρ)) for Gumbel noise. (ε, δ):
 * for Gumbel noise the least scale whose rounds are certified to keep it together, each chosen by looking at the answers
 * before (`boundedRangeDelta`), and for other noise what ε takes alone.
 *
 * @param target What all selections may cost together.
 * @param options How far scores move, and how many selections there are.
 *
 * @example
 * ```ts
 * import { approx, pure, scaleAtLeast } from "winnow-dp";
 *
 * scaleAtLeast(pure("1/2"), { distance: 2, rounds: 5 }); // → 20
 * scaleAtLeast(approx(1, "1e-6"), { distance: 1, rounds: 100, class: "bounded-range" }); // → 21.12301547817217
 * ```
 */
export function scaleAtLeast(target: LossLike<"pure" | "zcdp" | "approx">, options: ScaleOptions): Rational {
  const goal = readLoss(target, "target");
  const read = readOptions(options, { distance: positiveRational }, ROUNDS);
  const [distance, count] = [rational(read.distance), BigInt(read.rounds ?? 1n)];
  if (goal.measure === "pure") return pureScale(positiveRational("epsilon", goal.epsilon), distance, count);
  if (goal.measure === "approx") {
    const epsilon = positiveRational("epsilon", goal.epsilon);
    if (read.class !== "bounded-range") return pureScale(epsilon, distance, count);
    const delta = properProbability("delta", goal.delta);
    return gumbelNoise({ epsilon, delta, rounds: integer("rounds", Number(count)), distance }).scale;
  }
  if (goal.measure !== "zcdp") throw invalidParameter("target", "a pure, zcdp or approx loss", target);
  return zcdpScale(positiveRational("rho", goal.rho), distance, read.class ?? "pure", count);
}

/**
 * How far a value moves, how many releases share the target, and how it is met.
 *
 * @inline
 */
export interface VarianceOptions {
  /** How far one individual can move the value. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** How many releases share the target. Default 1. */
  readonly rounds?: number | bigint | undefined;
  /** For an (ε, δ) target, how it is met: through zCDP (default `optimal`), or `exact` for continuous noise only, up to ε = 100. */
  readonly conversion?: Method | "exact" | undefined;
}

/**
 * The smallest variance σ² of Gaussian noise: rounds·sensitivity²/(2ρ) for the largest ρ that meets the target.
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
  const [sensitivity, count] = [rational(read.sensitivity ?? 1n), BigInt(read.rounds ?? 1n)];
  const rho = largestRho(target, read.conversion ?? "optimal");
  return shortened(sensitivity.times(sensitivity).times(count).dividedBy(rho.times(2n)), "up");
}

const VARIANCE = {
  sensitivity: positiveRational,
  rounds: bigInteger,
  conversion: oneOf("simple", "optimal", "exact"),
};

function largestRho(target: LossLike<"zcdp" | "approx">, conversion: Method | "exact"): Rational {
  const goal = readLoss(target, "target");
  if (goal.measure === "zcdp") return positiveRational("rho", goal.rho);
  if (goal.measure !== "approx") throw invalidParameter("target", "a zcdp or approx loss", target);
  const { epsilon, delta } = goal;
  return conversion === "exact"
    ? gaussianRhoAtMost({ epsilon, delta })
    : rhoAtMost({ epsilon, delta }, { conversion });
}

/** The largest ρ whose exact δ(ε) meets the target, rounded down. */
export function gaussianRhoAtMost(target: { epsilon: RationalLike; delta: RationalLike }): Rational {
  const [epsilon, delta] = [readEpsilon(target.epsilon, LARGEST_TARGET), readDelta(target.delta)];
  // δ grows with ρ. What the conversion of zCDP allows is certainly allowed; doubled often enough, it is not.
  const meets = (rho: Rational) => isCertainlyAtMost(deltaOf(rho, epsilon), delta);
  const allowed = rhoAtMost({ epsilon, delta });
  let refused = allowed.times(2n);
  while (meets(refused)) refused = refused.times(2n);
  return edgeOfAccepted(meets, allowed, refused);
}
