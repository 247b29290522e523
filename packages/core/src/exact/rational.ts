/**
 * Exact rational numbers: every parameter of Winnow is one. A `number` is read as the decimal that it prints
 * as, so `0.1` is 1/10 and not the double next to it. A `Rational` is immutable, in lowest terms, with a
 * positive denominator.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { abs, bitLength, ceilDiv, floorDiv, gcd, integerSqrt } from "./integers.js";
import { type Rounding, roundToDouble } from "./round-to-double.js";

/**
 * Which way an irrational number is rounded: up for a loss, down for a budget.
 *
 * @inline
 */
export type Direction = "up" | "down";

const SIGNIFICANT_DIGITS = 15;

/** Fractions up to this denominator are kept as they are. */
const LARGEST_DENOMINATOR = 1_000_000n;

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

/**
 * Accepted wherever a rational is expected: `"1/3"`, `"0.1"`, `"1e-6"`, `1n`, `0.1`, a `Rational`, and what
 * `structuredClone` makes of one.
 */
export type RationalLike = Fraction | bigint | number | string;

/**
 * A fraction as a plain object; `Rational` is one.
 *
 * @inline
 */
export interface Fraction {
  /** Any integer. */
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

/**
 * An exact rational number: immutable, in lowest terms, with a positive denominator. `rational` reads one.
 *
 * @example
 * ```ts
 * import { Rational, rational } from "winnow-dp";
 *
 * const third = rational("1/3");
 * third instanceof Rational; // → true
 * third.times(3).plus("1/2"); // → 1.5
 * third.toNumber("up"); // → 0.33333333333333337
 * ```
 */
export class Rational {
  /** The number 0. */
  static readonly ZERO = new Rational(0n, 1n);
  /** The number 1. */
  static readonly ONE = new Rational(1n, 1n);
  static {
    for (const name of ["ZERO", "ONE"]) Object.defineProperty(Rational, name, { writable: false }); // used everywhere
  }

  /** The numerator in lowest terms, with the sign of the number. */
  readonly numerator: bigint;
  /** The denominator in lowest terms, always above 0. */
  readonly denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
    Object.freeze(this); // 40 ns; private fields would be as quick as public ones, but a structured clone loses them
  }

  /** numerator/denominator in lowest terms; the denominator may be negative but not zero. */
  static of(numerator: bigint, denominator = 1n): Rational {
    if (denominator === 0n) throw invalidParameter("denominator", "an integer other than 0", denominator);
    const divisor = gcd(numerator, denominator) * (denominator < 0n ? -1n : 1n);
    return new Rational(numerator / divisor, denominator / divisor);
  }

  /** numerator/denominator for safe integers and a denominator > 0, reduced before they become bigints, which is quicker. */
  static ofNumbers(numerator: number, denominator: number): Rational {
    let divisor = Math.abs(numerator);
    for (let rest = denominator; rest > 0; ) {
      const next = divisor % rest;
      divisor = rest;
      rest = next;
    }
    return new Rational(BigInt(numerator / divisor), BigInt(denominator / divisor));
  }

  /** The sum, exactly. */
  plus(other: RationalLike): Rational {
    const { numerator, denominator } = rational(other);
    return Rational.of(
      this.numerator * denominator + numerator * this.denominator,
      this.denominator * denominator,
    );
  }

  /** The difference, exactly. */
  minus(other: RationalLike): Rational {
    return this.plus(rational(other).negated());
  }

  /** The product, exactly. */
  times(other: RationalLike): Rational {
    const { numerator, denominator } = rational(other);
    return Rational.of(this.numerator * numerator, this.denominator * denominator);
  }

  /** The quotient, exactly; a divisor of 0 is refused. */
  dividedBy(other: RationalLike): Rational {
    const { numerator, denominator } = rational(other);
    if (numerator === 0n) throw invalidParameter("divisor", "a rational other than 0", other);
    return Rational.of(this.numerator * denominator, this.denominator * numerator);
  }

  /** The same number with the other sign. */
  negated(): Rational {
    return new Rational(-this.numerator, this.denominator);
  }

