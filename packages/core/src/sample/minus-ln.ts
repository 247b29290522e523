/**
 * −ln U of a partly revealed uniform U: an exponential variate, as finely enclosed as the digits of U allow.
 * Fast from one word of U, and in BigInt from any number of digits.
 * @module
 */
import { fastLn32 } from "../exact/fast-ln.js";
import type { Interval } from "../exact/interval.js";
import type { PartialUniform } from "./partial-uniform.js";

/** ln 2 to half a unit in the last place, 2^−54. */
const LN_2 = 6243314768165359 / 0x20_0000_0000_0000; // over 2^53

/** Far above the error of `fastMinusLn`, far below what a cell of U leaves open, 1/word > 2^−32. */
export const MINUS_LN_SLACK = 1 / 0x100_0000_0000; // 2^−40

/**
 * Within 2^−44 of L = bits·ln 2 − ln word, where word ≥ 1 and 1 ≤ bits ≤ 32. For U ∈ [word, word + 1)·2^−bits
 * that means L − 1/word < −ln U ≤ L, since ln(word + 1) < ln word + 1/word, and so
 * result − 1/word − MINUS_LN_SLACK < −ln U < result + MINUS_LN_SLACK.
 *
 * The errors: 2^−47 of `fastLn32`, 32·2^−54 of ln 2, 2^−49 of the product and 2^−49 of the difference, both
 * below 32.
 */
export function fastMinusLn(word: number, bits: number): number {
  return bits * LN_2 - fastLn32(word);
}

/** Digits beyond those of U to compute on. */
const GUARD = 16;

/** The numbers that −ln U may still be; draws digits until U > 0 is certain. */
export function minusLn(u: PartialUniform): Interval {
  u.revealLeadingOne();
  return u.enclosure(GUARD).ln().negated();
}
