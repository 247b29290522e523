/**
 * The float rival of `TopKStream`: noise for every candidate that is pushed, a heap of k + 1.
 * NOT PRIVATE: ties, rounding and `Math.log` all leak.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { type FloatWinners, winnersWithGap } from "./float-top-k-with-gap.js";
import { LeastHeap } from "./least-heap.js";
import { positiveUniform53 } from "./uniform.js";

export class FloatTopKStream {
  readonly #heap: LeastHeap;
  readonly #scale: number;
  readonly #resolution: number;
  readonly #entropy: Entropy;
  #cut = Number.NEGATIVE_INFINITY;

  constructor(k: number, scale: number, resolution: number, entropy: Entropy) {
    this.#heap = new LeastHeap(k + 1);
    this.#scale = scale;
    this.#resolution = resolution;
    this.#entropy = entropy;
  }

  push(index: number, score: number): void {
    const noisy = score - this.#scale * Math.log(positiveUniform53(this.#entropy));
    if (noisy > this.#cut) this.#cut = this.#heap.replaceLeast(noisy, index);
  }

  finish(): FloatWinners {
    return winnersWithGap(this.#heap, this.#resolution);
  }
}
