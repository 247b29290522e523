/**
 * UNSAFE, for study only: permute-and-flip [MS20] for candidates in a given order. The coins are exact; all depends on the order,
 * which must be uniformly random and unknown to everyone.
 * @module
 */
import type { Entropy } from "../../../entropy/entropy.js";
import { bernoulliExp } from "../../../sample/bernoulli-exp.js";

/** UNSAFE: the first candidate in this order whose coin, of bias e^(−(largest − score)/scale), shows heads. */
export function flipInOrder(
  order: readonly number[],
  scores: readonly number[],
  scale: number,
  entropy: Entropy,
): number {
  const largest = Math.max(...scores);
  const winner = order.find((index) => bernoulliExp((largest - scores[index]) / scale, entropy));
  return winner ?? order[0]; // a candidate with the largest score always shows heads
}
