/**
 * A certified square root: integer square roots of the two ends, rounded outward. A point gives a point or two
 * neighbours, which no enclosure at that precision can better. Proof: docs/proofs/enclosures.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { integerSqrt } from "./integers.js";
import { Interval } from "./interval.js";

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
