import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";

const bounds = ({ lo, hi }: Interval) => [lo, hi];

describe("Interval.from and Interval.hull", () => {
  it("give a point where the number is a multiple of the unit, and two neighbours elsewhere", () => {
    expect(bounds(Interval.from("3/4", 2))).toEqual([3n, 3n]);
    expect(bounds(Interval.from("1/3", 2))).toEqual([1n, 2n]);
    expect(bounds(Interval.from("-1/3", 2))).toEqual([-2n, -1n]);
    expect(bounds(Interval.hull("-1/3", "1/3", 4))).toEqual([-6n, 6n]);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])("refuse a precision of %s", (precision) => {
    expect(() => Interval.from(1, precision)).toThrow("precision must be an integer >= 1");
  });

  it("refuse what is no number, and ends in the wrong order", () => {
    expect(() => Interval.from("a", 64)).toThrow("value must be a rational");
    expect(() => Interval.hull("a", 1, 64)).toThrow("lo must be a rational");
    expect(() => Interval.hull(1, Number.NaN, 64)).toThrow("hi must be a rational");
    expect(() => Interval.hull("1/2", "1/3", 64)).toThrow('hi must be a rational >= lo; got "1/3"');
  });
});

describe("Interval arithmetic", () => {
  const around = (lo: number, hi: number) => Interval.hull(lo, hi, 8);

  it("multiplies intervals of all signs by their corners", () => {
    expect(around(2, 3).times(around(5, 7))).toEqual(around(10, 21));
    expect(around(-3, -2).times(around(5, 7))).toEqual(around(-21, -10));
    expect(around(-3, -2).times(around(-7, -5))).toEqual(around(10, 21));
    expect(around(-3, 2).times(around(-5, 7))).toEqual(around(-21, 15));
    expect(around(-3, 2).times(around(5, 7))).toEqual(around(-21, 14));
    expect(around(-2, 3).times(-2)).toEqual(around(-6, 4));
  });

  it("divides intervals of all signs by one that excludes 0", () => {
    expect(around(6, 12).dividedBy(around(2, 3))).toEqual(around(2, 6));
    expect(around(-12, 6).dividedBy(around(2, 3))).toEqual(around(-6, 3));
    expect(around(-12, -6).dividedBy(around(2, 3))).toEqual(around(-6, -2));
    expect(around(6, 12).dividedBy(around(-3, -2))).toEqual(around(-6, -2));
    expect(around(6, 12).dividedBy(-2)).toEqual(around(-6, -3));
  });

  it.each([
    [0, 0],
    [0, 1],
    [-1, 0],
    [-1, 1],
  ])("refuses to divide by [%i, %i]", (lo, hi) => {
    expect(() => around(1, 2).dividedBy(around(lo, hi))).toThrow(
      "divisor must be an interval that excludes 0",
    );
  });

  it("takes exact numbers on the other side", () => {
    expect(around(1, 2).plus("1/2")).toEqual(Interval.hull("3/2", "5/2", 8));
    expect(around(1, 2).minus(3)).toEqual(around(-2, -1));
    expect(around(1, 2).times(3)).toEqual(around(3, 6));
    expect(around(1, 2).times(0)).toEqual(around(0, 0));
    expect(bounds(around(1, 2).plus("1/3"))).toEqual([341n, 598n]); // of 256ths: 341⅓ and 597⅓
    expect(bounds(around(1, 2).dividedBy(-3))).toEqual([-171n, -85n]);
  });

  it("scales by rationals far finer than its own unit", () => {
    const tiny = rational("1e-40");
    expect(around(1, 2).dividedBy(tiny).times(tiny)).toEqual(around(1, 2));
    expect(() => around(1, 2).dividedBy(0)).toThrow("divisor must be a rational other than 0");
  });

  it("refuses another interval of a different precision", () => {
    const [coarse, fine] = [Interval.from(1, 8), Interval.from(1, 9)];
    for (const combine of ["plus", "minus", "times", "dividedBy", "isBelow", "isAbove"] as const) {
      expect(() => coarse[combine](fine)).toThrow("precision must be 8 bits on both sides; got 9");
    }
  });

  it("raises to whole powers", () => {
    expect(around(2, 3).power(0)).toEqual(around(1, 1));
    expect(around(2, 3).power(1)).toEqual(around(2, 3));
    expect(around(2, 3).power(5n)).toEqual(around(32, 243));
    expect(around(-3, -2).power(3)).toEqual(around(-27, -8));
    for (const n of [-1, 0.5, Number.NaN, -1n]) {
      expect(() => around(2, 3).power(n)).toThrow("n must be an integer >= 0");
    }
  });

  it("keeps a high power of a point within two units", () => {
    const base = Interval.from("1023/1024", 64);
    const power = base.power(1000);
    expect(power.hi - power.lo).toBeLessThanOrEqual(2n);
    expect(power.contains(Rational.of(1023n ** 1000n, 1024n ** 1000n))).toBe(true);
  });

  it("widens outward when it loses precision and not when it gains", () => {
    const value = Interval.hull("-1/3", "1/3", 8); // [−86, 86]
    expect(bounds(value.withPrecision(4))).toEqual([-6n, 6n]);
    expect(bounds(value.withPrecision(10))).toEqual([-344n, 344n]);
    expect(value.withPrecision(8)).toBe(value);
  });
});

describe("Interval comparisons", () => {
  const middle = Interval.hull("1/4", "1/2", 8);

  it("are true only when they are certain", () => {
    expect(middle.isBelow(Interval.hull("3/4", 1, 8))).toBe(true);
    expect(middle.isBelow(Interval.hull("1/2", 1, 8))).toBe(false);
    expect(middle.isAbove(Interval.hull(0, "1/8", 8))).toBe(true);
    expect(middle.isAbove(Interval.hull(0, "1/4", 8))).toBe(false);
    expect(middle.isBelow(middle) || middle.isAbove(middle)).toBe(false);
  });

  it("are exact against rationals finer than the unit", () => {
    const hair = rational("1e-30");
    expect(middle.isBelow(rational("1/2").plus(hair))).toBe(true);
    expect(middle.isBelow("1/2")).toBe(false);
    expect(middle.isAbove(rational("1/4").minus(hair))).toBe(true);
    expect(middle.isAbove("1/4")).toBe(false);
    expect(middle.contains("1/2") && middle.contains("1/4")).toBe(true);
    expect(middle.contains(rational("1/2").plus(hair))).toBe(false);
    expect(middle.contains(rational("1/4").minus(hair))).toBe(false);
  });

  it("show the ends exactly and as doubles on the safe side", () => {
    const third = Interval.from("1/3", 80);
    expect(third.lower().compare("1/3")).toBe(-1);
    expect(third.upper().compare("1/3")).toBe(1);
    expect(third.toNumber("down")).toBe(0.3333333333333333);
    expect(third.toNumber("up")).toBe(0.33333333333333337);
    expect([middle.toNumber("down"), middle.toNumber("up")]).toEqual([0.25, 0.5]);
    expect(JSON.stringify(Interval.hull("-3/4", 2, 8))).toBe('{"lower":"-0.75","upper":"2"}');
  });
});
