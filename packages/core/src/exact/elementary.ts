/**
 * A certified exponential: x = k·ln 2 + r with 0 ≤ r < 0.7, and e^x = 2^k·(e^(r/2^s))^(2^s) by Taylor's series
 * and s squarings in integers. A point gives at most two units in the last place up to e^x < 2^4096, and
 * precision + 4096 correct leading digits beyond. Cost: about 3·√precision multiplications; none at all where
 * e^x is below the last place. Proof: docs/proofs/enclosures.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { abs, bitLength, floorDiv, integerSqrt } from "./integers.js";
import { Interval } from "./interval.js";

/** The result has 1.44·x digits before the point: more than three megabytes are refused. */
const LARGEST_ARGUMENT_BITS = 24n;
/** How many digits before the point are computed; the others of a larger result are left open. */
const MOST_WHOLE_DIGITS = 4096;

/** e^x; the exponential is increasing, so the ends are those of the end points. */
export function expEnclosure(x: Interval): Interval {
  if (x.hi >> BigInt(x.precision) >= 1n << LARGEST_ARGUMENT_BITS) {
    throw invalidParameter("x", "an interval below 2^24", x);
  }
  const lower = expOfPoint(x.lo, x.precision);
  if (x.lo === x.hi) return lower;
  return new Interval(lower.lo, expOfPoint(x.hi, x.precision).hi, x.precision);
}

/** e^(a·2^−precision). */
function expOfPoint(a: bigint, precision: number): Interval {
  const shift = BigInt(precision);
  if (a === 0n) return new Interval(1n << shift, 1n << shift, precision);
  if (a < -shift << shift) return new Interval(0n, 1n, precision); // e^x < 2^x < 2^−precision
  const k = quotientByLn2(a, precision);
  const wholeDigits = Math.min(Math.max(k, 0), MOST_WHOLE_DIGITS);
  // Guard digits for the error count of expOfRest, below 3/2·bits + 57: it ends below 1/4 of a unit.
  const bits = precision + wholeDigits + bitLength(BigInt(precision + wholeDigits)) + 8;
  const power = expOfRest(restOf(a, precision, k, bits));
  return new Interval(power.lo, power.hi, power.precision - k).withPrecision(precision); // times 2^k
}

/**
 * An integer k ≤ x/ln 2 for x = a·2^−precision, less than 1 + 2^−13 below it: dividing by a bound of ln 2
 * that makes the quotient too small costs a relative 3·2^−bits, and |x|/ln 2 < 1.45·2^(bits − 16).
 */
function quotientByLn2(a: bigint, precision: number): number {
  const bits = bitLength(a) + 16;
  const { lo, hi } = ln2(bits);
  return Number(floorDiv(a << BigInt(bits), (a < 0n ? lo : hi) << BigInt(precision)));
}

/** r = x − k·ln 2 ∈ [0, 0.7) at the given precision, at most four units wide: 2|k| units of ln 2, rounded. */
function restOf(a: bigint, precision: number, k: number, bits: number): Interval {
  const wide = bits + bitLength(BigInt(k));
  const multiple = ln2(wide).times(BigInt(k));
  const { lo, hi } = new Interval(a, a, precision).withPrecision(wide).minus(multiple).withPrecision(bits);
  return new Interval(lo < 0n ? 0n : lo, hi, bits);
}

/**
 * e^r for an interval of r in [0, 0.7), where e^r < 2.02. Let y be the lower end over 2^s, a multiple of
 * 2^−v with v = bits + s. Everything is rounded down. In units of 2^−v:
 * - the terms y^j/j! are exact for j ≤ 1; after that d_{j+1} < d_j·y/(j + 1) + 1 < 2 (two nested floors are
 *   one): less than 2 for each term;
 * - the first term that became 0 was below 2 and those after it at least halve: less than 4 for the tail;
 * - the sum is e^y ≥ 1, so its relative error is δ < (2·terms + 4)·2^−v, and a squaring makes δ ← 2δ + 2^−v:
 *   after s of them δ < 2^s·(2·terms + 5)·2^−v = (2·terms + 5)·2^−bits;
 * - the upper end of r, u units of 2^−bits above the lower one, has e^(u·2^−bits) < 1 + 2u·2^−bits.
 * Both together: less than (2·terms + 5 + 2u)·2^−bits times e^r < 3.
 */
function expOfRest(r: Interval): Interval {
  const squarings = 1 << (bitLength(BigInt(r.precision)) >> 1); // near √bits
  const precision = r.precision + squarings;
  const shift = BigInt(precision);
  let [sum, terms] = [0n, 0n];
  for (let term = 1n << shift; term > 0n; term = ((term * r.lo) >> shift) / terms) {
    sum += term;
    terms++;
  }
  for (let i = 0; i < squarings; i++) sum = (sum * sum) >> shift;
  const error = (3n * (2n * terms + 5n + 2n * (r.hi - r.lo))) << BigInt(squarings);
  return new Interval(sum, sum + error, precision);
}

