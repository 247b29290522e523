/**
 * Any loss as (ε, δ)-DP: the ε for a given δ, or the δ for a given ε. The δ of a δ-approximate loss is set aside
 * first, and what is left of δ pays for the conversion. Proof: conversions.proof.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { nonNegativeRational, probability } from "../options.js";
import { naturalOf } from "./base2-parameter.js";
import { zcdpCurve } from "./curve.js";
import { deltaOfCurve, epsilonOfCurve, type Method } from "./curve-to-approx.js";
import { type Extended, isBounded, smaller } from "./extended.js";
import { approx, type Loss, type LossOf } from "./loss.js";
import { deltaOfPure, epsilonOfPure } from "./pure-to-approx.js";
import type { RenyiCurve } from "./renyi-curve.js";
import { deltaOfZcdp, epsilonOfZcdp } from "./zcdp-to-approx.js";

/**
 * The ε for a given `delta`, or the δ for a given `epsilon`.
 *
 * @inline
 */
export type GaussianApproxOptions =
  | {
      /** The δ to find the ε for. */
      readonly delta: RationalLike;
      /** Not beside `delta`. */
      readonly epsilon?: never;
    }
  | {
      /** The ε to find the δ for. */
      readonly epsilon: RationalLike;
      /** Not beside `epsilon`. */
      readonly delta?: never;
    };

/**
 * How a loss becomes (ε, δ): the ε for a given `delta`, or the δ for a given `epsilon`.
 *
 * @inline
 */
export type ApproxOptions = GaussianApproxOptions & {
  /** The textbook formula, or (the default) the smallest bound known. */
  readonly conversion?: Method | undefined;
};

export function toApprox(
  loss: Loss,
  { delta, epsilon, conversion = "optimal" }: ApproxOptions,
): LossOf["approx"] {
  if (delta !== undefined && epsilon === undefined)
    return withDelta(loss, probability("delta", delta), conversion);
  if (epsilon !== undefined && delta === undefined)
    return withEpsilon(loss, nonNegativeRational("epsilon", epsilon), conversion);
  throw invalidParameter(
    "delta",
    "given, or epsilon instead, but not both",
    delta === undefined ? undefined : "both",
  );
}

function withDelta(loss: Loss, delta: Rational, conversion: Method): LossOf["approx"] {
  const failure = failureOf(loss);
  const spare = delta.minus(failure);
  if (needsDelta(loss) ? spare.numerator <= 0n : spare.numerator < 0n)
    throw invalidParameter("delta", `a rational ${needsDelta(loss) ? ">" : ">="} ${failure}`, delta);
  return approx(epsilonFor(loss, spare, conversion), delta);
}

/** Concentrated losses say nothing about ε at δ = 0. */
function needsDelta({ measure }: Loss): boolean {
  return measure === "zcdp" || measure === "renyi";
}

function epsilonFor(loss: Loss, delta: Rational, conversion: Method): Extended {
  switch (loss.measure) {
    case "zcdp":
      if (!isBounded(loss.rho)) return Infinity;
      if (conversion === "simple") return epsilonOfZcdp(loss.rho, delta);
      return curveEpsilonFor(zcdpCurve(loss.rho), delta, conversion);
    case "renyi":
      return curveEpsilonFor(loss.curve, delta, conversion);
    case "base2":
      return pureEpsilonFor(naturalOf(loss.eta), delta, conversion);
    default:
      return pureEpsilonFor(loss.epsilon, delta, conversion);
  }
}

/** The smallest that the search over orders and the two bounds at all orders give. */
function curveEpsilonFor(curve: RenyiCurve, delta: Rational, conversion: Method): Extended {
  const { rho, epsilon } = curve;
  return [
    epsilonOfCurve(curve, delta, conversion).value,
    isBounded(rho) ? epsilonOfZcdp(rho, delta) : rho,
    pureEpsilonFor(epsilon, delta, conversion),
  ].reduce(smaller);
}

function pureEpsilonFor(epsilon: Extended, delta: Rational, conversion: Method): Extended {
  return isBounded(epsilon) && conversion === "optimal" ? epsilonOfPure(epsilon, delta) : epsilon;
}

function withEpsilon(loss: Loss, epsilon: Rational, conversion: Method): LossOf["approx"] {
  const delta = failureOf(loss).plus(deltaFor(loss, epsilon, conversion));
  return approx(epsilon, delta.compare(1n) > 0 ? 1n : delta);
}

function deltaFor(loss: Loss, epsilon: Rational, conversion: Method): Rational {
  switch (loss.measure) {
    case "zcdp":
      if (!isBounded(loss.rho)) return Rational.ONE;
      if (conversion === "simple") return deltaOfZcdp(loss.rho, epsilon);
      return curveDeltaFor(zcdpCurve(loss.rho), epsilon, conversion);
    case "renyi":
      return curveDeltaFor(loss.curve, epsilon, conversion);
    case "base2":
      return pureDeltaFor(naturalOf(loss.eta), epsilon, conversion);
    default:
      return pureDeltaFor(loss.epsilon, epsilon, conversion);
  }
}

function curveDeltaFor(curve: RenyiCurve, epsilon: Rational, conversion: Method): Rational {
  const { rho } = curve;
  return [
    deltaOfCurve(curve, epsilon, conversion),
    isBounded(rho) ? deltaOfZcdp(rho, epsilon) : Rational.ONE,
    pureDeltaFor(curve.epsilon, epsilon, conversion),
  ].reduce((least, delta) => (delta.compare(least) < 0 ? delta : least));
}

/** The simple reading of ε-DP has δ = 0 from ε on, and says nothing below it. */
function pureDeltaFor(epsilon: Extended, target: Rational, conversion: Method): Rational {
  if (isBounded(epsilon) && conversion === "optimal") return deltaOfPure(epsilon, target);
  return isBounded(epsilon) && epsilon.compare(target) <= 0 ? Rational.ZERO : Rational.ONE;
}

function failureOf(loss: Loss): Rational {
  return ("delta" in loss ? loss.delta : undefined) ?? Rational.ZERO;
}
