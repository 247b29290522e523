/**
 * The loop of `fillBernoulli` and `fillBernoulliExp`: coins [U < θ] for independent uniforms U and one threshold
 * θ, whose first digits are known. A word of U that differs from them decides; only where it does not (once in 2³²
 * words of 32 bits) is more of the same U drawn. Nothing is allocated for a coin that its word decides.
 * @module
 */

import type { Entropy } from "../entropy.js";

/**
 * Fills the array with 1 where U < θ and 0 elsewhere. `digits` is ⌊θ·2^wordBits⌋, and `isRestBelow` tells whether
 * U < θ where it is also the first word of U, drawing the rest of U as it needs.
 */
export function fillBelow<A extends Uint8Array>(
  target: A,
  digits: number,
  isRestBelow: () => boolean,
  entropy: Entropy,
): A {
  for (let index = 0; index < target.length; index++) {
    const word = entropy.word();
    const isBelow = word === digits ? isRestBelow() : word < digits;
    target[index] = isBelow ? 1 : 0;
  }
  return target;
}
