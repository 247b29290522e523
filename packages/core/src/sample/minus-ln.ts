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

/** 2^−40: far above the error of `fastMinusLn`, far below the width of a cell of U. */
export const MINUS_LN_SLACK = 9.094947017729282e-13;

/**
 * L with L − 1/word − MINUS_LN_SLACK < −ln U < L + MINUS_LN_SLACK for every U ∈ [word, word + 1)·2^−bits, where
 * word ≥ 1 and 1 ≤ bits ≤ 32.
 *
 * Exactly, L = bits·ln 2 − ln word, since ln(word + 1) < ln word + 1/word. The computed L is within 2^−44 of it:
 * `fastLn32` errs by at most 2^−46, the product by 32·2^−54 + 2^−49, the difference by 2^−48.
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
