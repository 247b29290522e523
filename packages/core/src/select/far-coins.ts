/**
 * Coins for candidates far below the cut. Such a candidate can only come back if its U starts with `zeros` zero bits;
 * these rare events of many candidates are drawn at once, as the number of candidates to pass by. One that is not passed
 * by has those zeros, and its other bits are still to be drawn.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { Rational } from "../exact/rational.js";
import { Skips } from "../sample/skips.js";

const SKIPS: Skips[] = [];

/** How many candidates to pass by until one whose U starts with so many zeros; made once for each number. */
export function skipsOf(zeros: number): Skips {
  SKIPS[zeros] ??= new Skips(Rational.of(1n, 1n << BigInt(zeros)));
  return SKIPS[zeros];
}

export class FarCoins {
  readonly zeros: number;
  readonly #skips: Skips;
  readonly #entropy: Entropy;
  /** How many more to pass by; negative before the first is asked for. */
  #left = -1;

  constructor(zeros: number, entropy: Entropy) {
    this.zeros = zeros;
    this.#skips = skipsOf(zeros);
    this.#entropy = entropy;
  }

  /** Of the next `count` far candidates, how many come before the first whose U starts with the zeros; `count` if none does. */
  passBy(count: number): number {
    if (count === 0) return 0;
    if (this.#left < 0) this.#left = this.#skips.draw(this.#entropy);
    if (this.#left < count) {
      const passed = this.#left;
      this.#left = -1;
      return passed;
    }
    this.#left -= count;
    return count;
  }
}
