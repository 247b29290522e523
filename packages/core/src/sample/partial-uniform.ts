/**
 * A uniform random real on [0, 1) of which only the leading binary digits have been drawn. The digits that aren't drawn
 * yet stay fair and independent of every decision, as long as a decision is a function of the drawn digits.
 * @module
 */
import type { Entropy } from "../entropy.js";
import type { Enclosure } from "../exact/ln.js";

/** Digits beyond those of U to compute on. */
const GUARD = 16;

export class PartialUniform {
  readonly #entropy: Entropy;
  /** U ∈ [numerator, numerator + 1)·2^−bits; only `reveal` changes them. */
  numerator: bigint;
  bits: number;

  /** By default nothing is known. */
  constructor(entropy: Entropy, numerator = 0n, bits = 0) {
    this.#entropy = entropy;
    this.numerator = numerator;
    this.bits = bits;
  }

  /** Draws at least `count` more digits, in whole words. */
  reveal(count = 1): void {
    const { wordBits } = this.#entropy;
    for (let missing = count; missing > 0; missing -= wordBits) {
      this.numerator = (this.numerator << BigInt(wordBits)) | BigInt(this.#entropy.word());
      this.bits += wordBits;
    }
  }

  /** Draws digits until one of them is 1, so that U > 0 is certain. */
  revealLeadingOne(): void {
    while (this.numerator === 0n) this.reveal();
  }

  /** The numbers that U may still be, with `guard` digits to compute on. */
  enclosure(guard = GUARD): Enclosure {
    const [lo, shift] = [this.numerator, BigInt(guard)];
    return { lo: lo << shift, hi: (lo + 1n) << shift, precision: this.bits + guard };
  }
}
