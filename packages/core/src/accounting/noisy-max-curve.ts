/**
 * The Rényi curves of reporting only the index of the largest noisy score. Proof: docs/proofs/conversions.md.
 * @module
 */

import { Interval } from "../exact/interval.js";
import { type RationalLike, rational } from "../exact/rational.js";
import { bigInteger, nonNegativeRational, positiveRational, readOptions } from "../options.js";
import { zcdpCurve } from "./curve.js";
import { rhoOfGaussian } from "./price.js";
import { RenyiCurve, readCurve } from "./renyi-curve.js";

/**
 * Reporting the index of the largest noisy score: noise(α) + ln(outcomes)/(α − 1).
 *
 * There `noise` is the curve of the noise on one score that moves by the range distance of all scores: 2Δ, or Δ where
 * they are monotone [ZW22, Thm 8]. Composed T times, the logarithm counts T times.
 *
 * @param noise The curve of the noise on one score.
 * @param outcomes How many candidates there are.
 *
 * @example
 * ```ts
 * import { gaussianCurve, noisyMaxCurve } from "winnow-dp";
 *
 * const curve = noisyMaxCurve(gaussianCurve({ variance: 100 }), 10);
 * curve.at(20).toNumber("up"); // → 0.22118868910494982
 * ```
 */
export function noisyMaxCurve(noise: RenyiCurve, outcomes: number | bigint): RenyiCurve {
  const count = bigInteger("outcomes", outcomes);
  return readCurve(noise, "noise").plus(
    RenyiCurve.of((alpha, precision) => Interval.from(count, precision).ln().dividedBy(alpha.minus(1n))),
  );
}

/** Noisy max with Gaussian noise: among how many, how far their scores move, and how large the noise is. */
export interface GaussianMaxOptions {
  /** How many candidates there are. */
  readonly maxCandidates: number | bigint;
  /** How far one individual can move any score against another: 2Δ, or Δ where scores are monotone. */
  readonly distance: RationalLike;
  /** σ² of the noise. */
  readonly variance: RationalLike;
}

/**
 * Noisy max with Gaussian noise: at each order the smaller of two valid bounds.
 *
 * They are that of `noisyMaxCurve` and α·outcomes·range²/(8σ²). The latter is that of releasing every noisy score,
 * after all of them are shifted alike by half the range, which the index does not notice.
 *
 * @example
 * ```ts
 * import { gaussianMaxCurve } from "winnow-dp";
 *
 * gaussianMaxCurve({ distance: 2, maxCandidates: 10, variance: 100 }).rho; // → 0.05
 * ```
 */
export function gaussianMaxCurve(options: GaussianMaxOptions): RenyiCurve {
  const read = readOptions(
    options,
    { maxCandidates: bigInteger, distance: nonNegativeRational, variance: positiveRational },
    {},
  );
  const [outcomes, range] = [BigInt(read.maxCandidates), rational(read.distance)];
  const rho = rhoOfGaussian(range, rational(read.variance));
  return noisyMaxCurve(zcdpCurve(rho), outcomes).min(zcdpCurve(rho.times(outcomes).dividedBy(4n)));
}
