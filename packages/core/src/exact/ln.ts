/**
 * A certified natural logarithm: x = m·2^e with 3/4 ≤ m < 3/2, and ln x = e·ln 2 + 2·atanh((m − 1)/(m + 1)) by
 * its power series in integers. A point gives at most two units in the last place, at any precision and for
 * any size of x. Cost: about precision/4.6 terms of one multiplication and one short division each.
 *
 * It stands apart from `Interval`, because the race needs this one function and none of the class.
 * Proof: enclosures.proof.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { abs, bitLength, ceilShift } from "./integers.js";

/** A real number that is known to lie in [lo, hi]·2^−precision. `Interval` is one, with arithmetic. */
export interface Enclosure {
  readonly lo: bigint;
  readonly hi: bigint;
  readonly precision: number;
}

/** ln x for an interval of positive numbers; ln is increasing, so its ends are those of the end points. */
export function lnEnclosure({ lo, hi, precision }: Enclosure): Enclosure {
  if (lo <= 0n) throw invalidParameter("x", "an interval of numbers > 0", { lo, hi, precision });
  const lower = lnOfPoint(lo, precision);
  return lo === hi ? lower : { lo: lower.lo, hi: lnOfPoint(hi, precision).hi, precision };
}

/** −ln x for the same. */
export function minusLnEnclosure(x: Enclosure): Enclosure {
  const { lo, hi, precision } = lnEnclosure(x);
  return { lo: -hi, hi: -lo, precision };
}

/** ln(a·2^−precision) for a > 0. */
function lnOfPoint(a: bigint, precision: number): Enclosure {
  const digits = bitLength(a);
  // m = a/2^scale: in [1, 3/2) if the second leading digit of a is 0, else in [3/4, 1).
  const scale = a >> BigInt(Math.max(digits - 2, 0)) === 3n ? digits : digits - 1;
  const exponent = BigInt(scale - precision);
  const one = 1n << BigInt(scale);
  // Guard digits for |e| copies of ln 2 and for one unit a term: the error ends far below one unit.
  const bits = precision + bitLength(exponent) + bitLength(BigInt(precision)) + 8;
  const two = ln2(bits);
  const series = twiceAtanh(abs(a - one), a + one, bits); // |z| ≤ max((1/4)/(7/4), (1/2)/(5/2)) = 1/5
  const [least, most] = exponent < 0n ? [two.hi, two.lo] : [two.lo, two.hi];
  const [lower, upper] = a < one ? [-series.hi, -series.lo] : [series.lo, series.hi];
  return rounded(least * exponent + lower, most * exponent + upper, bits, precision);
}

/** [lo, hi]·2^−bits with fewer digits (outward) or more (exactly). */
export function rounded(lo: bigint, hi: bigint, bits: number, precision: number): Enclosure {
  const surplus = BigInt(bits - precision);
  return { lo: lo >> surplus, hi: ceilShift(hi, surplus), precision };
}

const LN2_STEP = 64;
const ln2OfBits: Enclosure[] = [];

/** ln 2 = 2·atanh(1/3), at most two units wide; computed once for every 64 bits of precision. */
export function ln2(precision: number): Enclosure {
  // The error of the series is below bits + 6: these guard digits make it less than 1/16 of a unit.
  const steps = Math.ceil((precision + bitLength(BigInt(precision)) + 8) / LN2_STEP);
  ln2OfBits[steps] ??= twiceAtanh(1n, 3n, LN2_STEP * steps);
  const { lo, hi } = ln2OfBits[steps];
  return rounded(lo, hi, LN2_STEP * steps, precision);
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
function twiceAtanh(numerator: bigint, denominator: bigint, bits: number): Enclosure {
  const shift = BigInt(bits);
  const z = (numerator << shift) / denominator;
  const square = (z * z) >> shift;
  let [sum, odd] = [0n, 1n];
  for (let power = z; power > 0n; power = (power * square) >> shift) {
    sum += power / odd;
    odd += 2n;
  }
  const error = numerator === 0n ? 0n : (3n * (odd + 1n)) / 2n; // 3·(terms + 1)
  return { lo: 2n * sum, hi: 2n * sum + error, precision: bits };
}
