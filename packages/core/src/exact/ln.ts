/**
 * A certified natural logarithm: x = m·2^e with 3/4 ≤ m < 3/2, and ln x = e·ln 2 + 2·atanh((m − 1)/(m + 1)) by
 * its power series in integers. A point gives at most two units in the last place, at any precision and for
 * any size of x. Cost: about precision/4.6 terms of one multiplication and one short division each.
 * Proof: docs/proofs/enclosures.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { abs, bitLength } from "./integers.js";
import { Interval } from "./interval.js";

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
