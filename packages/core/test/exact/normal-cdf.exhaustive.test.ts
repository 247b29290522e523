import { Decimal } from "decimal.js";
import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { normalCdfEnclosure } from "../../src/exact/normal-cdf.js";
import type { Rational } from "../../src/exact/rational.js";

/** Φ(x) by another series, the alternating one of the error function, in decimal.js with digits to spare. */
function normalCdfInDecimal(x: Rational, digits: number): Decimal {
  const Wide = Decimal.clone({ precision: digits });
  const value = new Wide(x.numerator.toString()).div(x.denominator.toString());
  let [power, sum] = [value, value];
  for (let n = 1; power.abs().gt(new Wide(10).pow(-digits)); n++) {
    power = power
      .times(value)
      .times(value)
      .div(-2 * n);
    sum = sum.plus(power.div(2 * n + 1));
  }
  return sum.div(Wide.acos(-1).times(2).sqrt()).plus(0.5);
}

function expectAroundNormalCdf(a: bigint, precision: number): void {
  const enclosure = normalCdfEnclosure(new Interval(a, a, precision));
  const x = new Interval(a, a, precision).lower();
  // The terms grow to e^(x²/2), and cancel.
  const digits = Math.ceil(0.302 * precision + 0.45 * x.times(x).toNumber("up")) + 30;
  const truth = normalCdfInDecimal(x, digits).times(new Decimal(2).pow(precision));
  expect(truth.gte(enclosure.lo.toString()) && truth.lte(enclosure.hi.toString())).toBe(true);
  expect(enclosure.hi - enclosure.lo).toBeLessThanOrEqual(2n);
}

describe("normalCdfEnclosure", () => {
  it.each([8, 32, 53, 64, 128, 200])("is certain and tight from −12 to 12, at %i bits", (precision) => {
    Decimal.set({ precision: 200 });
    for (let i = -36n; i <= 36n; i++) {
      const a = (i << BigInt(precision)) / 3n;
      expectAroundNormalCdf(a, precision);
      expectAroundNormalCdf(a + 1n, precision);
    }
  });
});
