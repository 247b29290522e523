/**
 * Certified fixed point: a real number known to lie in [lo, hi]·2^−precision, with integers lo ≤ hi. Every
 * operation rounds outward, so whatever numbers the operands enclose, the result encloses theirs. Where an
 * enclosure is too wide to decide by, compute it again with more precision.
 *
 * The functions `exp` and `sqrt` are in elementary.ts, and `ln` is in ln.ts; both know enclosures, not this class. Proof: enclosures.proof.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { expEnclosure, sqrtEnclosure } from "./elementary.js";
import { bitLength, ceilDiv, ceilShift, floorDiv } from "./integers.js";
import { type Enclosure, lnEnclosure, rounded } from "./ln.js";
import { Rational, type RationalLike, rational } from "./rational.js";
import { roundToDouble } from "./round-to-double.js";

/**
 * Another interval of the same precision, or an exact number.
 *
 * @inline
 */
export type IntervalLike = Interval | RationalLike;

/**
 * A real number that is known to lie between two multiples of 2^−precision.
 *
 * Every operation rounds outward: whatever numbers the operands enclose, the result encloses theirs.
 *
 * @example
 * ```ts
 * import { Interval } from "winnow-dp";
 *
 * const enclosure = Interval.from("1/3", 64).times(3);
 * enclosure.isAbove("9/10"); // → true
 * ```
 */
export class Interval {
  /** The lower end, in units of 2^−precision. */
  readonly lo: bigint;
  /** The upper end, in units of 2^−precision. */
  readonly hi: bigint;
  /** The binary places of both ends. */
  readonly precision: number;

  /** [lo, hi]·2^−precision; the caller answers for lo ≤ hi. */
  constructor(lo: bigint, hi: bigint, precision: number) {
    this.lo = lo;
    this.hi = hi;
    this.precision = precision;
    Object.freeze(this);
  }

  /** The narrowest interval around one number: a point, or two neighbouring multiples of 2^−precision. */
  static from(value: RationalLike, precision: number): Interval {
    const exact = rational(value);
    return Interval.hull(exact, exact, precision);
  }

  /** The narrowest interval around all numbers from lo to hi. */
  static hull(lo: RationalLike, hi: RationalLike, precision: number): Interval {
    if (!Number.isSafeInteger(precision) || precision < 1) {
      throw invalidParameter("precision", "an integer >= 1", precision);
    }
    const [from, to] = [rational(lo, "lo"), rational(hi, "hi")];
    if (from.compare(to) > 0) throw invalidParameter("hi", "a rational >= lo", hi);
    const shift = BigInt(precision);
    return new Interval(
      floorDiv(from.numerator << shift, from.denominator),
      ceilDiv(to.numerator << shift, to.denominator),
      precision,
    );
  }

  /** Encloses the sum. */
  plus(other: IntervalLike): Interval {
    const { lo, hi } = this.alike(other);
    return new Interval(this.lo + lo, this.hi + hi, this.precision);
  }

  /** Encloses the difference. */
  minus(other: IntervalLike): Interval {
    const { lo, hi } = this.alike(other);
    return new Interval(this.lo - hi, this.hi - lo, this.precision);
  }

  /** Encloses the number with the other sign, no wider. */
  negated(): Interval {
    return new Interval(-this.hi, -this.lo, this.precision);
  }

  /** Encloses the product: the extremes of x·y over a rectangle are at its corners. */
  times(other: IntervalLike): Interval {
    if (!(other instanceof Interval)) return this.timesRational(rational(other));
    const { lo, hi } = this.alike(other);
    let [least, most] = [this.lo * lo, this.hi * hi];
    for (const corner of [most, this.lo * hi, this.hi * lo, least]) {
      if (corner < least) least = corner;
      if (corner > most) most = corner;
    }
    const shift = BigInt(this.precision);
    return new Interval(least >> shift, ceilShift(most, shift), this.precision);
  }

