/**
 * From a certified enclosure to a short rational on the private side. An irrational loss is rounded up and a
 * budget down, to at least 15 significant decimal digits, so that what is reported is at least the true value,
 * at most 1 + 10⁻¹⁴ times it, and can be read.
 * @module
 */

import { bitLength } from "./integers.js";
import { Interval } from "./interval.js";
import { type Rational, toDigits } from "./rational.js";

/** Encloses one real number with the given number of binary places. */
export type Enclosure = (precision: number) => Interval;

const FIRST_PRECISION = 128;

/** Numbers below 2^−2000 keep fewer digits: bounds they remain. */
const LARGEST_PRECISION = 2048;

/** An enclosure is narrow enough when it is 2^50 times narrower than its distance from 0. */
const NARROW = 50n;

export function roundedUp(enclose: Enclosure): Rational {
  return toDigits(narrow(enclose).upper(), "up");
}

export function roundedDown(enclose: Enclosure): Rational {
  return toDigits(narrow(enclose).lower(), "down");
}

function narrow(enclose: Enclosure): Interval {
  for (let precision = FIRST_PRECISION; ; precision *= 2) {
    const value = enclose(precision);
    const { lo, hi } = value;
    const distanceFromZero = lo > 0n ? lo : -hi;
    if ((hi - lo) << NARROW <= distanceFromZero || precision >= LARGEST_PRECISION) return value;
  }
}

/**
 * Whether the enclosed number is certainly at most the bound > 0: true or false as soon as it can be told, and false
 * where it cannot with many digits more than the bound needs.
 */
export function isCertainlyAtMost(enclose: Enclosure, bound: Rational): boolean {
  for (let digits = FIRST_PRECISION; digits <= LARGEST_PRECISION; digits *= 2) {
    const value = enclose(digits + zerosAfterPoint(bound));
    if (value.isAbove(bound)) return false;
    if (value.upper().compare(bound) <= 0) return true;
  }
  return false;
}

/** ln of a rational > 0: the difference of the logarithms of two integers, which are never rounded to 0. */
export function lnOf({ numerator, denominator }: Rational, precision: number): Interval {
  return Interval.from(numerator, precision).ln().minus(Interval.from(denominator, precision).ln());
}

/** An n with value/2 ≥ 2^−n, so that many digits beyond it are digits of the value. */
export function zerosAfterPoint({ numerator, denominator }: Rational): number {
  return Math.max(bitLength(denominator) - bitLength(numerator), 0) + 2;
}

/** ⌈x⌉ of an irrational x; should its neighbourhood resist all precision, the larger of the two candidates. */
export function ceiling(enclose: Enclosure): bigint {
  for (let precision = FIRST_PRECISION; ; precision *= 2) {
    const value = enclose(precision);
    const ceil = value.upper().ceil();
    if (value.lower().ceil() === ceil || precision >= LARGEST_PRECISION) return ceil;
  }
}

/** Digits for the roundings of some ten operations on numbers below 4. */
export const GUARD = 48;
