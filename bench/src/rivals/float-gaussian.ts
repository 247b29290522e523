/**
 * The float rival of the discrete Gaussian sampler: Box–Muller, both outputs used, rounded to integers.
 * NOT PRIVATE: which doubles can come out depends on what they are added to.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { positiveUniform32, positiveUniform53, uniform32, uniform53 } from "./uniform.js";

const TWO_PI = 2 * Math.PI;

/** On uniforms of 53 bits. */
export class FloatGaussian {
  readonly #sigma: number;
  #spare = 0;
  #hasSpare = false;

  constructor(sigma: number) {
    this.#sigma = sigma;
  }

  sample(entropy: Entropy): number {
    if (this.#hasSpare) {
      this.#hasSpare = false;
      return this.#spare;
    }
    const radius = this.#sigma * Math.sqrt(-2 * Math.log(positiveUniform53(entropy)));
    const angle = TWO_PI * uniform53(entropy);
    this.#spare = Math.floor(radius * Math.sin(angle) + 0.5);
    this.#hasSpare = true;
    return Math.floor(radius * Math.cos(angle) + 0.5);
  }

  /** For a target of even length. */
  fill(target: Float64Array, entropy: Entropy): void {
    const sigma = this.#sigma;
    for (let i = 0; i + 1 < target.length; i += 2) {
      const radius = sigma * Math.sqrt(-2 * Math.log(positiveUniform53(entropy)));
      const angle = TWO_PI * uniform53(entropy);
      target[i] = Math.floor(radius * Math.cos(angle) + 0.5);
      target[i + 1] = Math.floor(radius * Math.sin(angle) + 0.5);
    }
  }
}

/** On uniforms of 32 bits. */
export class CoarseFloatGaussian {
  readonly #sigma: number;
  #spare = 0;
  #hasSpare = false;

  constructor(sigma: number) {
    this.#sigma = sigma;
  }

  sample(entropy: Entropy): number {
    if (this.#hasSpare) {
      this.#hasSpare = false;
      return this.#spare;
    }
    const radius = this.#sigma * Math.sqrt(-2 * Math.log(positiveUniform32(entropy)));
    const angle = TWO_PI * uniform32(entropy);
    this.#spare = Math.floor(radius * Math.sin(angle) + 0.5);
    this.#hasSpare = true;
    return Math.floor(radius * Math.cos(angle) + 0.5);
  }

  /** For a target of even length. */
  fill(target: Float64Array, entropy: Entropy): void {
    const sigma = this.#sigma;
    for (let i = 0; i + 1 < target.length; i += 2) {
      const radius = sigma * Math.sqrt(-2 * Math.log(positiveUniform32(entropy)));
      const angle = TWO_PI * uniform32(entropy);
      target[i] = Math.floor(radius * Math.cos(angle) + 0.5);
      target[i + 1] = Math.floor(radius * Math.sin(angle) + 0.5);
    }
  }
}
