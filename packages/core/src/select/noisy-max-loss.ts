/**
 * `noisyMaxLoss`: what it costs to report the index of the largest noisy score and nothing else, in every measure in which
 * the noise has a guarantee. With r = Δ if `monotone` and 2Δ if not, and m candidates:
 *
 *   noise              pure ε   zCDP ρ        Rényi curve
 *   exponential of β   r/β      (r/β)²/2      that of any ε-DP mechanism
 *   Laplace of b       r/b      (r/b)²/2      that of any ε-DP mechanism
 *   Gumbel of τ        r/τ      (r/τ)²/8      that of bounded range ε
 *   Gaussian of σ²     none     m·r²/(8σ²)    min(α·r²/(2σ²) + ln m/(α − 1), α·m·r²/(8σ²))
 *
 * Proof: docs/proofs/report-noisy-max.md.
 * @module
 */

import { boundedRangeCurve, pureCurve, renyi } from "../accounting/curve.js";
import { isBounded } from "../accounting/extended.js";
import { type PureLoss, pure, type RenyiLoss, type ZcdpLoss, zcdp } from "../accounting/loss.js";
import { gaussianMaxCurve } from "../accounting/noisy-max-curve.js";
import type { RenyiCurve } from "../accounting/renyi-curve.js";
import type { Rational } from "../exact/rational.js";
import { boolean, integer, positiveRational, readOptions } from "../options.js";
import { type GaussianNoise, type NoisyMaxNoise, readNoise, type ScaledNoise } from "./noisy-max-noise.js";
import { rangeOf, type SelectionOptions } from "./options.js";

/** The noise, and how one individual can move scores. */
export type NoisyMaxLossOptions = NoisyMaxNoise & Pick<SelectionOptions, "sensitivity" | "monotone">;

/** One guarantee in up to three measures. */
export interface NoisyMaxLoss {
  /** As ε; not with Gaussian noise. */
  readonly pure?: PureLoss;
  /** As ρ. */
  readonly zcdp: ZcdpLoss;
  /** As a curve, which composes best where the noise is Gaussian. */
  readonly renyi: RenyiLoss;
}

/**
 * What `reportNoisyMax` costs with this noise, in every measure in which the noise has a guarantee.
 *
 * With r = Δ if `monotone` and 2Δ if not: noise of a scale b is r/b-DP and (r/b)²/2-zCDP, Gumbel noise (r/b)²/8-zCDP.
 * Proof: docs/proofs/report-noisy-max.md.
 *
 * @example
 * ```ts
 * import { noisyMaxLoss } from "winnow-dp";
 *
 * const { pure, zcdp } = noisyMaxLoss({ noise: "gumbel", scale: 2 });
 * pure?.epsilon; // → 1
 * zcdp.rho; // → 0.125
 * ```
 */
export function noisyMaxLoss(options: NoisyMaxLossOptions): NoisyMaxLoss {
  const read = readOptions<AllOptions>(options, { noise: readNoise }, READERS);
  const curve = curveOf(read as NoisyMaxNoise, rangeOf(read));
  const { epsilon, rho } = curve;
  return { ...(isBounded(epsilon) && { pure: pure(epsilon) }), zcdp: zcdp(rho), renyi: renyi(curve) };
}

type AllOptions = Pick<NoisyMaxNoise, "noise"> &
  Partial<ScaledNoise | GaussianNoise> &
  Pick<SelectionOptions, "sensitivity" | "monotone">;

const READERS = {
  sensitivity: positiveRational,
  monotone: boolean,
  scale: positiveRational,
  variance: positiveRational,
  maxCandidates: integer,
};

function curveOf(options: NoisyMaxNoise, range: Rational): RenyiCurve {
  switch (options.noise) {
    case "exponential":
    case "laplace":
      return pureCurve(range.dividedBy(positiveRational("scale", options.scale)));
    case "gumbel":
      return boundedRangeCurve(range.dividedBy(positiveRational("scale", options.scale)));
    default: {
      const maxCandidates = integer("maxCandidates", options.maxCandidates);
      const variance = positiveRational("variance", options.variance);
      return gaussianMaxCurve({ distance: range, maxCandidates, variance });
    }
  }
}