  /** −1, 0 or 1 as this is below, equal to or above the other, exactly; `<` and `>` compare the nearest doubles only. */
  compare(other: RationalLike): -1 | 0 | 1 {
    const { numerator, denominator } = rational(other);
    const [left, right] = [this.numerator * denominator, numerator * this.denominator];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** Whether both are the same number, in whatever way they were written. */
  equals(other: RationalLike): boolean {
    return this.compare(other) === 0;
  }

  /** Whether the denominator is 1. */
  isInteger(): boolean {
    return this.denominator === 1n;
  }

  /** The largest integer that is not above this, also for negative values. */
  floor(): bigint {
    return floorDiv(this.numerator, this.denominator);
  }

  /** The smallest integer that is not below this, also for negative values. */
  ceil(): bigint {
    return ceilDiv(this.numerator, this.denominator);
  }

  /** The double at, just above or just below this value, or the nearest one (ties to even). */
  toNumber(rounding: Rounding = "nearest"): number {
    return roundToDouble(this.numerator, this.denominator, rounding);
  }

  /** `"3"`, `"12.3"` where the decimal is finite, else `"1/3"`; `rational()` reads them back, up to 25,000 characters. */
  toString(): string {
    if (this.isInteger()) return String(this.numerator);
    const places = decimalPlaces(this.denominator);
    if (places === undefined) return `${this.numerator}/${this.denominator}`;
    const digits = String((abs(this.numerator) * 10n ** BigInt(places)) / this.denominator).padStart(
      places + 1,
      "0",
    );
    return `${this.numerator < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  }

  /** The text of `toString`, so that JSON keeps the number exactly. */
  toJSON(): string {
    return this.toString();
  }

  /** The nearest double for `Number(r)`, `+r`, `r < 1` and `r + 1`; the exact text for `${r}`. */
  [Symbol.toPrimitive](hint: string): number | string {
    return hint === "string" ? this.toString() : this.toNumber();
  }

  /** How `console.log` of Node, Bun and Deno shows it: `Rational(1/3)`. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Rational(${this})`;
  }
}

/** Past this many decimal places a finite decimal is harder to read than the fraction. */
const MOST_PLACES = 20;

/** How many decimal places 1/denominator needs, if finitely (and readably) many. */
function decimalPlaces(denominator: bigint): number | undefined {
  for (let places = 1, power = 10n; places <= MOST_PLACES; places++, power *= 10n) {
    if (power % denominator === 0n) return places;
  }
  return undefined;
}

/**
 * Longer texts and larger exponents are refused: `"1e999999999"` would fill the memory. So is a text of a number that prints longer:
 * all that is accepted is accepted again as it is printed.
 */
export const LONGEST_TEXT = 25_000;

const LARGEST_EXPONENT = 10_000;

/** Whether `rational()` reads this back from its text. */
export function isReadable(value: Rational): boolean {
  const { numerator, denominator } = value;
  // A digit has more than three bits.
  if (bitLength(numerator) + bitLength(denominator) < 3 * LONGEST_TEXT) return true;
  return String(value).length <= LONGEST_TEXT;
}

/** The accepted values, in words. */
export const A_RATIONAL = 'a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1';

/** Sign, whole digits, then the denominator of a fraction, or the decimal places and the exponent. */
const NUMBER = /^([+-]?)(\d*)(?:\/(\d+)|(?:\.(\d*))?(?:e([+-]?\d{1,6}))?)$/i;

/**
 * Reads a rational exactly: `"1/3"`, `"0.1"`, `"1e-6"`, `1n`, and a number as the decimal that it prints as.
 *
 * @param value What is read.
 * @param field The name of the parameter in the error, should it be refused.
 *
 * @example
 * ```ts
 * import { rational } from "winnow-dp";
 *
 * rational(0.1).plus(0.2); // → 0.3
 * rational("1e-6").dividedBy(3n); // → 1/3000000
 * rational(Number.NaN, "epsilon"); // → throws epsilon must be a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1; got NaN
 * ```
 */
export function rational(value: RationalLike, field = "value"): Rational {
  const read = readRational(value);
  if (read === undefined) throw invalidParameter(field, A_RATIONAL, value);
  return read;
}

/** Reads a rational exactly; undefined if the value isn't one. */
export function readRational(value: RationalLike): Rational | undefined {
  if (value instanceof Rational) return value;
  if (typeof value === "bigint") return Rational.of(value);
  if (Number.isSafeInteger(value)) return Rational.ofNumbers(value as number, 1);
  const isText = typeof value === "number" || typeof value === "string";
  return isText ? parse(String(value).trim()) : fromClone(value);
}

/** A `Rational` of another copy of this module, or one that came through `structuredClone`, has lost its class. */
function fromClone(value: Fraction): Rational | undefined {
  const { numerator, denominator } = Object(value);
  const isFraction = typeof numerator === "bigint" && typeof denominator === "bigint" && denominator > 0n;
  return isFraction ? Rational.of(numerator, denominator) : undefined;
}

function parse(text: string): Rational | undefined {
  const parts = text.length > LONGEST_TEXT ? null : NUMBER.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole, over = "1", places = "", exponent = "0"] = parts;
  const denominator = BigInt(over);
  if (whole + places === "" || denominator === 0n || Math.abs(Number(exponent)) > LARGEST_EXPONENT)
    return undefined;
  const numerator = BigInt(sign + whole + places);
  const shift = Number(exponent) - places.length;
  const power = 10n ** BigInt(Math.abs(shift));
  const read =
    shift < 0 ? Rational.of(numerator, denominator * power) : Rational.of(numerator * power, denominator);
  return isReadable(read) ? read : undefined;
}
