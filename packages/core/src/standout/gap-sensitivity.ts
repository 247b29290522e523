/**
 * How far one individual can move the gap between the k-th and the next largest count, which is also how wide a gap must
 * be for the k largest to stay the k largest whatever one individual does. If all counts move the same way, as they do
 * when a person is added or removed, so do both ends of the gap: Δ. If a person is replaced by another, one end may
 * rise while the other falls: 2Δ, the default. Proof: largest-gap.proof.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { type RationalLike, readRational } from "../exact/rational.js";

/**
 * How one individual can change counts.
 *
 * @inline
 */
export interface CountOptions {
  /** How much one individual can change any one count: an integer, because counts are. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** Whether an individual moves all counts the same way: people are added or removed, not replaced. Default false. */
  readonly monotone?: boolean | undefined;
}

export function gapSensitivity({ sensitivity = 1n, monotone = false }: CountOptions): bigint {
  return countSensitivity("sensitivity", sensitivity) * (monotone ? 1n : 2n);
}

/** The reader of a sensitivity of counts, in whatever way the integer is written. */
export function countSensitivity(field: string, value: RationalLike): bigint {
  const read = readRational(value);
  if (read?.isInteger() === true && read.numerator >= 1n) return read.numerator;
  throw invalidParameter(field, "an integer >= 1", value);
}
