import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import {
  LARGEST_FACTORIAL,
  LN_FACTORIAL_ERROR,
  lnFactorial,
  lnFactorials,
} from "../../src/exact/ln-factorial.js";

/** ln m! with 1/(12m) − 1/(360m³) < error term < 1/(12m) [Rob55], to 80 places. */
function stirling(m: number): Interval {
  const precision = 80;
  const ln2Pi = Interval.hull("1.8378770664093454835606594", "1.8378770664093454835606595", precision);
  const lnM = Interval.from(m, precision + 40)
    .ln()
    .times(2 * m + 1)
    .dividedBy(2)
    .withPrecision(precision);
  const term = Interval.hull(`1/${12 * m + 1}`, `1/${12 * m}`, precision);
  return lnM.minus(m).plus(ln2Pi.dividedBy(2)).plus(term);
}

describe("lnFactorial", () => {
  it("states an error of 2^−15", () => {
    expect(LN_FACTORIAL_ERROR).toBe(2 ** -15);
  });

  it("is certified up to 300 by sums of logarithms", () => {
    let exact = Interval.from(0, 80);
    const table = lnFactorials(301);
    for (let m = 0; m <= 300; m++) {
      if (m > 1) exact = exact.plus(Interval.from(m, 80).ln());
      expect(exact.minus(lnFactorial(m)).isBelow(LN_FACTORIAL_ERROR)).toBe(true);
      expect(exact.minus(lnFactorial(m)).isAbove(-LN_FACTORIAL_ERROR)).toBe(true);
      expect(table[m]).toBe(lnFactorial(m));
    }
  });

  it.each([1000, 65_537, 1_000_003, 2 ** 25 - 1, LARGEST_FACTORIAL])("is certified at %i", (m) => {
    const off = stirling(m).minus(lnFactorial(m));
    expect(off.isBelow(LN_FACTORIAL_ERROR) && off.isAbove(-LN_FACTORIAL_ERROR)).toBe(true);
  });
});
