/**
 * `shuffle(items)`: one of the n! orders, each with probability exactly 1/n!, in place (Fisher–Yates).
 *
 * Cost: the bits of `uniformBelow(2)`, …, `uniformBelow(n)`, a little more than log₂ n! (28.6 for 10 items).
 * Proof: shuffle.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { invalidKind } from "../errors.js";
import { kindOf } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { drawBelow } from "./uniform-below.js";

/**
 * An array or a typed array, to be shuffled.
 *
 * @typeParam T What is in it.
 */
export interface MutableArray<T> {
  /** How many items there are. */
  readonly length: number;
  [index: number]: T;
}

/**
 * Puts the items into a uniformly random order and returns the same array.
 *
 * Each of the n! orders has probability exactly 1/n!. Proof: shuffle.proof.md.
 *
 * @param items An array or a typed array.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 *
 * @example
 * ```ts
 * import { shuffle } from "winnow-dp/sample";
 *
 * shuffle(["a", "b", "c"]).sort(); // → ["a", "b", "c"]
 * ```
 */
export function shuffle<T, A extends MutableArray<T>>(items: A & MutableArray<T>, entropy?: Entropy): A {
  if (!Array.isArray(items) && !kindOf(items).endsWith("Array"))
    throw invalidKind("items", "an array or a typed array", items);
  return withEntropy(entropy, (bits) => {
    for (let last = items.length - 1; last > 0; last--) {
      const chosen = drawBelow(last + 1, bits);
      const held = items[last];
      items[last] = items[chosen];
      items[chosen] = held;
    }
    return items;
  });
}
