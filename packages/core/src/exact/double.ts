/**
 * The step from exact numbers to doubles, in a stated direction. Everything that Winnow reports as a `number`
 * passes through here: a loss is rounded up, a budget for calibration down.
 * @module
 */
import { abs, bitLength } from "./integers.js";
import type { Rounding } from "./rational.js";

const SIGNIFICAND_BITS = 53;
/** Every double is a multiple of 2^−1074. */
const SMALLEST_EXPONENT = -1074;

/**
 * numerator/denominator (denominator > 0) as a double: the largest not above it (`down`), the smallest not
 * below it (`up`), or the nearest, ties to even. Beyond the largest double: ±Infinity on the side that
 * `rounding` asks for, ±Number.MAX_VALUE on the other.
 */
export function roundToDouble(numerator: bigint, denominator: bigint, rounding: Rounding): number {
  // 0 − x instead of −x: what is rounded up to zero is 0, not −0.
  if (numerator < 0n) return 0 - roundMagnitude(abs(numerator), denominator, opposite(rounding));
  return numerator === 0n ? 0 : roundMagnitude(numerator, denominator, rounding);
}

function opposite(rounding: Rounding): Rounding {
  return rounding === "up" ? "down" : rounding === "down" ? "up" : "nearest";
}

function roundMagnitude(numerator: bigint, denominator: bigint, rounding: Rounding): number {
  // value / 2^exponent has 53 or 54 binary digits before the point, or fewer where doubles are subnormal.
  const exponent = Math.max(
    bitLength(numerator) - bitLength(denominator) - SIGNIFICAND_BITS,
    SMALLEST_EXPONENT,
  );
  const scaled = exponent >= 0 ? numerator : numerator << BigInt(-exponent);
  const unit = exponent >= 0 ? denominator << BigInt(exponent) : denominator;
  return significand(scaled, unit, exponent, rounding);
}

function significand(scaled: bigint, unit: bigint, exponent: number, rounding: Rounding): number {
  const floor = scaled / unit;
  if (bitLength(floor) > SIGNIFICAND_BITS) return significand(scaled, unit << 1n, exponent + 1, rounding);
  const twiceRest = (scaled - floor * unit) << 1n;
  const nearestIsUp = twiceRest > unit || (twiceRest === unit && (floor & 1n) === 1n);
  const roundUp = rounding === "up" ? twiceRest > 0n : rounding === "nearest" && nearestIsUp;
  const value = timesPowerOfTwo(Number(roundUp ? floor + 1n : floor), exponent);
  return value === Infinity && rounding === "down" ? Number.MAX_VALUE : value;
}

const STEP = 30;

/** significand·2^exponent by multiplications that are each exact: the result has at most 53 digits or overflows. */
function timesPowerOfTwo(significand: number, exponent: number): number {
  let value = significand;
  let left = exponent;
  for (; left >= STEP && value !== Infinity; left -= STEP) value *= 1 << STEP;
  for (; left <= -STEP; left += STEP) value /= 1 << STEP;
  return left >= 0 ? value * (1 << (left % STEP)) : value / (1 << -left);
}
