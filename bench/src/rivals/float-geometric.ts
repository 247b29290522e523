/**
 * The float rival of the geometric sampler: ⌊−ln U / rate⌋.
 * NOT PRIVATE: its logarithm is rounded, and so are its probabilities.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { positiveUniform32, positiveUniform53 } from "./uniform.js";

/** On uniforms of 53 bits. */
export class FloatGeometric {
  readonly #mean: number;

  constructor(rate: number) {
    this.#mean = 1 / rate;
  }

  sample(entropy: Entropy): number {
    return Math.floor(-this.#mean * Math.log(positiveUniform53(entropy)));
  }

  fill(target: Float64Array, entropy: Entropy): void {
    const mean = this.#mean;
    for (let i = 0; i < target.length; i++)
      target[i] = Math.floor(-mean * Math.log(positiveUniform53(entropy)));
  }
}

/** On uniforms of 32 bits. */
export class CoarseFloatGeometric {
  readonly #mean: number;

  constructor(rate: number) {
    this.#mean = 1 / rate;
  }

  sample(entropy: Entropy): number {
    return Math.floor(-this.#mean * Math.log(positiveUniform32(entropy)));
  }

  fill(target: Float64Array, entropy: Entropy): void {
    const mean = this.#mean;
    for (let i = 0; i < target.length; i++)
      target[i] = Math.floor(-mean * Math.log(positiveUniform32(entropy)));
  }
}
