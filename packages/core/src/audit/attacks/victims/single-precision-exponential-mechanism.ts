/**
 * UNSAFE, for study only: the exponential mechanism in single precision, as on a graphics card or over a `Float32Array`, its
 * cumulative weights prepared once. A weight below 2^−24 of the sum so far changes nothing when it is added, and its
 * outcome never comes. Double precision moves the limit to 2^−53 and changes nothing else [Ilv20, Attack 2].
 * @module
 */
import type { Entropy } from "../../../entropy/entropy.js";

export class SinglePrecisionExponentialMechanism {
  readonly #cumulative: Float32Array;

  constructor(outcomes: number, utility: (outcome: number) => number, epsilon: number) {
    this.#cumulative = new Float32Array(outcomes);
    let sum = 0;
    for (let outcome = 0; outcome < outcomes; outcome++) {
      sum = Math.fround(sum + Math.fround(Math.exp(-(epsilon / 2) * utility(outcome))));
      this.#cumulative[outcome] = sum;
    }
  }

  /** UNSAFE: an outcome with probability about proportional to e^(−ε·utility/2). */
  draw(entropy: Entropy): number {
    const total = this.#cumulative[this.#cumulative.length - 1];
    const wanted = Math.fround((entropy.bits(24) / 0x100_0000) * total);
    let [first, last] = [0, this.#cumulative.length - 1];
    while (first < last) {
      const middle = (first + last) >>> 1;
      if (this.#cumulative[middle] >= wanted) last = middle;
      else first = middle + 1;
    }
    return first;
  }
}
