import { Decimal } from "decimal.js";
import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { normalCdfEnclosure, pi } from "../../src/exact/normal-cdf.js";
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

  it("has the values of the tables", () => {
    const between = (x: string, from: string, to: string) => {
      const value = normalCdfEnclosure(Interval.from(x, 128));
      expect(value.isAbove(from) && value.isBelow(to)).toBe(true);
    };
    between("1.96", "0.97500210485177", "0.97500210485178");
    between("-1", "0.15865525393145705", "0.15865525393145706");
    between("-8", "6.2209605742717e-16", "6.2209605742719e-16");
  });

  it("is exactly 1/2 at 0, and its tails end at 0 and 1", () => {
    const half = normalCdfEnclosure(Interval.from(0, 64));
    expect(half.contains("1/2")).toBe(true);
    const [low, high] = [-100, 100].map((x) => normalCdfEnclosure(Interval.from(x, 64)));
    expect([low.lo, low.hi]).toEqual([0n, 1n]);
    expect([high.lo, high.hi]).toEqual([(1n << 64n) - 1n, 1n << 64n]);
  });

  it("takes the ends of an interval from its end points", () => {
    const whole = normalCdfEnclosure(Interval.hull("-1/3", 2, 64));
    const [lower, upper] = ["-1/3", 2].map((x) => normalCdfEnclosure(Interval.from(x, 64)));
    expect([whole.lo, whole.hi]).toEqual([lower.lo, upper.hi]);
  });
});

describe("pi", () => {
  it("is at most two units wide at every precision up to 400, and each encloses the finest", () => {
    const finest = pi(1000).lower();
    for (let precision = 1; precision <= 400; precision++) {
      const value = pi(precision);
      expect(value.hi - value.lo).toBeLessThanOrEqual(2n);
      expect(value.contains(finest)).toBe(true);
    }
  });

  it("has the digits of the literature", () => {
    const digits = 31415926535897932384626433832795028841971693993751n;
    expect(pi(300).isAbove(`${digits}e-49`) && pi(300).isBelow(`${digits + 1n}e-49`)).toBe(true);
  });
});
