/**
 * Privacy losses as plain frozen values with exact fields, one kind for each measure:
 * `pure` (ε-DP), `base2` (ε = η·ln 2), `zcdp` (ρ-zCDP), `renyi` (a curve) and `approx` ((ε, δ)-DP). With a `delta`,
 * `zcdp` and `renyi` are the δ-approximate forms: the bound holds but for an event of probability δ [BS16].
 * @module
 */
import { invalidParameter } from "../errors.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { type Extended, extended, isBounded } from "./extended.js";
import { probability } from "./parameters.js";
import { RenyiCurve } from "./renyi-curve.js";

export interface PureLoss {
  readonly measure: "pure";
  readonly epsilon: Extended;
}

export interface Base2Loss {
  readonly measure: "base2";
  /** ε = eta·ln 2. */
  readonly eta: Extended;
}

export interface ZcdpLoss {
  readonly measure: "zcdp";
  readonly rho: Extended;
  readonly delta?: Rational;
}

export interface RenyiLoss {
  readonly measure: "renyi";
  readonly curve: RenyiCurve;
  readonly delta?: Rational;
}

export interface ApproxLoss {
  readonly measure: "approx";
  readonly epsilon: Extended;
  readonly delta: Rational;
}

/** The kind of loss for each measure. */
export interface LossOf {
  readonly pure: PureLoss;
  readonly base2: Base2Loss;
  readonly zcdp: ZcdpLoss;
  readonly renyi: RenyiLoss;
  readonly approx: ApproxLoss;
}

export type Measure = keyof LossOf;
export type Loss = LossOf[Measure];

/** ε-differential privacy. */
export function pure(epsilon: RationalLike): PureLoss {
  return Object.freeze({ measure: "pure", epsilon: extended(epsilon, "epsilon") });
}

/** Pure differential privacy in base 2: a ratio of probabilities of at most 2^η. */
export function base2(eta: RationalLike): Base2Loss {
  return Object.freeze({ measure: "base2", eta: extended(eta, "eta") });
}

/** ρ-zero-concentrated differential privacy, or its δ-approximate form. */
export function zcdp(rho: RationalLike, delta: RationalLike = 0n): ZcdpLoss {
  return Object.freeze({ measure: "zcdp", rho: extended(rho, "rho"), ...failure(delta) });
}

/** Rényi differential privacy at every order, or its δ-approximate form. */
export function renyi(curve: RenyiCurve, delta: RationalLike = 0n): RenyiLoss {
  if (!(curve instanceof RenyiCurve)) throw invalidParameter("curve", "a RenyiCurve", curve);
  return Object.freeze({ measure: "renyi", curve, ...failure(delta) });
}

/** (ε, δ)-differential privacy. */
export function approx(epsilon: RationalLike, delta: RationalLike): ApproxLoss {
  return Object.freeze({
    measure: "approx",
    epsilon: extended(epsilon, "epsilon"),
    delta: probability(delta, "delta"),
  });
}

/** A δ of 0 is left out: such a loss is not approximate. */
function failure(delta: RationalLike): { delta?: Rational } {
  const chance = probability(delta, "delta");
  return chance.numerator === 0n ? {} : { delta: chance };
}

/** Whether anything is promised at all. */
export function isFiniteLoss(loss: Loss): boolean {
  switch (loss.measure) {
    case "base2":
      return isBounded(loss.eta);
    case "zcdp":
      return isBounded(loss.rho);
    case "renyi":
      return true;
    default:
      return isBounded(loss.epsilon);
  }
}
