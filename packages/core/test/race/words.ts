/**
 * Entropy word by word, for tests that say what each of them is drawn for.
 * @module
 */
import { expect } from "vitest";
import { Entropy } from "../../src/entropy.js";

/** Just these words, 32 bits each. */
export function wordsOf(...words: number[]): Entropy {
  const left = words.values();
  return new Entropy({
    poolWords: 1,
    fill(pool) {
      pool[0] = left.next().value ?? expect.fail("a word too many");
    },
  });
}

/** The word of this U. */
export const at = (u: number) => Math.floor(u * 2 ** 32);
/** A word in the middle of those that pass so many by, of whom each has so many leading zeros with its probability. */
export const skip = (count: number, zeros: number) => at((1 - 2 ** -zeros) ** (count + 0.5));
