/**
 * Prepared samplers: tables for one parameter, then about ten nanoseconds per draw. `Geometric`, `DiscreteLaplace` and
 * `DiscreteGaussian` have the laws of the functions of the same names and return numbers. Scales above 2^40 are for
 * those functions; up to there a draw beyond the safe integers, which is refused, has a probability below e^−8000.
 *
 * Cost and proof: `StripSampler`, strip-sampler.proof.md.
 * @module
 */
import { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { positiveRational, typedArray } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { StripSampler } from "./strip-sampler.js";
import type { LogQuadratic } from "./strips.js";

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
 * A draw takes about ten nanoseconds (docs/benchmarks.md). Proof: strip-sampler.proof.md.
 *
 * @example
 * ```ts
 * import { Geometric } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const waits = new Geometric("1/1000"); // prepared once, for many draws
 * waits.fill(new Int32Array(3), seededEntropy("winnow")); // → [709, 324, 3627]
 * ```
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
 * A draw takes about ten nanoseconds (docs/benchmarks.md). Proof: strip-sampler.proof.md.
 *
 * @example
 * ```ts
 * import { DiscreteLaplace } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const noise = new DiscreteLaplace("3/2"); // prepared once, for many draws
 * noise.fill(new Int32Array(5), seededEntropy("winnow")); // → [1, 0, -5, 1, 0]
 * ```
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
 * A draw takes about ten nanoseconds (docs/benchmarks.md). Proof: strip-sampler.proof.md.
 *
 * @example
 * ```ts
 * import { DiscreteGaussian } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const noise = new DiscreteGaussian("1e6"); // prepared once, for many draws
 * noise.fill(new Float64Array(3), seededEntropy("winnow")); // → [681, -353, -2218]
 * ```
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

const LARGEST_SCALE = 0x100_0000_0000n; // 2^40
const SMALLEST_RATE = Rational.of(1n, LARGEST_SCALE);