/*
 * A certified natural logarithm: x = m·2^e with 3/4 ≤ m < 3/2, and ln x = e·ln 2 + 2·atanh((m − 1)/(m + 1)) by
 * its power series in integers. A point gives at most two units in the last place, at any precision and for
 * any size of x. Cost: about precision/4.6 terms of one multiplication and one short division each.
 * Proof: docs/proofs/enclosures.md.
 */

/** ln x for an interval of positive numbers; ln is increasing, so its ends are those of the end points. */
export function lnEnclosure(x: Interval): Interval {
  if (x.lo <= 0n) throw invalidParameter("x", "an interval of numbers > 0", x);
  const lower = lnOfPoint(x.lo, x.precision);
  if (x.lo === x.hi) return lower;
  return new Interval(lower.lo, lnOfPoint(x.hi, x.precision).hi, x.precision);
}

/** ln(a·2^−precision) for a > 0. */
function lnOfPoint(a: bigint, precision: number): Interval {
  const digits = bitLength(a);
  // m = a/2^scale: in [1, 3/2) if the second leading digit of a is 0, else in [3/4, 1).
  const scale = a >> BigInt(Math.max(digits - 2, 0)) === 3n ? digits : digits - 1;
  const exponent = scale - precision;
  const one = 1n << BigInt(scale);
  // Guard digits for |e| copies of ln 2 and for one unit a term: the error ends far below one unit.
  const bits = precision + bitLength(BigInt(exponent)) + bitLength(BigInt(precision)) + 8;
  const series = twiceAtanh(abs(a - one), a + one, bits); // |z| ≤ max((1/4)/(7/4), (1/2)/(5/2)) = 1/5
  return ln2(bits)
    .times(BigInt(exponent))
    .plus(a < one ? series.negated() : series)
    .withPrecision(precision);
}

const LN2_STEP = 64;
const ln2OfBits = new Map<number, Interval>();

/** ln 2 = 2·atanh(1/3), at most two units wide; computed once for every 64 bits of precision. */
export function ln2(precision: number): Interval {
  // The error of the series is below bits + 6: these guard digits make it less than 1/16 of a unit.
  const guarded = precision + bitLength(BigInt(precision)) + 8;
  const bits = LN2_STEP * Math.ceil(guarded / LN2_STEP);
  let wide = ln2OfBits.get(bits);
  if (wide === undefined) {
    wide = twiceAtanh(1n, 3n, bits);
    ln2OfBits.set(bits, wide);
  }
  return wide.withPrecision(precision);
}

/**
 * 2·atanh(z) = 2·Σ z^(2j+1)/(2j+1) for z = numerator/denominator, 0 ≤ z ≤ 1/3. Everything is rounded down, so
 * the sum is too small; in units of 2^−bits, by
 * - less than 2/(1 − 1/9) = 9/4 because z was rounded down by less than 1 (the slope of 2·atanh);
 * - for each power: d₀ = 0 and d_{j+1} < d_j/9 + 1/3 + 1 (the old deficit times z², the deficit < 1 of z²
 *   times the power ≤ 1/3, the floor), hence d_j < 3/2; divided by 2j + 1 ≥ 3, with its floor, doubled:
 *   less than 2·(1/2 + 1) = 3 for each of the terms after the first, which is exact;
 * - for the tail: the first power that became 0 was below d < 3/2, and the powers after it fall ninefold:
 *   less than 2·(3/2)/(1 − 1/9)/3 = 9/8, as 2j + 1 ≥ 3 there (or z was rounded to 0, and there is no tail).
 * In all less than 9/4 + 3·(terms − 1) + 9/8 < 3·(terms + 1).
 */
function twiceAtanh(numerator: bigint, denominator: bigint, bits: number): Interval {
  if (numerator === 0n) return new Interval(0n, 0n, bits);
  const shift = BigInt(bits);
  const z = (numerator << shift) / denominator;
  const square = (z * z) >> shift;
  let [sum, odd] = [0n, 1n];
  for (let power = z; power > 0n; power = (power * square) >> shift) {
    sum += power / odd;
    odd += 2n;
  }
  const terms = (odd - 1n) / 2n;
  return new Interval(2n * sum, 2n * sum + 3n * (terms + 1n), bits);
}

/*
 * A certified square root: integer square roots of the two ends, rounded outward. A point gives a point or two
 * neighbours, which no enclosure at that precision can better. Proof: docs/proofs/enclosures.md.
 */

/** √x for an interval without negative numbers: √(a·2^−p) = √(a·2^p)·2^−p, and √ is increasing. */
export function sqrtEnclosure(x: Interval): Interval {
  if (x.lo < 0n) throw invalidParameter("x", "an interval of numbers >= 0", x);
  const shift = BigInt(x.precision);
  return new Interval(integerSqrt(x.lo << shift), ceilSqrt(x.hi << shift), x.precision);
}

function ceilSqrt(a: bigint): bigint {
  const root = integerSqrt(a);
  return root * root === a ? root : root + 1n;
}
