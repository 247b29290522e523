/**
 * A uniform random real on [0, 1) of which only the leading binary digits have been drawn. What is not drawn
 * yet stays fair and independent of every decision, as long as a decision is a function of the drawn digits.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { Interval } from "../exact/interval.js";

export class PartialUniform {
  readonly #entropy: Entropy;
  #numerator: bigint;
  #bits: number;

  /** U ∈ [numerator, numerator + 1)·2^−bits; by default nothing is known. */
  constructor(entropy: Entropy, numerator = 0n, bits = 0) {
    this.#entropy = entropy;
    this.#numerator = numerator;
    this.#bits = bits;
  }

  get numerator(): bigint {
    return this.#numerator;
  }

  get bits(): number {
    return this.#bits;
  }

  /** Draws at least `count` more digits, in whole words. */
  reveal(count = 1): void {
    const { wordBits } = this.#entropy;
    for (let missing = count; missing > 0; missing -= wordBits) {
      this.#numerator = (this.#numerator << BigInt(wordBits)) | BigInt(this.#entropy.word());
      this.#bits += wordBits;
    }
  }

  /** Draws digits until one of them is 1, so that U > 0 is certain. */
  revealLeadingOne(): void {
    while (this.#numerator === 0n) this.reveal();
  }

  /** The numbers that U may still be, with `guard` digits to compute on. */
  enclosure(guard: number): Interval {
    const shift = BigInt(guard);
    return new Interval(this.#numerator << shift, (this.#numerator + 1n) << shift, this.#bits + guard);
  }
}
