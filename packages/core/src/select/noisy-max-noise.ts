/**
 * The noise of `reportNoisyMax`: of what kind, and from a budget how much of it.
 * @module
 */

import { scaleAtLeast, varianceAtLeast } from "../accounting/least-noise.js";
import { pure, zcdp } from "../accounting/loss.js";
import type { Budgets, LooseSpend, Spend } from "../accounting/spend.js";
import { invalidParameter } from "../errors.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { exactlyOneOf, oneOf, positiveRational, readOptions } from "../options.js";
import { usualScale } from "./options.js";

/** What noise is called. */
export interface Law<Name> {
  /** The law of the noise. */
  readonly noise: Name;
}

/** Noise that has a scale. */
export type ScaledNoise = Law<"exponential" | "gumbel" | "laplace"> & Pick<Budgets, "scale">;

/** Gaussian noise, whose cost depends on the number of candidates. */
export interface GaussianNoise extends Law<"gaussian">, Pick<Budgets, "variance"> {
  /** How many candidates there are. */
  readonly maxCandidates: number;
}

/** Noise of some kind and size. */
export type NoisyMaxNoise = ScaledNoise | GaussianNoise;

/**
 * The budgets of noise: ε and a scale are accounted for as pure ε, ρ and a variance as ρ.
 *
 * @inline
 */
export type NoiseSize = "epsilon" | "rho" | "scale" | "variance";

/** The noise that a budget may be spent on: all for ρ, Gaussian noise for a variance, the others for ε and a scale. */
export type NoiseFor<Name extends NoiseSize> = Name extends "variance"
  ? "gaussian"
  : Name extends "rho"
    ? NoisyMaxNoise["noise"]
    : ScaledNoise["noise"];

/**
 * A kind of noise, and exactly one of `epsilon`, `rho`, `scale` and `variance`, which says how much of it.
 *
 * @typeParam Names Those that it may be.
 */
export type NoisyMaxBudget<Names extends NoiseSize = NoiseSize> = {
  [Name in Names]: Law<NoiseFor<Name>> & Spend<Name>;
}[Names];

/** A kind of noise and a budget for it, before it is known that just one is given. */
export type LooseNoise = Pick<NoisyMaxNoise, "noise"> & LooseSpend<NoiseSize>;

/** The noise for one selection among `candidates` whose scores move by `range` against each other. */
export function noiseWithin(budget: LooseNoise, range: Rational, candidates: number): NoisyMaxNoise {
  switch (budget.noise) {
    case "exponential":
    case "gumbel":
    case "laplace":
      return { noise: budget.noise, scale: usualScale(scaleWithin(budget, range)) };
    default:
      readNoise("noise", budget.noise);
      return {
        noise: "gaussian",
        variance: varianceWithin(budget, range, candidates),
        maxCandidates: candidates,
      };
  }
}

/** The reader of the law of the noise. */
export const readNoise = oneOf("exponential", "gumbel", "laplace", "gaussian");

/** The readers of what says how much noise there is. */
export const NOISE_SIZES = {
  epsilon: positiveRational,
  rho: positiveRational,
  scale: positiveRational,
  variance: positiveRational,
};

/** The reader of a budget for noise. */
export function noisyMaxBudget(field: string, value: LooseNoise): LooseNoise {
  return readOptions(value, { noise: readNoise }, NOISE_SIZES, field);
}

function scaleWithin({ noise, epsilon, rho, scale, variance }: LooseNoise, range: Rational): Rational {
  if (variance !== undefined)
    throw invalidParameter("variance", `absent with ${noise} noise, which has a scale`, variance);
  exactlyOneOf({ epsilon, rho, scale });
  if (scale !== undefined) return positiveRational("scale", scale);
  if (epsilon !== undefined)
    return scaleAtLeast(pure(positiveRational("epsilon", epsilon)), { distance: range });
  const target = zcdp(positiveRational("rho", rho as RationalLike));
  return scaleAtLeast(target, { distance: range, class: noise === "gumbel" ? "bounded-range" : "pure" });
}

/** m·r²/(8ρ): the noisy scores together, after a shift of all by half the range, which the index does not notice. */
function varianceWithin(
  { epsilon, rho, scale, variance }: LooseNoise,
  range: Rational,
  candidates: number,
): Rational {
  if (epsilon !== undefined)
    throw invalidParameter("epsilon", "absent with gaussian noise, which has no pure guarantee", epsilon);
  if (scale !== undefined)
    throw invalidParameter("scale", "absent with gaussian noise, which has a variance", scale);
  exactlyOneOf({ rho, variance });
  if (variance !== undefined) return positiveRational("variance", variance);
  const target = zcdp(positiveRational("rho", rho as RationalLike));
  return varianceAtLeast(target, { sensitivity: range.dividedBy(2n), rounds: candidates });
}
