/**
 * `geometric(rate)`: y = 0, 1, 2, … with P(y) = (1 − a)·a^y, a = e^(−rate), for any rational rate > 0.
 *
 * By inversion: Y = ⌊−ln U / rate⌋ [Ding23, Alg 5 draws the same law]. A word of U is drawn and −ln U enclosed
 * with a certified logarithm; where both ends have the same floor that is the answer, else more digits of the
 * same U are drawn and the logarithm is enclosed in BigInt. For many draws at one rate, `Geometric` is faster.
 *
 * Cost: one word of 32 bits for rates down to 10⁻⁷, 50 bits at 10⁻⁹, 64 at 10⁻¹²: beyond 2³⁰ the result has
 * log₂(1/rate) bits, and they are drawn in whole words. Proof: docs/proofs/geometric.md.
 * @module
 */
import { type Entropy, withEntropy } from "../entropy.js";
import { bitLength, ceilDiv } from "../exact/integers.js";
import { type Enclosure, minusLnEnclosure } from "../exact/ln.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { bigInteger, positiveRational } from "../validate.js";
import { fastScaledFloor, minusLn, PartialUniform, UNKNOWN_FLOOR } from "./partial-uniform.js";

/**
 * The number of e^(−rate)-coins that come up heads before the first tails.
 *
 * P(y) is proportional to e^(−rate·y) for y = 0, 1, 2, …. Proof: docs/proofs/geometric.md.
 *
 * @param rate A rational > 0.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { geometric } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * geometric("1/10", seededEntropy("winnow")); // → 6n
 * ```
 */
export function geometric(rate: RationalLike, entropy?: Entropy): bigint {
  const scale = Rational.ONE.dividedBy(positiveRational("rate", rate));
  return withEntropy(entropy, (bits) => drawGeometric(scale, bits));
}

/** ⌊scale·(−ln U)⌋ for scale = 1/rate. */
export function drawGeometric(scale: Rational, entropy: Entropy): bigint {
  const word = entropy.word();
  const floor = fastScaledFloor(word, entropy.wordBits, scale.toNumber());
  if (floor !== UNKNOWN_FLOOR) return BigInt(floor);
  return scaledFloor(new PartialUniform(entropy, BigInt(word), entropy.wordBits), scale);
}

function scaledFloor(u: PartialUniform, scale: Rational): bigint {
  u.reveal(bitLength(scale.floor()) - u.bits); // with fewer digits of U no two ends have the same floor
  for (;;) {
    const { lo, hi, precision } = minusLn(u);
    const divisor = scale.denominator << BigInt(precision);
    const low = lo <= 0n ? 0n : (lo * scale.numerator) / divisor; // −ln U > 0 in any case
    if (low === (hi * scale.numerator) / divisor) return low;
    u.reveal();
  }
}

/*
 * `truncatedGeometric(rate, modulus)`: a geometric variate modulo `modulus`, that is y = 0 … modulus − 1 with
 * probability proportional to e^(−rate·y). It is the next digit of an exponential variate that is known to
 * within `modulus` steps of 1/rate.
 *
 * Cost: one geometric variate, 32 bits for rates down to 10⁻⁷. Proof: docs/proofs/truncated-geometric.md.
 */

/**
 * A geometric variate of this rate modulo an integer ≥ 1.
 *
 * Proof: docs/proofs/truncated-geometric.md.
 *
 * @param rate A rational > 0.
 * @param modulus The answer is below this.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { truncatedGeometric } from "winnow-dp/sample";
 *
 * truncatedGeometric("1/10", 7) < 7n; // → true
 * ```
 */
export function truncatedGeometric(rate: RationalLike, modulus: number | bigint, entropy?: Entropy): bigint {
  const scale = Rational.ONE.dividedBy(positiveRational("rate", rate));
  const divisor = BigInt(bigInteger("modulus", modulus));
  return withEntropy(entropy, (bits) => drawGeometric(scale, bits) % divisor);
}

/*
 * How many trials of probability p fail before the first success, in one draw: a run of n rare trials then costs
 * about n·p draws instead of n. By inversion, ⌊ln U / ln(1 − p)⌋, enclosed as in `geometric`, whose rate here is
 * the irrational −ln(1 − p).
 *
 * Cost: one word of 32 bits a draw, for p above 2^−20. Proof: docs/proofs/skips.md.
 */

export class Skips {
  readonly #success: Rational;
  /** More digits than those of p, so that ln(1 − p) is known to as many. */
  readonly #guard: number;
  /** −1/ln(1 − p), or 0 if every trial succeeds. */
  readonly #scale: number;

  /** p rational, 0 < p ≤ 1. */
  constructor(p: Rational) {
    this.#success = p;
    this.#guard = bitLength(p.denominator) + 8;
    const precision = 64 + this.#guard;
    this.#scale = p.equals(1n)
      ? 0
      : Rational.of(1n << BigInt(precision), this.#rate(precision).lo).toNumber();
  }

  /** The number of failures before the next success. */
  draw(entropy: Entropy): number {
    if (this.#scale === 0) return 0;
    const word = entropy.word();
    const floor = fastScaledFloor(word, entropy.wordBits, this.#scale);
    if (floor !== UNKNOWN_FLOOR) return floor;
    return this.#refine(new PartialUniform(entropy, BigInt(word), entropy.wordBits));
  }

  #refine(u: PartialUniform): number {
    for (;;) {
      const { lo, hi, precision } = minusLn(u);
      const rate = this.#rate(precision + this.#guard);
      const shift = BigInt(this.#guard);
      const low = lo <= 0n ? 0n : (lo << shift) / rate.hi;
      if (low === (hi << shift) / rate.lo) return Number(low);
      u.reveal();
    }
  }

  /** −ln(1 − p). */
  #rate(precision: number): Enclosure {
    const { numerator, denominator } = this.#success;
    const failure = (denominator - numerator) << BigInt(precision);
    return minusLnEnclosure({ lo: failure / denominator, hi: ceilDiv(failure, denominator), precision });
  }
}
