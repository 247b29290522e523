/**
 * How many trials of probability p fail before the first success, in one draw: a run of n rare trials then costs
 * about n·p draws instead of n. By inversion, ⌊ln U / ln(1 − p)⌋, enclosed as in `geometric`, whose rate here is
 * the irrational −ln(1 − p).
 *
 * Cost: one word of 32 bits a draw, for p above 2^−20. Proof: docs/proofs/skips.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { fastScaledFloor, minusLn, UNKNOWN_FLOOR } from "./minus-ln.js";
import { PartialUniform } from "./partial-uniform.js";

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
    this.#scale = p.equals(1n) ? 0 : Rational.ONE.dividedBy(this.#rate(64 + this.#guard).lower()).toNumber();
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
      const exponential = minusLn(u);
      const fine = exponential.precision + this.#guard;
      const failures = exponential.withPrecision(fine).dividedBy(this.#rate(fine));
      const low = failures.lo <= 0n ? 0n : failures.lower().floor();
      if (low === failures.upper().floor()) return Number(low);
      u.reveal();
    }
  }

  #rate(precision: number): Interval {
    return Interval.from(Rational.ONE.minus(this.#success), precision).ln().negated();
  }
}
