/**
 * The Rényi curves of reporting only the index of the largest noisy score. Proofs: conversions.proof.md, and for the
 * Laplace curve price.proof.md.
 * @module
 */

import { zerosAfterPoint } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { bigInteger, nonNegativeRational, positiveRational, readOptions } from "../options.js";
import { zcdpCurve } from "./curve.js";
import { rhoOfGaussian, rhoOfNoisyMax } from "./price.js";
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

/**
 * Reporting only the index of the largest score with exponential, Laplace or Gumbel noise of scale β, at x = r/β, with
 * r = 2Δ, or Δ where scores are monotone: ln((α·e^((α−1)x) + (α−1)·e^(−αx))/(2α − 1))/(α − 1), the curve of the Laplace
 * mechanism at distance x. It is below that of ε-DP with ε = x, and permute-and-flip has it too.
 *
 * Only the index of **one** winner: top k in one shot with k ≥ 2 and anything with a gap have the curve of ε-DP.
 *
 * @param distance x, how far one individual can move two scores against each other, in units of the noise's scale.
 *
 * @example
 * ```ts
 * import { laplaceCurve } from "winnow-dp";
 *
 * laplaceCurve(1).epsilon; // → 1
 * laplaceCurve(1).rho; // → 0.367879441171443
 * ```
 */
export function laplaceCurve(distance: RationalLike): RenyiCurve {
  const x = nonNegativeRational("distance", distance);
  if (x.numerator === 0n) return zcdpCurve(0n);
  const formula = (alpha: Rational, precision: number): Interval => {
    const order = alpha.minus(1n);
    // As x + ln((α + (α − 1)·e^(−(2α−1)x))/(2α − 1))/(α − 1): nothing overflows, and near α = 1 and x = 0 digits cancel.
    const bits = precision + 2 * (zerosAfterPoint(order) + zerosAfterPoint(x));
    const odds = alpha.plus(order);
    const rest = Interval.from(odds.times(x).negated(), bits).exp().times(order);
    const mean = rest.plus(alpha).dividedBy(odds);
    return mean.ln().dividedBy(order).plus(x).withPrecision(precision);
  };
  return RenyiCurve.of(formula, { epsilon: x, rho: rhoOfNoisyMax(x) });
}
