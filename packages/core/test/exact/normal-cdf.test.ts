import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { normalCdfEnclosure, pi } from "../../src/exact/normal-cdf.js";

describe("normalCdfEnclosure", () => {
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
