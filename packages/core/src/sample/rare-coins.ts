/**
 * TODO header
 * @module
 */

import type { Entropy } from "../entropy.js";
import { skipsOf } from "../race/array-race.js";

/** Coins of names that come one by one: whether U starts with so many zeros. How many names to pass by is drawn at once. */
export class RareCoins {
  readonly zeros: number;
  readonly #entropy: Entropy;
  /** How many more to pass by; negative before that is drawn. */
  #left = -1;

  constructor(zeros: number, entropy: Entropy) {
    this.zeros = zeros;
    this.#entropy = entropy;
  }

  /** Whether the next name is passed by, because its U doesn't start with the zeros. */
  passBy(): boolean {
    if (this.#left < 0) this.#left = skipsOf(this.zeros).draw(this.#entropy);
    return this.#left-- > 0;
  }
}
