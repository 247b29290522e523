/**
 * The Rényi curves of whole classes of mechanisms, each the exact worst case of its class.
 * Proofs: conversions.proof.md (pure, zCDP) and bounded-range.proof.md.
 * @module
 */

import { lnOf, zerosAfterPoint } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { nonNegativeRational, positiveRational, readOptions } from "../options.js";
import { failure, type LossOf, ownLoss } from "./loss.js";
import { rhoOfGaussian, rhoOfPure, rhoOfRange } from "./price.js";
import { RenyiCurve, readCurve } from "./renyi-curve.js";

/**
 * Rényi differential privacy at every order, or its δ-approximate form.
 *
 * @param curve The bound at each order.
 * @param delta The probability of an event for which the bound need not hold. Default 0.
 *
 * @example
 * ```ts
 * import { gaussianCurve, renyi } from "winnow-dp";
 *
 * const loss = renyi(gaussianCurve({ variance: 4 }));
 * loss.curve.at(2); // → 0.25
 * ```
 */
export function renyi(curve: RenyiCurve, delta: RationalLike = 0n): LossOf["renyi"] {
  return ownLoss({ measure: "renyi", curve: readCurve(curve, "curve"), ...failure(delta) });
}

/**
 * Any ε-DP mechanism: ε − ln((1 + e^−ε)/(1 + e^−(2α−1)ε))/(α − 1), which randomized response attains [BS16].
 *
 * @example
 * ```ts
 * import { pureCurve } from "winnow-dp";
 *
 * pureCurve(1).epsilon; // → 1
 * pureCurve(1).rho; // → 0.4621171572600098
 * ```
 */
export function pureCurve(epsilon: RationalLike): RenyiCurve {
  const size = nonNegativeRational("epsilon", epsilon);
  const formula = (alpha: Rational, precision: number): Interval => {
    const order = alpha.minus(1n);
    const onePlusExp = (exponent: Rational) => Interval.from(exponent.negated(), precision).exp().plus(1n);
    const ratio = onePlusExp(size).dividedBy(onePlusExp(alpha.plus(order).times(size)));
    return Interval.from(size, precision).minus(ratio.ln().dividedBy(order));
  };
  return RenyiCurve.of(formula, { epsilon: size, rho: rhoOfPure(size) });
}

/**
 * Any mechanism of bounded range ε, such as the exponential mechanism: at most ε²α/8, and at most the curve of ε-DP.
 *
 * Between neighbours, the logarithms of the ratios of all answers' probabilities lie in one interval of length ε. The
 * exponential mechanism and noisy max with Gumbel noise are such; permute-and-flip, exponential and Laplace noise are
 * **not**.
 *
 * @example
 * ```ts
 * import { boundedRangeCurve } from "winnow-dp";
 *
 * boundedRangeCurve(1).rho; // → 0.1233015614822446
 * ```
 */
export function boundedRangeCurve(epsilon: RationalLike): RenyiCurve {
  const size = nonNegativeRational("epsilon", epsilon);
  if (size.numerator === 0n) return zcdpCurve(0n);
  const formula = (alpha: Rational, precision: number): Interval => {
    const order = alpha.minus(1n);
    // 1 − e^−x is at least x/2 for x ≤ 1: as many of its leading digits may be zeros as of x/2.
    const bits = [order, size, order.times(size)].reduce((sum, x) => sum + zerosAfterPoint(x), precision);
    const lnOneMinusExp = (x: Rational) => Interval.from(x.negated(), bits).exp().negated().plus(1n).ln();
    const whole = lnOneMinusExp(alpha.times(size));
    const top = lnOf(order.dividedBy(alpha), bits)
      .plus(whole)
      .minus(lnOneMinusExp(order.times(size)))
      .plus(size);
    const rest = whole.minus(lnOf(alpha, bits)).minus(lnOneMinusExp(size));
    return top.plus(rest.dividedBy(order)).withPrecision(precision);
  };
  return RenyiCurve.of(formula, { epsilon: size, rho: rhoOfRange(size) });
}

/**
 * ρ-zCDP: the line ρα.
 *
 * @example
 * ```ts
 * import { zcdpCurve } from "winnow-dp";
 *
 * zcdpCurve("1/8").at(4); // → 0.5
 * ```
 */
export function zcdpCurve(rho: RationalLike): RenyiCurve {
  return RenyiCurve.line(nonNegativeRational("rho", rho));
}

/**
 * Gaussian noise, and the value that it hides.
 *
 * @inline
 */
export interface GaussianOptions {
  /** How far one individual can move the value, or the vector in the Euclidean norm. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** σ² of the noise. */
  readonly variance: RationalLike;
}

/**
 * Gaussian noise: the line α·sensitivity²/(2σ²); for discrete Gaussian noise on integers too [CKS20].
 *
 * @param options The variance of the noise, and how far one individual can move the value.
 *
 * @example
 * ```ts
 * import { gaussianCurve } from "winnow-dp";
 *
 * gaussianCurve({ variance: 4 }).at(8); // → 1
 * ```
 */
export function gaussianCurve(options: GaussianOptions): RenyiCurve {
  const read = readOptions(options, { variance: positiveRational }, { sensitivity: nonNegativeRational });
  const distance = rational(read.sensitivity ?? 1n);
  return zcdpCurve(rhoOfGaussian(distance, rational(read.variance)));
}
