/**
 * Privacy losses as plain frozen values with exact fields, one kind for each measure:
 * `pure` (ε-DP), `base2` (ε = η·ln 2), `zcdp` (ρ-zCDP), `renyi` (a curve) and `approx` ((ε, δ)-DP). With a `delta`,
 * `zcdp` and `renyi` are the δ-approximate forms: the bound holds except for an event of probability δ [BS16].
 *
 * Only the functions of this file make losses, and they remember which they made. Losses from elsewhere (JSON, a clone, a
 * second copy of Winnow) are read in loss-json.ts.
 * @module
 */

import type { Rational, RationalLike } from "../exact/rational.js";
import { probability } from "../options.js";
import { type Extended, extended, isBounded, ownRational } from "./extended.js";
import type { RenyiCurve } from "./renyi-curve.js";

/**
 * The kind of loss for each measure.
 *
 * @typeParam Size `Rational` where the loss is always a number: the loss of a budget never is `Infinity`.
 */
export interface LossOf<Size extends Extended = Extended> {
  /** ε-differential privacy: no answer is more than e^ε times as likely on one data set as on a neighbouring one. */
  readonly pure: {
    /** Names the measure. */
    readonly measure: "pure";
    /** ε, or Infinity where nothing is promised. */
    readonly epsilon: Size;
  };
  /**
   * Pure differential privacy in base 2: no answer is more than 2^η times as likely on one data set as on a neighbouring
   * one.
   */
  readonly base2: {
    /** Names the measure. */
    readonly measure: "base2";
    /** η, or Infinity where nothing is promised. ε = eta·ln 2. */
    readonly eta: Size;
  };
  /** ρ-zero-concentrated differential privacy, or with a `delta` its δ-approximate form [BS16]. */
  readonly zcdp: {
    /** Names the measure. */
    readonly measure: "zcdp";
    /** ρ, or Infinity where nothing is promised. */
    readonly rho: Size;
    /** The probability of an event for which the bound need not hold; left out where it is 0. */
    readonly delta?: Rational;
  };
  /** Rényi differential privacy at every order, or with a `delta` its δ-approximate form. */
  readonly renyi: {
    /** Names the measure. */
    readonly measure: "renyi";
    /** The bound at each order α > 1. */
    readonly curve: RenyiCurve;
    /** The probability of an event for which the bound need not hold; left out where it is 0. */
    readonly delta?: Rational;
  };
  /** (ε, δ)-differential privacy: ε-DP except for an excess of at most δ. */
  readonly approx: {
    /** Names the measure. */
    readonly measure: "approx";
    /** ε, or Infinity where nothing is promised. */
    readonly epsilon: Size;
    /** δ, from 0 to 1. */
    readonly delta: Rational;
  };
}

/** The size of a loss of this parameter: `Infinity` is a number, but not one that can be written down. */
type SizeOf<Given extends RationalLike> = number extends Given ? Extended : Rational;

/** The measures of privacy loss by their names. */
export type Measure = keyof LossOf;

/** A privacy loss in any measure: a plain frozen value with exact fields, which `measure` tells apart. */
export type Loss = LossOf[Measure];

/** The losses made here. No other code can add to it, so a lookalike is not taken for one. */
const made = new WeakSet<object>();

/** Whether a function of this file made the value. */
export function isMadeHere(value: unknown): value is Loss {
  return typeof value === "object" && value !== null && made.has(value);
}

/**
 * ε-differential privacy.
 *
 * @param epsilon A rational ≥ 0, or Infinity where nothing is promised.
 *
 * @example
 * ```ts
 * import { pure } from "winnow-dp";
 *
 * pure("1/3"); // → { measure: "pure", epsilon: 1/3 }
 * pure(-1); // → throws epsilon must be a rational >= 0, or Infinity; got -1
 * ```
 */
export function pure<const Given extends RationalLike>(epsilon: Given): LossOf<SizeOf<Given>>["pure"];

export function pure(epsilon: RationalLike): LossOf["pure"] {
  return ownLoss({ measure: "pure", epsilon: extended(epsilon, "epsilon") });
}

/**
 * Pure differential privacy in base 2: a ratio of probabilities of at most 2^η.
 *
 * @param eta A rational ≥ 0, or Infinity where nothing is promised.
 *
 * @example
 * ```ts
 * import { base2, convert } from "winnow-dp";
 *
 * base2(2); // → { measure: "base2", eta: 2 }
 * convert(base2(1), { to: "pure" }).epsilon; // → 0.693147180559946
 * ```
 */
export function base2<const Given extends RationalLike>(eta: Given): LossOf<SizeOf<Given>>["base2"];

export function base2(eta: RationalLike): LossOf["base2"] {
  return ownLoss({ measure: "base2", eta: extended(eta, "eta") });
}

/**
 * ρ-zero-concentrated differential privacy, or its δ-approximate form.
 *
 * @param rho A rational ≥ 0, or Infinity where nothing is promised.
 * @param delta The probability of an event for which the bound need not hold. Default 0.
 *
 * @example
 * ```ts
 * import { zcdp } from "winnow-dp";
 *
 * zcdp("0.1"); // → { measure: "zcdp", rho: 0.1 }
 * zcdp("0.1", "1e-6"); // → { measure: "zcdp", rho: 0.1, delta: 0.000001 }
 * ```
 */
export function zcdp<const Given extends RationalLike>(
  rho: Given,
  delta?: RationalLike,
): LossOf<SizeOf<Given>>["zcdp"];

export function zcdp(rho: RationalLike, delta: RationalLike = 0n): LossOf["zcdp"] {
  return ownLoss({ measure: "zcdp", rho: extended(rho, "rho"), ...failure(delta) });
}

/**
 * (ε, δ)-differential privacy.
 *
 * @param epsilon A rational ≥ 0, or Infinity where nothing is promised.
 * @param delta From 0 to 1.
 *
 * @example
 * ```ts
 * import { approx } from "winnow-dp";
 *
 * approx(1, "1e-6"); // → { measure: "approx", epsilon: 1, delta: 0.000001 }
 * ```
 */
export function approx<const Given extends RationalLike>(
  epsilon: Given,
  delta: RationalLike,
): LossOf<SizeOf<Given>>["approx"];

export function approx(epsilon: RationalLike, delta: RationalLike): LossOf["approx"] {
  return ownLoss({
    measure: "approx",
    epsilon: extended(epsilon, "epsilon"),
    delta: probability("delta", ownRational(delta, "delta")),
  });
}

/** A loss of numbers that are our own, `Rational`s or Infinity: nothing is read or copied. */
export function ownLoss<L extends Loss>(loss: L): L {
  // JSON has no Infinity and would write null: an unbounded loss says itself how it is written.
  if (!isFiniteLoss(loss)) Object.defineProperty(loss, "toJSON", { value: () => exactTexts(loss) });
  made.add(loss);
  return Object.freeze(loss);
}

/** The fields of a loss that has no curve, each number as exact text. */
export function exactTexts(loss: Loss): Record<string, string> {
  return Object.fromEntries(Object.entries(loss).map(([name, part]) => [name, String(part)]));
}

/** A δ of 0 is left out: such a loss is not approximate. */
export function failure(delta: RationalLike): { delta?: Rational } {
  const chance = probability("delta", ownRational(delta, "delta"));
  return chance.numerator === 0n ? {} : { delta: chance };
}

/** Whether anything is promised at all. */
export function isFiniteLoss(loss: Loss): boolean {
  if (loss.measure === "renyi") return true;
  return isBounded(loss.measure === "base2" ? loss.eta : loss.measure === "zcdp" ? loss.rho : loss.epsilon);
}
