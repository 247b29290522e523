/**
 * An independent opinion on exp and ln: decimal.js with as many digits as the comparison needs. It shares no
 * code with the enclosures, and no idea either: it works in decimal floating point.
 */
import { Decimal } from "decimal.js";
import { expect } from "vitest";
import { bitLength } from "../../src/exact/integers.js";
import type { Interval } from "../../src/exact/interval.js";
import type { Rational } from "../../src/exact/rational.js";

/**
 * Twice the precision, because e^(2^−p) and ln(1 + 2^−p) are that close to a multiple of 2^−p; the digits
 * before the point; and thirty to spare.
 */
function digitsFor({ lo, hi, precision }: Interval): number {
  const bits = Math.max(precision, 0) + Math.max(precision, bitLength(lo), bitLength(hi));
  return Math.ceil(0.302 * bits) + 30;
}

/** Asserts that `enclosure` contains f(x) and is at most two units wide. */
export function expectAroundDecimal(enclosure: Interval, f: "exp" | "ln", x: Rational): void {
  const Wide = Decimal.clone({ precision: digitsFor(enclosure) });
  const exact = new Wide(x.numerator.toString()).div(x.denominator.toString());
  const truth = exact[f]().times(new Wide(2).pow(enclosure.precision)); // in units
  expect(truth.gte(enclosure.lo.toString()) && truth.lte(enclosure.hi.toString())).toBe(true);
  expect(enclosure.hi - enclosure.lo).toBeLessThanOrEqual(2n);
}
