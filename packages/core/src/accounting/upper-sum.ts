/**
 * Sums of losses that stay short after any number of additions, and are never below the true sum.
 *
 * Exact sums of different fractions grow with every one of them. So a sum is exact while its numbers have a short common
 * denominator, of at most 200 digits: ten times 0.1 is 1, and three times 1/3 is 1. Beyond that, each number is rounded up to
 * a multiple of 10^−100 before it is added. Both sums are kept, so the answer depends on the numbers alone and not on
 * their order, and the length of both is bounded.
 *
 * For numbers below 1, digits are counted from the first that isn't 0: of the limit that the sum is compared with, or of the
 * largest number. Proof: composition.proof.md.
 * @module
 */
import { ceilDiv, gcd } from "../exact/integers.js";
import { Rational, wholeDigits } from "../exact/rational.js";
import { type Extended, isAtMost, isBounded } from "./extended.js";

/** Numbers are rounded up to this many decimal places, counted from the first digit that isn't 0. */
const PLACES = 100n;
/** Sums are exact as long as a common denominator has at most this many digits, counted alike. */
const EXACT_DIGITS = 200n;

/** Numbers over a common denominator. */
interface Exact {
  readonly numerator: bigint;
  readonly common: bigint;
}

/** An immutable sum. */
export class UpperSum {
  /** The number of units of rounded numbers in 1. */
  readonly #units: bigint;
  readonly #longest: bigint;
  readonly #exact: Exact | undefined;
  /** In units, each number rounded up; undefined if one of them was Infinity. */
  readonly #rounded: bigint | undefined;
  #value: Extended | undefined;

  private constructor(units: bigint, longest: bigint, exact: Exact | undefined, rounded: bigint | undefined) {
    this.#units = units;
    this.#longest = longest;
    this.#exact = exact;
    this.#rounded = rounded;
  }

  /** 0, for a sum that is compared with this limit: parts of the limit itself add up exactly. */
  static within(limit: Extended): UpperSum {
    const denominator = isBounded(limit) ? limit.denominator : 1n;
    return UpperSum.#empty(limit, denominator * 10n ** EXACT_DIGITS);
  }

  /** 0, for a sum of numbers the largest of which is this. */
  static upTo(largest: Extended): UpperSum {
    return UpperSum.#empty(largest, 10n ** (EXACT_DIGITS + zerosOf(largest)));
  }

  static #empty(size: Extended, longest: bigint): UpperSum {
    return new UpperSum(10n ** (PLACES + zerosOf(size)), longest, { numerator: 0n, common: 1n }, 0n);
  }

  /** The sum with this number ≥ 0, `times` times. */
  plus(size: Extended, times = 1n): UpperSum {
    const [units, longest] = [this.#units, this.#longest];
    if (times === 0n || (isBounded(size) && size.numerator === 0n)) return this;
    if (!isBounded(size) || this.#rounded === undefined)
      return new UpperSum(units, longest, undefined, undefined);
    const rounded = this.#rounded + ceilDiv(size.numerator * units, size.denominator) * times;
    return new UpperSum(units, longest, this.#exactPlus(size, times), rounded);
  }

  #exactPlus({ numerator, denominator }: Rational, times: bigint): Exact | undefined {
    if (this.#exact === undefined) return undefined;
    const common = leastCommonMultiple(this.#exact.common, denominator);
    if (common > this.#longest) return undefined;
    const before = this.#exact.numerator * (common / this.#exact.common);
    return { numerator: before + numerator * times * (common / denominator), common };
  }

  /** At least the sum of all numbers. */
  get value(): Extended {
    this.#value ??= this.#valueNow();
    return this.#value;
  }

  #valueNow(): Extended {
    if (this.#rounded === undefined) return Infinity;
    if (this.#exact === undefined) return Rational.of(this.#rounded, this.#units);
    return Rational.of(this.#exact.numerator, this.#exact.common);
  }
}

/** At least the sum of these numbers ≥ 0; one number alone is itself. */
export function upperSum(sizes: readonly Extended[]): Extended {
  const positive = sizes.filter((size) => !isBounded(size) || size.numerator !== 0n);
  if (positive.length <= 1) return positive[0] ?? Rational.ZERO;
  const largest = positive.reduce((one, other) => (isAtMost(one, other) ? other : one));
  return positive.reduce((sum, size) => sum.plus(size), UpperSum.upTo(largest)).value;
}

function leastCommonMultiple(one: bigint, other: bigint): bigint {
  return one % other === 0n ? one : one * (other / gcd(one, other));
}

/** A size above 0 is above 10 to minus this. */
function zerosOf(size: Extended): bigint {
  if (!isBounded(size) || size.numerator === 0n) return 0n;
  return BigInt(Math.max(1 - wholeDigits(size), 0));
}
