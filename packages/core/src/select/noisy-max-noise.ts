/**
 * The noise of `reportNoisyMax`: of what kind, and from a budget how much of it.
 * @module
 */

import { invalidParameter } from "../errors.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { pure, zcdp } from "../privacy/loss.js";
import { scaleAtLeast, varianceAtLeast } from "../privacy/noise-size.js";
import { exactlyOneOf, oneOf, positiveRational, readOptions } from "../validate.js";
import { usualScale } from "./options.js";

/** Noise of some kind and size. */
export type NoisyMaxNoise = ScaledNoise | GaussianNoise;

/** Noise that has a scale. */
export interface ScaledNoise {
  /** The law of the noise. */
  readonly noise: "exponential" | "gumbel" | "laplace";
  /** The scale of the noise, in units of the scores. */
  readonly scale: RationalLike;
}

/** Gaussian noise, whose cost depends on the number of candidates. */
export interface GaussianNoise {
  /** The law of the noise. */
  readonly noise: "gaussian";
  /** σ² of the noise. */
  readonly variance: RationalLike;
  /** How many candidates there are. */
  readonly candidates: number;
}

/** A kind of noise, and exactly one of the others to say how much. */
export interface NoisyMaxBudget {
  /** The law of the noise. */
  readonly noise: NoisyMaxNoise["noise"];
  /** Pure differential privacy; not with Gaussian noise. */
  readonly epsilon?: RationalLike | undefined;
  /** Zero-concentrated differential privacy. */
  readonly rho?: RationalLike | undefined;
  /** The scale of the noise, in units of the scores; not with Gaussian noise. */
  readonly scale?: RationalLike | undefined;
  /** σ² of Gaussian noise. */
  readonly variance?: RationalLike | undefined;
}

/** The noise for one selection among `candidates` whose scores move by `range` against each other. */
export function noiseWithin(budget: NoisyMaxBudget, range: Rational, candidates: number): NoisyMaxNoise {
  switch (budget.noise) {
    case "exponential":
    case "gumbel":
    case "laplace":
      return { noise: budget.noise, scale: usualScale(scaleWithin(budget, range)) };
    default:
      readNoise("noise", budget.noise);
      return { noise: "gaussian", variance: varianceWithin(budget, range, candidates), candidates };
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
export function noisyMaxBudget(field: string, value: NoisyMaxBudget): NoisyMaxBudget {
  return readOptions(value, { noise: readNoise }, NOISE_SIZES, field);
}

function scaleWithin({ noise, epsilon, rho, scale, variance }: NoisyMaxBudget, range: Rational): Rational {
  if (variance !== undefined)
    throw invalidParameter("variance", `absent with ${noise} noise, which has a scale`, variance);
  exactlyOneOf({ epsilon, rho, scale });
  if (scale !== undefined) return positiveRational("scale", scale);
  if (epsilon !== undefined) return scaleAtLeast(pure(positiveRational("epsilon", epsilon)), { range });
  const target = zcdp(positiveRational("rho", rho as RationalLike));
  return scaleAtLeast(target, { range, boundedRange: noise === "gumbel" });
}

/** m·r²/(8ρ): the noisy scores together, after a shift of all by half the range, which the index does not notice. */
function varianceWithin(
  { epsilon, rho, scale, variance }: NoisyMaxBudget,
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
  return varianceAtLeast(target, { sensitivity: range.dividedBy(2n), times: candidates });
}
