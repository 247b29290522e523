/**
 * UNSAFE, for study only: the exponential mechanism as everyone would write it first [Ilv20, Figure 1], the numbers of its
 * lines at the ends of ours. Low utilities win. A weight below 10^−324 is rounded to zero, and then an outcome that has a
 * positive probability never comes.
 * @module
 */
import type { Entropy } from "../../../entropy/entropy.js";

/** UNSAFE: an index with probability about proportional to e^(−ε·utility/2). */
export function naiveExponentialMechanism(
  utilities: readonly number[],
  epsilon: number,
  entropy: Entropy,
): number {
  const weights = utilities.map((utility) => Math.exp(-(epsilon / 2) * utility)); // 10
  const total = weights.reduce((sum, weight) => sum + weight, 0); // 11
  const uniform = entropy.bits(53) / 0x20_0000_0000_0000; // 15
  let cumulative = 0;
  const chosen = weights.findIndex((weight) => {
    cumulative += weight; // 13
    return cumulative / total >= uniform; // 17, 18
  });
  return chosen < 0 ? weights.length - 1 : chosen;
}
