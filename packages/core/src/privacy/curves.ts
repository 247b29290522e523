/**
 * The Rényi curves of whole classes of mechanisms, each the exact worst case of its class.
 * Proofs: docs/proofs/conversions.md (pure, zCDP) and docs/proofs/bounded-range.md.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { bigInteger, nonNegativeRational, positiveRational, readOptions } from "../validate.js";
import { RenyiCurve, readCurve } from "./renyi-curve.js";
import { lnOf, zerosAfterPoint } from "./rounding.js";

/**
 * Any ε-DP mechanism: ε − ln((1 + e^−ε)/(1 + e^−(2α−1)ε))/(α − 1), which randomized response attains [BS16].
 *
 * @example
 * ```ts
 * import { pureCurve } from "winnow-dp";
 *
 * pureCurve(1).epsilon; // → 1
 * pureCurve(1).rho; // → 0.5
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
  return RenyiCurve.of(formula, { epsilon: size, rho: size.times(size).dividedBy(2n) });
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
 * boundedRangeCurve(1).rho; // → 0.125
 * ```
 */
export function boundedRangeCurve(epsilon: RationalLike): RenyiCurve {
  const size = nonNegativeRational("epsilon", epsilon);
  if (size.numerator === 0n) return zcdpCurve(0n);
  const formula = (alpha: Rational, precision: number): Interval => {
    const order = alpha.minus(1n);
    // 1 − e^−x is at least x/2 for x ≤ 1: so many of its leading digits may be zeros.
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
  return RenyiCurve.of(formula, { epsilon: size, rho: size.times(size).dividedBy(8n) });
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

/** Gaussian noise, and the value that it hides. */
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
  return zcdpCurve(distance.times(distance).dividedBy(rational(read.variance).times(2n)));
}

/*
 * The Rényi curves of reporting only the index of the largest noisy score. Proof: docs/proofs/conversions.md.
 */

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
  readonly outcomes: number | bigint;
  /** How far one individual can move any score against another: 2Δ, or Δ where scores are monotone. */
  readonly range: RationalLike;
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
 * gaussianMaxCurve({ range: 2, outcomes: 10, variance: 100 }).rho; // → 0.05
 * ```
 */
export function gaussianMaxCurve(options: GaussianMaxOptions): RenyiCurve {
  const read = readOptions(
    options,
    { outcomes: bigInteger, range: nonNegativeRational, variance: positiveRational },
    {},
  );
  const [outcomes, range] = [BigInt(read.outcomes), rational(read.range)];
  const rho = range.times(range).dividedBy(rational(read.variance).times(2n));
  return noisyMaxCurve(zcdpCurve(rho), outcomes).min(zcdpCurve(rho.times(outcomes).dividedBy(4n)));
}
