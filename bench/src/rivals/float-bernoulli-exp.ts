/**
 * The float rival of `bernoulliExp`: `u < Math.exp(-x)`.
 * NOT PRIVATE: `Math.exp` is rounded as the engine likes, and below 2⁻⁵³ everything is impossible.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { uniform32, uniform53 } from "./uniform.js";

/** On a uniform of 53 bits. */
export function floatBernoulliExp(x: number, entropy: Entropy): boolean {
  return uniform53(entropy) < Math.exp(-x);
}

/** On a uniform of 32 bits. */
export function coarseFloatBernoulliExp(x: number, entropy: Entropy): boolean {
  return uniform32(entropy) < Math.exp(-x);
}
