/**
 * A certified exponential and a certified square root, of enclosures without the arithmetic of `Interval`.
 *
 * The exponential: x = k·ln 2 + r with 0 ≤ r < 0.7, and e^x = 2^k·(e^(r/2^s))^(2^s) by Taylor's series
 * and s squarings in integers. A point gives at most two units in the last place up to e^x < 2^4096, and
 * precision + 4096 correct leading digits beyond. Cost: about 3·√precision multiplications; none at all where
 * e^x is below the last place. The square root: integer square roots of both ends, rounded outward. Proof: enclosures.proof.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { bitLength, floorDiv, integerSqrt } from "./integers.js";
import { type Enclosure, ln2, rounded } from "./ln.js";

/** The result has 1.44·x digits before the point: more than three megabytes are refused. */
const LARGEST_ARGUMENT_BITS = 24n;
/** How many digits before the point are computed; the others of a larger result are left open. */
const MOST_WHOLE_DIGITS = 4096;

/** e^x; the exponential is increasing, so the ends are those of the end points. */
export function expEnclosure(x: Enclosure): Enclosure {
  if (x.hi >> BigInt(x.precision) >= 1n << LARGEST_ARGUMENT_BITS) {
    throw invalidParameter("x", "an interval below 2^24", x);
  }
  const lower = expOfPoint(x.lo, x.precision);
  if (x.lo === x.hi) return lower;
  return { lo: lower.lo, hi: expOfPoint(x.hi, x.precision).hi, precision: x.precision };
}

/** e^(a·2^−precision). */
function expOfPoint(a: bigint, precision: number): Enclosure {
  const shift = BigInt(precision);
  if (a === 0n) return { lo: 1n << shift, hi: 1n << shift, precision };
  if (a < -shift << shift) return { lo: 0n, hi: 1n, precision }; // e^x < 2^x < 2^−precision
  const k = quotientByLn2(a, precision);
  const wholeDigits = Math.min(Math.max(k, 0), MOST_WHOLE_DIGITS);
  // Guard digits for the error count of expOfRest, below 3/2·bits + 57: it ends below 1/4 of a unit.
  const digits = precision + wholeDigits;
  const bits = digits + bitLength(BigInt(digits)) + 8;
  const power = expOfRest(restOf(a, precision, k, bits));
  return rounded(power.lo, power.hi, power.precision - k, precision); // times 2^k
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
function restOf(a: bigint, precision: number, k: number, bits: number): Enclosure {
  const wide = bits + bitLength(BigInt(k));
  const { lo: below, hi: above } = ln2(wide);
  const [least, most] = k < 0 ? [above, below] : [below, above]; // of k·ln 2, as multiples of k
  const point = rounded(a, a, precision, wide);
  const { lo, hi } = rounded(point.lo - most * BigInt(k), point.hi - least * BigInt(k), wide, bits);
  return { lo: lo < 0n ? 0n : lo, hi, precision: bits };
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
function expOfRest(r: Enclosure): Enclosure {
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
  return { lo: sum, hi: sum + error, precision };
}

/**
 * √x for an interval without negative numbers: √(a·2^−p) = √(a·2^p)·2^−p, and √ is increasing. A point gives a point or two
 * neighbours, which no enclosure at that precision can better.
 */
export function sqrtEnclosure(x: Enclosure): Enclosure {
  if (x.lo < 0n) throw invalidParameter("x", "an interval of numbers >= 0", x);
  const shift = BigInt(x.precision);
  return { lo: integerSqrt(x.lo << shift), hi: ceilSqrt(x.hi << shift), precision: x.precision };
}

function ceilSqrt(a: bigint): bigint {
  const root = integerSqrt(a);
  return root * root === a ? root : root + 1n;
}
