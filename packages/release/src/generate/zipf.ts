/**
 * Ranks by Zipf's law: rank r comes up with probability proportional to 1/r, to within 2^−32. Only sums and quotients of
 * doubles are used, which are the same on every platform, so a seed gives the same ranks everywhere.
 * @module
 */
import type { Entropy } from "winnow-dp";

const GUIDES = 4096;
const WORDS = 2 ** 32;

export class Zipf {
  /** Rank r is drawn by words from the bound before it up to its own. */
  readonly #bounds: Float64Array;
  /** The first rank that a word with these leading bits can draw. */
  readonly #guide: Uint32Array;

  constructor(ranks: number) {
    this.#bounds = boundsOf(ranks);
    this.#guide = new Uint32Array(GUIDES);
    for (let i = 0, rank = 0; i < GUIDES; i++) {
      while (this.#bounds[rank] <= (i / GUIDES) * WORDS) rank++;
      this.#guide[i] = rank;
    }
  }

  /** A rank from 0; one word of the entropy. */
  draw(entropy: Entropy): number {
    const word = entropy.word();
    let rank = this.#guide[word >>> 20];
    while (this.#bounds[rank] <= word) rank++;
    return rank;
  }
}

function boundsOf(ranks: number): Float64Array {
  const bounds = new Float64Array(ranks);
  let sum = 0;
  for (let rank = 0; rank < ranks; rank++) {
    sum += 1 / (rank + 1);
    bounds[rank] = sum;
  }
  for (let rank = 0; rank < ranks; rank++) bounds[rank] = (bounds[rank] / sum) * WORDS;
  bounds[ranks - 1] = WORDS;
  return bounds;
}
