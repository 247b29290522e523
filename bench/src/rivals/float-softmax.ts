/**
 * The float rival of `base2Exponential`: an outcome drawn with probability proportional to e^(−rate·cost),
 * costs through a callback. Shifted by the least cost, as every careful softmax is, lest all weights vanish.
 * NOT PRIVATE: `Math.exp` and the sums are rounded, and a weight below 2⁻⁵³ of the sum never comes up.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { uniform53 } from "./uniform.js";

/** The index of the outcome drawn. */
export function floatSoftmax<Outcome>(
  outcomes: readonly Outcome[],
  cost: (outcome: Outcome) => number,
  rate: number,
  entropy: Entropy,
): number {
  const sums = new Float64Array(outcomes.length);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < outcomes.length; i++) {
    const value = cost(outcomes[i]);
    sums[i] = value;
    if (value < least) least = value;
  }
  let total = 0;
  for (let i = 0; i < sums.length; i++) {
    total += Math.exp(rate * (least - sums[i]));
    sums[i] = total;
  }
  return firstAbove(sums, uniform53(entropy) * total);
}

/** The first index whose sum exceeds the target, by bisection. */
function firstAbove(sums: Float64Array, target: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle] > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
