import { describe, expect, it } from "vitest";
import { asInterval, Interval } from "../../src/exact/interval.js";
import { ln2 as encloseLn2, lnEnclosure } from "../../src/exact/ln.js";
import { expectAroundDecimal } from "./decimal-oracle.js";

const PRECISIONS = [1, 2, 3, 16, 31, 32, 33, 53, 64, 100, 128, 192, 256, 512];

function expectLn(a: bigint, precision: number): void {
  const x = new Interval(a, a, precision);
  if (!x.contains(1)) expectAroundDecimal(asInterval(lnEnclosure(x)), "ln", x.lower());
}

const ln2 = (precision: number) => asInterval(encloseLn2(precision));

describe("lnEnclosure", () => {
  it.each(PRECISIONS)("is certain and tight next to powers of two, at %i bits", (precision) => {
    for (const exponent of [0, 1, 2, precision - 1, precision, precision + 1, 2 * precision]) {
      const power = 1n << BigInt(exponent);
      for (const a of [power - 1n, power, power + 1n]) if (a > 0n) expectLn(a, precision);
    }
  });

  it.each(PRECISIONS)("is certain and tight where the reduction changes sides, at %i bits", (precision) => {
    for (const exponent of [precision - 2, precision, precision + 7]) {
      const border = (3n << BigInt(Math.max(exponent, 1))) >> 1n;
      for (const a of [border - 1n, border, border + 1n]) if (a > 0n) expectLn(a, precision);
    }
  });

  it.each([16, 64, 128, 512])(
    "is certain and tight for numbers as large as 2^5000, at %i bits",
    (precision) => {
      const huge = 1n << BigInt(5000 + precision);
      for (const a of [huge - 1n, huge, huge + 1n, 3n * huge]) expectLn(a, precision);
    },
  );

  it("is certain and tight for 2^1000000, whose logarithm takes a million copies of ln 2", () => {
    for (const precision of [1, 16, 128]) {
      const huge = 1n << BigInt(1_000_000 + precision);
      const logarithm = new Interval(huge, huge, precision).ln();
      expect(logarithm.contains(ln2(200).lower().times(1_000_000))).toBe(true);
      expect(logarithm.hi - logarithm.lo).toBeLessThanOrEqual(2n);
    }
  });

  it("is certain and tight for numbers as small as 2^-5000", () => {
    const logarithm = (a: bigint) => new Interval(a, a, 5000).ln();
    for (const a of [1n, 2n, 3n, 10n ** 9n + 7n]) {
      const tiny = logarithm(a); // ln(a·2^−5000) = ln a − 5000·ln 2
      const other = logarithm(a << 5000n).minus(ln2(5020).times(5000).withPrecision(5000));
      expect(tiny.isBelow(other) || tiny.isAbove(other)).toBe(false);
      expect(tiny.hi - tiny.lo).toBeLessThanOrEqual(2n);
    }
  });

  it("is exactly 0 at 1", () => {
    for (const precision of PRECISIONS) {
      const { lo, hi } = Interval.from(1, precision).ln();
      expect([lo, hi]).toEqual([0n, 0n]);
    }
  });

  it("takes the ends of an interval from its end points", () => {
    const [lower, upper] = [Interval.from("1/4", 64), Interval.from(5, 64)];
    const whole = Interval.hull("1/4", 5, 64).ln();
    expect([whole.lo, whole.hi]).toEqual([lower.ln().lo, upper.ln().hi]);
  });

  it("refuses an interval that reaches 0, without repeating what is in it", () => {
    for (const lo of [0, "-1/3"]) {
      expect(() => Interval.hull(lo, 1, 64).ln()).toThrow(
        "x must be an interval of numbers > 0; got a value of type object",
      );
    }
  });
});

describe("ln2", () => {
  it("is at most two units wide at every precision up to 600, and each encloses the finest", () => {
    const finest = ln2(2000).lower();
    for (let precision = 1; precision <= 600; precision++) {
      const coarse = ln2(precision);
      expect(coarse.precision).toBe(precision);
      expect(coarse.hi - coarse.lo).toBeLessThanOrEqual(2n);
      expect(coarse.contains(finest)).toBe(true);
    }
  });

  it("has the digits of the literature", () => {
    const digits =
      "69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641";
    const value = ln2(400);
    expect(value.isAbove(`0.${digits}`)).toBe(true);
    expect(value.isBelow(`0.${BigInt(digits) + 1n}`)).toBe(true);
  });
});
