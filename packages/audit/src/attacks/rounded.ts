/** Randomized rounding, as the base-2 mechanism does it before it draws. */
import { type Entropy, rational } from "winnow-dp";
import { bernoulli } from "winnow-dp/sample";

/** ⌈u⌉ with probability u − ⌊u⌋ and else ⌊u⌋, for the decimal that u prints as. Below zero it is the mirror image. */
export function rounded(utility: number, entropy: Entropy): number {
  const floor = Math.floor(utility);
  if (utility === floor) return utility;
  if (utility < 0) return -rounded(-utility, entropy);
  return floor + Number(bernoulli(rational(utility).minus(BigInt(floor)), entropy));
}
