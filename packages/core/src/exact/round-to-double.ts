/**
 * The step from exact numbers to doubles, in a stated direction. Everything that Winnow reports as a `number`
 * passes through here: a loss is rounded up, a budget for calibration down.
 * @module
 */

import { abs, bitLength } from "./integers.js";

/**
 * Which neighbour to take when a value is not a double: `up` is towards +∞, `down` towards −∞.
 *
 * @inline
 */
export type Rounding = "up" | "down" | "nearest";

/** Every double is a multiple of 2^−1074. */
const SMALLEST_EXPONENT = -1074;

/** The bits of Infinity; those of the largest double are one less. */
const INFINITY_BITS = 0x7ff0_0000_0000_0000n;

/**
 * numerator/denominator (denominator > 0) as a double: the largest not above it (`down`), the smallest not
 * below it (`up`), or the nearest, ties to even. Beyond the largest double: ±Infinity on the side that
 * `rounding` asks for, ±Number.MAX_VALUE on the other.
 */
export function roundToDouble(numerator: bigint, denominator: bigint, rounding: Rounding): number {
  if (numerator === 0n) return 0;
  const [above, below] = [Number(numerator), Number(denominator)];
  if (rounding === "nearest" && Number.isSafeInteger(above) && Number.isSafeInteger(below))
    return above / below; // of two exact doubles, rounded once
  const isNegative = numerator < 0n;
  const isAway = (rounding === "up") !== isNegative; // from zero, unless to the nearest
  // value/2^exponent has 53 or 54 binary digits before the point, or fewer where doubles are subnormal.
  let exponent = Math.max(bitLength(numerator) - bitLength(denominator) - 53, SMALLEST_EXPONENT);
  const scaled = abs(numerator) << BigInt(Math.max(-exponent, 0));
  let unit = denominator << BigInt(Math.max(exponent, 0));
  if ((scaled / unit) >> 53n > 0n) {
    unit <<= 1n;
    exponent++;
  }
  const floor = scaled / unit;
  const twiceRest = (scaled - floor * unit) << 1n;
  const isNearerUp = twiceRest > unit || (twiceRest === unit && floor % 2n === 1n);
  const isUp = rounding === "nearest" ? isNearerUp : isAway && twiceRest > 0n;
  // The digits of a double are its exponent and its significand, one after the other: a carry moves from one to the other.
  const bits = (BigInt(exponent - SMALLEST_EXPONENT) << 52n) + floor + (isUp ? 1n : 0n);
  const most = rounding === "nearest" || isAway ? INFINITY_BITS : INFINITY_BITS - 1n;
  const [value] = new Float64Array(BigUint64Array.of(bits < most ? bits : most).buffer);
  return isNegative ? 0 - value : value; // what is rounded up to zero is 0, not −0
}
