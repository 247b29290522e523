/**
 * The float rival of `topKWithGap`: exponential noise for every candidate, a heap of k + 1, gaps floored to
 * the grid of `resolution`. NOT PRIVATE: ties, rounding and `Math.log` all leak.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { LeastHeap } from "./least-heap.js";
import { positiveUniform32, positiveUniform53 } from "./uniform.js";

export interface FloatWinners {
  /** Best first. */
  readonly indices: Int32Array;
  /** How far each leads the next, in units of `resolution`. */
  readonly gaps: Float64Array;
}

/** On uniforms of 53 bits. */
export function floatTopKWithGap(
  scores: Float64Array,
  k: number,
  scale: number,
  resolution: number,
  entropy: Entropy,
): FloatWinners {
  const heap = new LeastHeap(k + 1);
  let cut = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scores.length; i++) {
    const noisy = scores[i] - scale * Math.log(positiveUniform53(entropy));
    if (noisy > cut) cut = heap.replaceLeast(noisy, i);
  }
  return winnersWithGap(heap, resolution);
}

/** On uniforms of 32 bits. */
export function coarseFloatTopKWithGap(
  scores: Float64Array,
  k: number,
  scale: number,
  resolution: number,
  entropy: Entropy,
): FloatWinners {
  const heap = new LeastHeap(k + 1);
  let cut = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scores.length; i++) {
    const noisy = scores[i] - scale * Math.log(positiveUniform32(entropy));
    if (noisy > cut) cut = heap.replaceLeast(noisy, i);
  }
  return winnersWithGap(heap, resolution);
}

/** The k winners in a heap of k + 1. */
export function winnersWithGap(heap: LeastHeap, resolution: number): FloatWinners {
  const { values, indices } = heap.sort();
  const k = values.length - 1;
  const gaps = new Float64Array(k);
  for (let i = 0; i < k; i++) gaps[i] = Math.floor((values[i] - values[i + 1]) / resolution);
  return { indices: indices.subarray(0, k), gaps };
}
