/**
 * Coins that rarely land heads, for names that come one by one: heads if a uniform U starts with `zeros` zero bits. How
 * many names to pass by before the next heads is drawn at once.
 *
 * Cost: one word of 32 bits per heads. Proof: skips.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { skipsOf } from "./skips.js";

/** Coins of one probability, 2^−zeros, in one release. */
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
