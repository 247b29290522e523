/**
 * −ln U of a partly revealed uniform U: an exponential variate, as finely enclosed as the digits of U allow.
 * Fast from one word of U, and in BigInt from any number of digits. Also fast: the floor of a multiple of it.
 * @module
 */
import { fastLn32 } from "../exact/fast-ln.js";
import { type Enclosure, minusLnEnclosure } from "../exact/ln.js";
import type { PartialUniform } from "./partial-uniform.js";

/** ln 2 to half a unit in the last place, 2^−54. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the bound is one for these digits
export const LN_2 = 0.6931471805599453;

/** Far above the error of `fastMinusLn`, far below what a cell of U leaves open, 1/word > 2^−32. */
export const MINUS_LN_SLACK = 1 / 0x100_0000_0000; // 2^−40

/**
 * Within 2^−44 of L = bits·ln 2 − ln word, where word ≥ 1 and 1 ≤ bits ≤ 128. For U ∈ [word, word + 1)·2^−bits
 * that means L − 1/word < −ln U ≤ L, since ln(word + 1) < ln word + 1/word, and so
 * result − 1/word − MINUS_LN_SLACK < −ln U < result + MINUS_LN_SLACK.
 *
 * The errors: 2^−47 of `fastLn32`, 128·2^−54 = 2^−47 of ln 2, 2^−47 of the product and 2^−47 of the difference, both
 * below 128; together 2^−45.
 */
export function fastMinusLn(word: number, bits: number): number {
  return bits * LN_2 - fastLn32(word);
}

/** 2^30: beyond, one word of U does not tell the floor. */
const LARGEST_FAST_SCALE = 0x4000_0000;
/** More than the rounding of the scale and of two operations, a factor below (1 + 2^−53)³. */
const WIDEN = 1 + 1 / 0x4_0000_0000_0000; // 1 + 2^−50

/** What `fastScaledFloor` returns where it cannot tell. */
export const UNKNOWN_FLOOR = -1;

/**
 * ⌊scale·(−ln U)⌋ for U ∈ [word, word + 1)·2^−bits and a scale rounded to a double, if one word tells.
 *
 * −ln U is between the two differences, whose own rounding (below 2^−47) is far inside the slack. The products then
 * err by a relative 2^−51 at most, or by 2^−1073 where they are subnormal and both floors are 0, so that after
 * widening scale·(−ln U) is between them.
 */
export function fastScaledFloor(word: number, bits: number, scale: number): number {
  if (word === 0 || scale > LARGEST_FAST_SCALE) return UNKNOWN_FLOOR;
  const most = fastMinusLn(word, bits);
  const high = Math.floor((most + MINUS_LN_SLACK) * scale * WIDEN);
  const low = Math.floor((Math.max(most - 1 / word - MINUS_LN_SLACK, 0) * scale) / WIDEN);
  return low === high ? low : UNKNOWN_FLOOR;
}

/** The numbers that −ln U may still be; draws digits until U > 0 is certain. */
export function minusLn(u: PartialUniform): Enclosure {
  u.revealLeadingOne();
  return minusLnEnclosure(u.enclosure());
}
