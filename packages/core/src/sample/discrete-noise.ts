/**
 * `discreteLaplace(scale)`: x = 0, ±1, ±2, … with P(x) = (1 − a)/(1 + a)·a^|x|, a = e^(−1/scale), for any
 * rational scale > 0: a geometric variate with a fair sign, −0 drawn again [CKS20, Alg 2].
 *
 * For many draws at one scale, `DiscreteLaplace` is faster. Cost: 33 bits at large scales, 34.6 at scale 10, 58 at
 * scale 1/2, where −0 is common; beyond 10⁷ as for `geometric`. Proof: docs/proofs/discrete-laplace.md.
 * @module
 */
import { Entropy, withEntropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { abs, integerSqrt } from "../exact/integers.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { positiveRational, typedArray } from "../validate.js";
import { drawBernoulliExp } from "./bernoulli-exp.js";
import { drawGeometric } from "./geometric.js";
import { StripSampler } from "./strip-sampler.js";
import type { LogQuadratic } from "./strips.js";

/**
 * Integer noise with P(x) proportional to e^(−|x|/scale).
 *
 * Proof: docs/proofs/discrete-laplace.md.
 *
 * @param scale A rational > 0.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 */
export function discreteLaplace(scale: RationalLike, entropy?: Entropy): bigint {
  const checked = positiveRational("scale", scale);
  return withEntropy(entropy, (bits) => drawDiscreteLaplace(checked, bits));
}

/** `discreteLaplace` for a checked scale. */
export function drawDiscreteLaplace(scale: Rational, entropy: Entropy): bigint {
  for (;;) {
    const magnitude = drawGeometric(scale, entropy);
    const negative = entropy.bit() === 1;
    if (!negative) return magnitude;
    if (magnitude > 0n) return -magnitude; // −0 would give zero twice its share
  }
}

/*
 * `discreteGaussian(σ²)`: x = 0, ±1, ±2, … with P(x) proportional to e^(−x²/2σ²), for any rational σ² > 0.
 * It takes the variance parameter and not σ, because σ is irrational where the accounting is rational.
 *
 * Rejection from a discrete Laplace variate of scale ⌊σ⌋ + 1 [CKS20, Alg 3]. For many draws at one σ²,
 * `DiscreteGaussian` is faster. Cost: 1.3 to 2.3 proposals with a word to accept each: 85.5 bits at large σ, 88 at
 * σ = 10, 135 at 1, 154 at 1/2. Proof: docs/proofs/discrete-gaussian.md.
 */

/**
 * Integer noise with P(x) proportional to e^(−x²/(2·sigmaSquared)).
 *
 * Proof: docs/proofs/discrete-gaussian.md.
 *
 * @param sigmaSquared The parameter σ², a rational > 0.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 */
export function discreteGaussian(sigmaSquared: RationalLike, entropy?: Entropy): bigint {
  const checked = positiveRational("sigmaSquared", sigmaSquared);
  return withEntropy(entropy, (bits) => drawDiscreteGaussian(checked, bits));
}

/** `discreteGaussian` for a checked σ². */
export function drawDiscreteGaussian({ numerator: N, denominator: D }: Rational, entropy: Entropy): bigint {
  const t = integerSqrt(N / D) + 1n;
  const scale = Rational.of(t);
  for (;;) {
    const proposal = drawDiscreteLaplace(scale, entropy);
    const distance = abs(proposal) * D * t - N; // (|x| − σ²/t)·Dt
    if (drawBernoulliExp(Rational.of(distance * distance, 2n * N * D * t * t), entropy)) return proposal;
  }
}

/*
 * Prepared samplers: tables for one parameter, then about ten nanoseconds a draw. `Geometric`, `DiscreteLaplace` and
 * `DiscreteGaussian` have the laws of the functions of the same names and return numbers. Scales above 2^40 are for
 * those functions; up to there a draw beyond the safe integers, which is refused, has a probability below e^−8000.
 *
 * Cost and proof: `StripSampler`, docs/proofs/strip-sampler.md.
 */

abstract class Prepared {
  readonly #strips: StripSampler;

  protected constructor(law: LogQuadratic, signed: boolean) {
    this.#strips = new StripSampler(law, { signed });
  }

  /** One draw. For many, keep one entropy: each call without one fetches and wipes its own. */
  sample(entropy?: Entropy): number {
    return entropy instanceof Entropy ? this.#strips.sample(entropy) : this.#sampleOnce(entropy);
  }

  /** Apart from `sample`, in which the closure would be made for every draw. */
  #sampleOnce(entropy: Entropy | undefined): number {
    return withEntropy(entropy, (bits) => this.#strips.sample(bits));
  }

  /**
   * Fills the array with independent draws and returns it. If an `Int32Array` cannot hold one of them, it is
   * zeroed and the error's code is `sample-out-of-range`.
   */
  fill<A extends Int32Array | Float64Array>(target: A, entropy?: Entropy): A {
    typedArray("target", target, "Int32Array", "Float64Array");
    return withEntropy(entropy, (bits) => this.#strips.fill(target, bits));
  }
}

/**
 * `geometric` prepared for one rate: y = 0, 1, 2, … with probability proportional to e^(−rate·y).
 *
 * A draw takes about ten nanoseconds (docs/benchmarks.md). Proof: docs/proofs/strip-sampler.md.
 */
export class Geometric extends Prepared {
  /** Makes the tables for a rate of at least 2^−40. */
  constructor(rate: RationalLike) {
    const linear = positiveRational("rate", rate);
    if (linear.compare(SMALLEST_RATE) < 0) throw invalidParameter("rate", "a rational >= 2^-40", rate);
    super({ linear, quadratic: Rational.ZERO }, false);
  }
}

/**
 * `discreteLaplace` prepared for one scale: x = 0, ±1, ±2, … with probability proportional to e^(−|x|/scale).
 *
 * A draw takes about ten nanoseconds (docs/benchmarks.md). Proof: docs/proofs/strip-sampler.md.
 */
export class DiscreteLaplace extends Prepared {
  /** Makes the tables for a scale of at most 2^40. */
  constructor(scale: RationalLike) {
    const checked = positiveRational("scale", scale);
    if (checked.compare(LARGEST_SCALE) > 0) throw invalidParameter("scale", "a rational <= 2^40", scale);
    super({ linear: Rational.ONE.dividedBy(checked), quadratic: Rational.ZERO }, true);
  }
}

/**
 * `discreteGaussian` prepared for one variance: x = 0, ±1, ±2, … with probability proportional to
 * e^(−x²/(2·sigmaSquared)).
 *
 * A draw takes about ten nanoseconds (docs/benchmarks.md). Proof: docs/proofs/strip-sampler.md.
 */
export class DiscreteGaussian extends Prepared {
  /** Makes the tables for a variance σ² of at most 2^80. */
  constructor(sigmaSquared: RationalLike) {
    const checked = positiveRational("sigmaSquared", sigmaSquared);
    if (checked.compare(LARGEST_SCALE * LARGEST_SCALE) > 0)
      throw invalidParameter("sigmaSquared", "a rational <= 2^80", sigmaSquared);
    super({ linear: Rational.ZERO, quadratic: Rational.ONE.dividedBy(checked.times(2n)) }, true);
  }
}

const LARGEST_SCALE = 1n << 40n;
const SMALLEST_RATE = Rational.of(1n, LARGEST_SCALE);
