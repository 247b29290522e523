/**
 * From a certified enclosure to a short rational on the private side. An irrational loss is rounded up and a
 * budget down, to at least 15 significant decimal digits, so that what is reported is at least the true value,
 * at most 1 + 10⁻¹⁴ times it, and can be read.
 * @module
 */
import { bitLength, ceilDiv, floorDiv, integerSqrt } from "../exact/integers.js";
import { asInterval, Interval } from "../exact/interval.js";
import { ln2 } from "../exact/ln.js";
import { Rational } from "../exact/rational.js";
import { type Extended, isBounded } from "./loss.js";

/** Which way an irrational number is rounded: up for a loss, down for a budget. */
export type Direction = "up" | "down";
/** Encloses one real number with the given number of binary places. */
export type Enclosure = (precision: number) => Interval;

const SIGNIFICANT_DIGITS = 15;
/** Fractions up to this denominator are kept as they are. */
const LARGEST_DENOMINATOR = 1_000_000n;
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

/** The next multiple of a power of ten that leaves at least 15 significant digits. */
export function toDigits(value: Rational, direction: Direction): Rational {
  const places = SIGNIFICANT_DIGITS - wholeDigits(value);
  const { numerator, denominator } = value.times(powerOfTen(places));
  const rounded = direction === "up" ? ceilDiv(numerator, denominator) : floorDiv(numerator, denominator);
  return powerOfTen(-places).times(rounded);
}

/** The value itself where it is a simple fraction, else rounded. */
export function shortened(value: Rational, direction: Direction): Rational {
  return value.denominator <= LARGEST_DENOMINATOR ? value : toDigits(value, direction);
}

/**
 * A loss that follows from the noise, with few enough digits to be added up for years: rounded up, and never above the
 * budget that the noise was made for, if the loss isn't.
 */
export function reportedLoss(loss: Rational, budget?: Rational): Rational {
  const rounded = shortened(loss, "up");
  const isMet = budget !== undefined && loss.compare(budget) <= 0;
  return isMet && rounded.compare(budget) > 0 ? budget : rounded;
}

/** √value to at least 15 digits, in integers alone: a root that is a short decimal comes out exactly. */
export function rootToDigits(value: Rational, direction: Direction): Rational {
  const places = SIGNIFICANT_DIGITS - (wholeDigits(value) >> 1);
  const square = value.times(powerOfTen(2 * places));
  const root = integerSqrt(square.floor());
  const exact = square.equals(root * root);
  return powerOfTen(-places).times(exact || direction === "down" ? root : root + 1n);
}

/** About how many digits a value has before the point, negative for zeros after it: 10^(w−1) < |value| < 10^(w+1). */
export function wholeDigits({ numerator, denominator }: Rational): number {
  return String(numerator).replace("-", "").length - String(denominator).length;
}

function powerOfTen(exponent: number): Rational {
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? Rational.of(1n, power) : Rational.of(power);
}

/*
 * Enclosures that a rational's own numerator and denominator make sharp, however small or large it is.
 */

/** ln of a rational > 0: the difference of the logarithms of two integers, which are never rounded to 0. */
export function lnOf({ numerator, denominator }: Rational, precision: number): Interval {
  return Interval.from(numerator, precision).ln().minus(Interval.from(denominator, precision).ln());
}

/** An n with value/2 ≥ 2^−n, so that many digits beyond it are digits of the value. */
export function zerosAfterPoint({ numerator, denominator }: Rational): number {
  return Math.max(bitLength(denominator) - bitLength(numerator), 0) + 2;
}

/*
 * The step between base 2 and the natural base: ε = η·ln 2, rounded up in either direction.
 */

/** ε = η·ln 2. */
export function naturalOf(eta: Extended): Extended {
  return isBounded(eta) ? roundedUp((precision) => asInterval(ln2(precision)).times(eta)) : Infinity;
}

/** η = ε/ln 2. */
export function base2Of(epsilon: Extended): Extended {
  return isBounded(epsilon) ? roundedUp((precision) => quotient(epsilon, precision)) : Infinity;
}

/** The largest η with η·ln 2 ≤ ε. */
export function base2AtMost(epsilon: Rational): Rational {
  return roundedDown((precision) => quotient(epsilon, precision));
}

function quotient(epsilon: Rational, precision: number): Interval {
  return Interval.from(epsilon, precision).dividedBy(asInterval(ln2(precision)));
}
