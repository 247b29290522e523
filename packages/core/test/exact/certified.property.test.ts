import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base2AtMost, base2Of } from "../../src/accounting/base2-parameter.js";
import {
  ceiling,
  isCertainlyAtMost,
  lnOf,
  roundedDown,
  roundedUp,
  zerosAfterPoint,
} from "../../src/exact/certified.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rootToDigits, shortened, toDigits } from "../../src/exact/rational.js";
import { rationals } from "./arbitrary.js";

const magnitude = (value: Rational) => (value.numerator < 0n ? value.negated() : value);
const TINY = Rational.of(1n, 10n ** 14n);

function expectBeside(rounded: Rational, value: Rational, side: "up" | "down"): void {
  expect(rounded.compare(value) * (side === "up" ? 1 : -1)).toBeGreaterThanOrEqual(0);
  expect(magnitude(rounded.minus(value)).compare(magnitude(value).times(TINY))).toBeLessThanOrEqual(0);
}

describe("rounding to the private side", () => {
  it("is on the stated side of any rational, of both signs, and within 1e-14 of it", () => {
    fc.assert(
      fc.property(rationals(300), (value) => {
        expectBeside(toDigits(value, "up"), value, "up");
        expectBeside(toDigits(value, "down"), value, "down");
        expectBeside(
          roundedUp((precision) => Interval.from(value, precision)),
          value,
          "up",
        );
        expectBeside(
          roundedDown((precision) => Interval.from(value, precision)),
          value,
          "down",
        );
        expectBeside(shortened(value, "up"), value, "up");
      }),
    );
  });

  it("is short: a multiple of a power of ten below 10^17", () => {
    fc.assert(
      fc.property(rationals(300), (value) => {
        let rounded = toDigits(value, "up");
        while (!rounded.isInteger()) rounded = rounded.times(10n);
        const digits = String(rounded).replace("-", "").replace(/0+$/, "");
        expect(digits.length).toBeLessThanOrEqual(17);
      }),
    );
  });

  it("keeps simple fractions, up to a denominator of a million", () => {
    const [simple, long] = [Rational.of(10n ** 20n + 1n, 1_000_000n), Rational.of(1n, 1_000_003n)];
    expect(shortened(simple, "up")).toEqual(simple);
    expect(shortened(long, "up")).toEqual(toDigits(long, "up"));
  });

  it("stops at 2048 binary places, on the stated side", () => {
    const tiny = Rational.of(1n, 2n ** 3000n);
    const asked: number[] = [];
    const rounded = roundedUp((precision) => {
      asked.push(precision);
      return Interval.from(tiny, precision);
    });
    expect(asked).toEqual([128, 256, 512, 1024, 2048]);
    expect(rounded.compare(tiny)).toBeGreaterThan(0);
  });

  it("asks for no more binary places than it needs, on either side of 0", () => {
    for (const value of [Rational.of(1n, 3n), Rational.of(-1n, 3n)]) {
      const asked: number[] = [];
      roundedUp((precision) => {
        asked.push(precision);
        return Interval.from(value, precision);
      });
      expect(asked).toEqual([128]);
    }
  });

  it("gives the largest η that costs at most ε", () => {
    const [down, up] = [base2AtMost(Rational.ONE), base2Of(Rational.ONE)];
    expect(down.toNumber()).toBeCloseTo(Math.LOG2E, 14);
    expect(down.compare(up as Rational)).toBeLessThan(0);
  });

  it("knows how many digits a small number needs", () => {
    expect(zerosAfterPoint(Rational.of(1n, 1024n))).toBe(12);
    expect(zerosAfterPoint(Rational.of(1023n, 1024n))).toBe(3);
    expect(zerosAfterPoint(Rational.of(1024n))).toBe(2);
  });

  it("takes roots in integers, exact where they are", () => {
    fc.assert(
      fc.property(rationals(100).map(magnitude), (value) => {
        const [up, down] = [rootToDigits(value, "up"), rootToDigits(value, "down")];
        expect(up.times(up).compare(value)).toBeGreaterThanOrEqual(0);
        expect(down.times(down).compare(value)).toBeLessThanOrEqual(0);
        expect(up.minus(down).compare(up.times(TINY).times(2n))).toBeLessThanOrEqual(0);
      }),
    );
    expect(rootToDigits(Rational.of(1n, 100n), "up")).toEqual(Rational.of(1n, 10n));
    expect(rootToDigits(Rational.of(1n, 100n), "down")).toEqual(Rational.of(1n, 10n));
  });
});

describe("isCertainlyAtMost", () => {
  const of = (value: Rational) => (precision: number) => Interval.from(value, precision);

  it("tells numbers apart that differ in the thousandth digit", () => {
    const bound = Rational.of(1n, 3n);
    const little = Rational.of(1n, 2n ** 1500n);
    expect(isCertainlyAtMost(of(bound.minus(little)), bound)).toBe(true);
    expect(isCertainlyAtMost(of(bound.plus(little)), bound)).toBe(false);
  });

  it("says yes to the bound itself, and compares numbers that are smaller than any precision", () => {
    const [half, tiny] = [Rational.of(1n, 2n), Rational.of(1n, 2n ** 3000n)];
    expect(isCertainlyAtMost(of(half), half)).toBe(true);
    expect(isCertainlyAtMost(of(tiny.times(half)), tiny)).toBe(true);
  });

  it("says no where it cannot tell", () => {
    expect(isCertainlyAtMost(of(Rational.of(1n, 3n)), Rational.of(1n, 3n))).toBe(false);
  });
});

describe("ceiling", () => {
  /** The ceiling, and with how many binary places it was asked for. */
  const ofTried = (enclose: (precision: number) => Interval) => {
    const asked: number[] = [];
    const ceil = ceiling((precision) => {
      asked.push(precision);
      return enclose(precision);
    });
    return [ceil, asked] as const;
  };
  const of = (value: Rational) => (precision: number) => Interval.from(value, precision);
  const little = Rational.of(1n, 2n ** 200n);

  it("takes the first digits where they tell", () => {
    expect(ofTried(of(Rational.of(7n, 3n)))).toEqual([3n, [128]]);
    expect(ofTried(of(Rational.of(-7n, 3n)))).toEqual([-2n, [128]]);
  });

  it("takes more digits next to an integer", () => {
    expect(ofTried(of(little.plus(3)))).toEqual([4n, [128, 256]]);
  });

  it("is the larger candidate where no digits tell", () => {
    const around = (precision: number) =>
      new Interval((3n << BigInt(precision)) - 1n, (3n << BigInt(precision)) + 1n, precision);
    expect(ofTried(around)).toEqual([4n, [128, 256, 512, 1024, 2048]]);
  });
});

describe("lnOf", () => {
  it("encloses the logarithm of a fraction that is nothing at that precision", () => {
    const ln = lnOf(Rational.of(1n, 2n ** 500n), 64);
    expect(ln.isBelow("-346.573590279972654")).toBe(true);
    expect(ln.isAbove("-346.573590279972655")).toBe(true);
  });
});
