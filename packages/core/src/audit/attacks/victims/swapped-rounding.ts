/**
 * UNSAFE, for study only: randomized rounding as printed in [Ilv20, Mechanism 4], down with the probability that belongs to up.
 * The nearer integer becomes the rarer one: 0.999 is nearly always rounded to 0, and 1.001 to 2.
 * @module
 */
import type { Entropy } from "../../../entropy/entropy.js";
import { drawRounded } from "../../../select/base2/randomized-round.js";

/** UNSAFE: ⌊utility⌋ with probability utility − ⌊utility⌋, else ⌈utility⌉. */
export function swappedRounding(utility: number, entropy: Entropy): number {
  return Math.floor(utility) + Math.ceil(utility) - drawRounded(utility, entropy);
}
