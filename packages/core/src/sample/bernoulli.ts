/**
 * `bernoulli(p)`: true with probability exactly p, for any rational 0 ≤ p ≤ 1.
 *
 * A uniform U is revealed a word at a time and compared with the same digits of p; it is decided at the first
 * difference. Cost: one word of 32 bits, except for 1 draw in 2³², none for p = 0 and p = 1 (2 bits where words have
 * one bit, whatever the size of the denominator). Proof: bernoulli.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import type { RationalLike } from "../exact/rational.js";
import { probability as probabilityOf } from "../options.js";
import { withEntropy } from "../system-entropy.js";

/**
 * True with probability `probability`.
 *
 * Proof: bernoulli.proof.md.
 *
 * @param probability A rational from 0 to 1.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { bernoulli } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * bernoulli("1/3", seededEntropy("a coin")); // → true
 * bernoulli(1); // → true
 * ```
 */
export function bernoulli(probability: RationalLike, entropy?: Entropy): boolean {
  const { numerator, denominator } = probabilityOf("probability", probability);
  return withEntropy(entropy, (bits) => drawBernoulli(numerator, denominator, bits));
}

/** True with probability p/q, for 0 ≤ p ≤ q and q ≥ 1. */
export function drawBernoulli(p: bigint, q: bigint, entropy: Entropy): boolean {
  if (p >= q) return true;
  const shift = BigInt(entropy.wordBits);
  let rest = p; // p/q without the digits compared so far
  while (rest > 0n) {
    const scaled = rest << shift;
    const digits = Number(scaled / q);
    const word = entropy.word();
    if (word !== digits) return word < digits;
    rest = scaled % q;
  }
  return false; // all further digits of p/q are 0, so U ≥ p/q
}
