/**
 * Discrete Laplace noise cut off at ±κ: P(x) proportional to e^(−ε|x|) for |x| ≤ κ, where κ is the least integer whose
 * probability P(κ) is at most δ. By rejection from the discrete Laplace distribution.
 *
 * Cost: as `DiscreteLaplace`, and less than one draw in a hundred is repeated at δ ≤ 1/100.
 * Proof: discover/select-partitions.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { ceiling, type Enclosure, GUARD, lnOf, roundedUp, zerosAfterPoint } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { preparedNoise } from "./prepared-noise.js";

/** Discrete Laplace noise between −κ and κ, for the least κ with P(κ) ≤ δ. */
export class TruncatedLaplace {
  /** κ: a noisy count above it is published. */
  readonly bound: bigint;
  /** P(κ), rounded up: the δ of one name. */
  readonly failure: Rational;
  readonly #noise: (entropy: Entropy) => bigint;

  constructor(epsilon: Rational, delta: Rational) {
    this.#noise = preparedNoise("laplace", Rational.ONE.dividedBy(epsilon));
    this.bound = ceiling(boundFor(epsilon, delta)); // at least 1, because δ is below 1
    const rounded = roundedUp(chanceOfBound(epsilon, this.bound));
    this.failure = rounded.compare(delta) > 0 ? delta : rounded;
  }

  /** The count with its noise if it is to be published. */
  publish(count: number | bigint, entropy: Entropy): bigint | undefined {
    if (count <= 0) return undefined;
    const noisy = BigInt(count) + this.#draw(entropy);
    return noisy > this.bound ? noisy : undefined;
  }

  /** By rejection: the law given that the noise is within the bound. */
  #draw(entropy: Entropy): bigint {
    for (;;) {
      const noise = this.#noise(entropy);
      if (noise <= this.bound && noise >= -this.bound) return noise;
    }
  }
}

/** P(κ) = a^κ·(1 − a)/(1 + a − 2a^(κ+1)) ≤ δ for all κ from ln((1 − a + 2aδ)/(δ·(1 + a)))/ε on. */
function boundFor(epsilon: Rational, delta: Rational): Enclosure {
  const zeros = 2 * zerosAfterPoint(epsilon) + zerosAfterPoint(delta);
  return (precision) => {
    const bits = precision + zeros + GUARD;
    const [a, one] = [Interval.from(epsilon.negated(), bits).exp(), Interval.from(1n, bits)];
    const [over, under] = [one.minus(a).plus(a.times(delta.times(2n))), one.plus(a)];
    return over.ln().minus(under.ln()).minus(lnOf(delta, bits)).dividedBy(epsilon);
  };
}

/** The largest εκ whose P(κ) is computed. A larger one has as many zeros as it is large. */
const FAR = Rational.of(512n);

/** Encloses P(κ) for κ ≥ 1; beyond `FAR`, the larger one of a smaller ε, as P(κ) rises with a. */
function chanceOfBound(epsilon: Rational, bound: bigint): Enclosure {
  const rate = epsilon.times(bound).compare(FAR) > 0 ? FAR.dividedBy(bound) : epsilon;
  const zeros = Number(rate.times(bound).times("3/2").ceil()) + 2 * zerosAfterPoint(rate);
  return (precision) => {
    const bits = precision + zeros + GUARD;
    const power = (exponent: bigint) => Interval.from(rate.times(-exponent), bits).exp();
    const [a, one] = [power(1n), Interval.from(1n, bits)];
    const whole = one.plus(a).minus(power(bound + 1n).times(2n));
    return power(bound).times(one.minus(a)).dividedBy(whole);
  };
}
