/**
 * Counts, largest first, checked and sorted once for a whole plan. The law of an answer does not depend on the order in which
 * candidates come.
 * @module
 */
import { refused } from "../refused.js";

export class RankedScores {
  readonly sorted: Float64Array;

  constructor(scores: ArrayLike<number>) {
    this.sorted = Float64Array.from(scores);
    if (this.sorted.some((score) => !Number.isSafeInteger(score) || score < 0))
      throw refused("scores", "whole numbers >= 0");
    this.sorted.sort().reverse();
  }
}
