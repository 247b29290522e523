/**
 * The float rival of the discrete Laplace sampler: inverse cdf with `Math.log`, rounded to an integer.
 * NOT PRIVATE: which doubles can come out depends on what they are added to.
 *
 * Written for speed: the sign is a bit that the uniform does not use, applied by multiplication (a branch on
 * it would be mispredicted every other time), and `Math.floor(x + 0.5)` is much cheaper than `Math.round`.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { positive31, positive53 } from "./uniform.js";

/** On uniforms of 53 bits. */
export class FloatLaplace {
  readonly #scale: number;

  constructor(scale: number) {
    this.#scale = scale;
  }

  sample(entropy: Entropy): number {
    const high = entropy.word();
    const low = entropy.word();
    return Math.floor(this.#scale * (2 * (low & 1) - 1) * Math.log(positive53(high, low)) + 0.5);
  }

  fill(target: Float64Array, entropy: Entropy): void {
    const scale = this.#scale;
    for (let i = 0; i < target.length; i++) {
      const high = entropy.word();
      const low = entropy.word();
      target[i] = Math.floor(scale * (2 * (low & 1) - 1) * Math.log(positive53(high, low)) + 0.5);
    }
  }
}

/** On a single word: 31 bits and the sign. */
export class CoarseFloatLaplace {
  readonly #scale: number;

  constructor(scale: number) {
    this.#scale = scale;
  }

  sample(entropy: Entropy): number {
    const word = entropy.word();
    return Math.floor(this.#scale * (2 * (word & 1) - 1) * Math.log(positive31(word)) + 0.5);
  }

  fill(target: Float64Array, entropy: Entropy): void {
    const scale = this.#scale;
    for (let i = 0; i < target.length; i++) {
      const word = entropy.word();
      target[i] = Math.floor(scale * (2 * (word & 1) - 1) * Math.log(positive31(word)) + 0.5);
    }
  }
}
