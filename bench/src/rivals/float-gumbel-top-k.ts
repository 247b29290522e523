/**
 * The float rival of `topK` with `rho`: Gumbel noise for every candidate and a heap of k.
 * NOT PRIVATE: ties, rounding and `Math.log` all leak.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { LeastHeap } from "./least-heap.js";
import { positiveUniform53 } from "./uniform.js";

/** The winners' indices, best first. */
export function floatGumbelTopK(
  scores: Float64Array,
  k: number,
  scale: number,
  entropy: Entropy,
): Int32Array {
  const heap = new LeastHeap(k);
  let cut = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scores.length; i++) {
    const noisy = scores[i] - scale * Math.log(-Math.log(positiveUniform53(entropy)));
    if (noisy > cut) cut = heap.replaceLeast(noisy, i);
  }
  return heap.sort().indices;
}