  /** Encloses the quotient. The divisor must exclude 0; x/y is then monotone in each of its arguments. */
  dividedBy(other: IntervalLike): Interval {
    if (!(other instanceof Interval)) return this.timesRational(Rational.ONE.dividedBy(other));
    const { lo, hi } = this.alike(other);
    if (hi < 0n) return this.negated().dividedBy(other.negated());
    if (lo <= 0n) throw invalidParameter("divisor", "an interval that excludes 0", other);
    const shift = BigInt(this.precision);
    return new Interval(
      floorDiv(this.lo << shift, this.lo < 0n ? lo : hi),
      ceilDiv(this.hi << shift, this.hi < 0n ? hi : lo),
      this.precision,
    );
  }

  /** Encloses e to the power of the number. */
  exp(): Interval {
    return asInterval(expEnclosure(this));
  }

  /** Encloses the natural logarithm of a number that is certainly above 0. */
  ln(): Interval {
    return asInterval(lnEnclosure(this));
  }

  /** Encloses the square root of a number that is certainly not below 0. */
  sqrt(): Interval {
    return asInterval(sqrtEnclosure(this));
  }

  /** this^n for an integer n ≥ 0, by squaring, with guard digits for the roundings on the way. */
  power(n: bigint | number): Interval {
    const whole = typeof n === "bigint" || Number.isSafeInteger(n);
    if (!whole || n < 0) throw invalidParameter("n", "an integer >= 0", n);
    const exponent = BigInt(n);
    let square = this.withPrecision(this.precision + 2 * bitLength(exponent));
    let product = Interval.from(1n, square.precision);
    for (let rest = exponent; rest > 0n; rest >>= 1n) {
      if ((rest & 1n) === 1n) product = product.times(square);
      if (rest > 1n) square = square.times(square);
    }
    return product.withPrecision(this.precision);
  }

  /** The same enclosure with more digits (exactly) or fewer (outward). */
  withPrecision(precision: number): Interval {
    if (precision === this.precision) return this;
    return asInterval(rounded(this.lo, this.hi, this.precision, precision));
  }

  /** The lower end, exactly. */
  lower(): Rational {
    return Rational.of(this.lo, 1n << BigInt(this.precision));
  }

  /** The upper end, exactly. */
  upper(): Rational {
    return Rational.of(this.hi, 1n << BigInt(this.precision));
  }

  /** Both ends as exact text. */
  toJSON(): { lower: string; upper: string } {
    return { lower: this.lower().toString(), upper: this.upper().toString() };
  }

  /** A double that is certainly not below (`up`) or not above (`down`) the enclosed number. */
  toNumber(rounding: "up" | "down"): number {
    return roundToDouble(rounding === "up" ? this.hi : this.lo, 1n << BigInt(this.precision), rounding);
  }

  /** Whether every number of this is below every number of the other. */
  isBelow(other: IntervalLike): boolean {
    if (other instanceof Interval) return this.hi < this.alike(other).lo;
    const { numerator, denominator } = rational(other);
    return this.hi * denominator < numerator << BigInt(this.precision);
  }

  /** Whether every number of this is above every number of the other. */
  isAbove(other: IntervalLike): boolean {
    return this.negated().isBelow(other instanceof Interval ? other.negated() : rational(other).negated());
  }

  /** Whether the value may be the enclosed number. */
  contains(value: RationalLike): boolean {
    return !this.isBelow(value) && !this.isAbove(value);
  }

  private alike(other: IntervalLike): Interval {
    if (!(other instanceof Interval)) return Interval.from(other, this.precision);
    if (other.precision === this.precision) return other;
    throw invalidParameter("precision", `${this.precision} bits on both sides`, other.precision);
  }

  /** One rounding at the end: sharper than enclosing the factor first, above all for a large or tiny one. */
  private timesRational({ numerator, denominator }: Rational): Interval {
    const [lo, hi] = numerator < 0n ? [this.hi, this.lo] : [this.lo, this.hi];
    return new Interval(
      floorDiv(lo * numerator, denominator),
      ceilDiv(hi * numerator, denominator),
      this.precision,
    );
  }
}

/** An enclosure with arithmetic. */
export function asInterval({ lo, hi, precision }: Enclosure): Interval {
  return new Interval(lo, hi, precision);
}
