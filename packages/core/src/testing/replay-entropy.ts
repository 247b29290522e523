/**
 * An entropy that replays given bits and then throws: it pins a sampler to one path through its bit tree. How
 * many bits were used is its `bitsUsed`.
 * @module
 */

import { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { integer, readOptions } from "../options.js";

/**
 * Thrown instead of a word when too few of the given bits are left.
 *
 * @example
 * ```ts
 * import { OutOfBits, replayEntropy } from "winnow-dp/testing";
 *
 * try {
 *   replayEntropy("01").bits(3);
 * } catch (error) {
 *   console.log(error instanceof OutOfBits);
 * }
 * ```
 */
export class OutOfBits extends Error {
  /** Always `"OutOfBits"`. */
  override readonly name = "OutOfBits";
  /** How many bits there were in all. */
  readonly available: number;

  /** An error that says how many there were. */
  constructor(available: number) {
    super(`more bits were asked for than the ${available} available`);
    this.available = available;
  }
}

/**
 * An entropy that replays a text of 0s and 1s, the first character first, and then throws `OutOfBits`.
 *
 * @param bits The text.
 * @param options How the bits are handed out.
 * @param options.wordBits The bits in a word, the first of them on top. Default 1.
 *
 * @example
 * ```ts
 * import { replayEntropy } from "winnow-dp/testing";
 *
 * replayEntropy("1011").bits(4); // → 11
 * ```
 */
export function replayEntropy(bits: string, options: { wordBits?: number | undefined } = {}): Entropy {
  const { wordBits = 1 } = readOptions(options, {}, { wordBits: integer });
  if (typeof bits !== "string" || !/^[01]*$/.test(bits))
    throw invalidParameter("bits", "a text of 0s and 1s", bits);
  let next = 0;
  const fill = (words: Uint32Array) => {
    if (next + wordBits > bits.length) throw new OutOfBits(bits.length);
    words[0] = Number.parseInt(bits.slice(next, next + wordBits), 2);
    next += wordBits;
  };
  return new Entropy({ fill, wordBits, poolWords: 1 }); // one word at a time: what is not asked for is not taken
}
