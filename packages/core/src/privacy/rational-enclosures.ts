/**
 * Enclosures that a rational's own numerator and denominator make sharp, however small or large it is.
 * @module
 */
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import type { Rational } from "../exact/rational.js";

/** ln of a rational > 0: the difference of the logarithms of two integers, which are never rounded to 0. */
export function lnOf({ numerator, denominator }: Rational, precision: number): Interval {
  return Interval.from(numerator, precision).ln().minus(Interval.from(denominator, precision).ln());
}

/** An n with value/2 ≥ 2^−n, so that many digits beyond it are digits of the value. */
export function zerosAfterPoint({ numerator, denominator }: Rational): number {
  return Math.max(bitLength(denominator) - bitLength(numerator), 0) + 2;
}
