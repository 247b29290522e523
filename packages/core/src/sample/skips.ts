/**
 * How many trials of probability p fail before the first success, in one draw: a run of n rare trials then costs
 * about n·p draws instead of n. By inversion, ⌊ln U / ln(1 − p)⌋, enclosed as in `geometric`, whose rate here is
 * the irrational −ln(1 − p).
 *
 * Cost: one word of 32 bits per draw, for p above 2^−20. Proof: skips.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { bitLength, ceilDiv } from "../exact/integers.js";
import { type Enclosure, minusLnEnclosure } from "../exact/ln.js";
import { Rational } from "../exact/rational.js";
import { fastScaledFloor, minusLn, UNKNOWN_FLOOR } from "./minus-ln.js";
import { PartialUniform } from "./partial-uniform.js";

const SKIPS: Skips[] = [];

/**
 * Coins for candidates far below the cut. Such a candidate can only come back if its U starts with `zeros` zero bits; these rare
 * events of many candidates are drawn at once, as the number of candidates to pass by. One that is not passed by has those
 * zeros, and its other bits are still to be drawn. Made once for each number of zeros.
 */
export function skipsOf(zeros: number): Skips {
  SKIPS[zeros] ??= new Skips(Rational.of(1n, 1n << BigInt(zeros)));
  return SKIPS[zeros];
}

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
