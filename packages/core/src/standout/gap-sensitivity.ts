/**
 * How far one individual can move the gap between the k-th and the next largest count, which is also how wide a gap must
 * be for the k largest to stay the k largest whatever one individual does. If all counts move the same way, as they do
 * when a person is added or removed, so do both ends of the gap: Δ. If a person is replaced by another, one end may
 * rise while the other falls: 2Δ, the default. Proof: largest-gap.proof.md.
 * @module
 */

import { bigInteger } from "../options.js";

/**
 * How one individual can change counts.
 *
 * @inline
 */
export interface CountOptions {
  /** How much one individual can change any one count, an integer. Default 1. */
  readonly sensitivity?: number | bigint | undefined;
  /** Whether an individual moves all counts the same way: people are added or removed, not replaced. Default false. */
  readonly monotone?: boolean | undefined;
}

export function gapSensitivity({ sensitivity = 1n, monotone = false }: CountOptions): bigint {
  return bigInteger("sensitivity", sensitivity) * (monotone ? 1n : 2n);
}
