/**
 * ln m! in IEEE + − × ÷, with a proven error: sums of certified logarithms up to 256, beyond that Stirling's series
 *   ln m! = (m + ½)·ln m − m + ½·ln 2π + 1/(12m) − θ,   0 < θ < 1/(360m³)                                       [Rob55]
 *
 * Guarantee: |lnFactorial(m) − ln m!| < LN_FACTORIAL_ERROR = 2^−15 for integers 0 ≤ m ≤ 2^30, the sum of
 *   2^−18    the error of ln m, below 2^−47.9 and multiplied by m + ½
 *   4·2^−19  four roundings of numbers below 2^35
 *   2^−32    what the series leaves out from 256 on; up to 256, 256 logarithms and additions below 2^11.
 * Cost: one logarithm and five operations. Proof: the header of fast-ln.ts and the terms above.
 * @module
 */
import { fastLn32 } from "./fast-ln.js";

/** |lnFactorial(m) − ln m!| is less than this, 2^−15. */
export const LN_FACTORIAL_ERROR = 1 / 0x8000;
/** The largest argument, 2^30. */
export const LARGEST_FACTORIAL = 0x4000_0000;

/** From here on the series is used. */
const FIRST_OF_SERIES = 256;
/** ½·ln 2π to half a unit in the last place. */
const HALF_LN_2_PI = 0.9189385332046728;

/** ln m! for an integer 0 ≤ m ≤ 2^30. */
export function lnFactorial(m: number): number {
  return m < FIRST_OF_SERIES ? lnFactorials(m + 1)[m] : series(m);
}

/** ln 0!, ln 1! and so on, as long a list as is asked for. */
export function lnFactorials(length: number): Float64Array {
  const table = new Float64Array(length);
  const sums = Math.min(length, FIRST_OF_SERIES);
  for (let m = 2; m < sums; m++) table[m] = table[m - 1] + fastLn32(m);
  for (let m = sums; m < length; m++) table[m] = series(m);
  return table;
}

function series(m: number): number {
  return (m + 0.5) * fastLn32(m) - m + HALF_LN_2_PI + 1 / (12 * m);
}
