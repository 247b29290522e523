import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { roundToDouble } from "../../src/exact/round-to-double.js";

const LARGEST = (2n ** 53n - 1n) * 2n ** 971n;

describe("roundToDouble", () => {
  it.each([
    [1n, 3n, 0.3333333333333333, 0.33333333333333337, 0.3333333333333333],
    [-1n, 3n, -0.33333333333333337, -0.3333333333333333, -0.3333333333333333],
    [1n, 10n, 0.09999999999999999, 0.1, 0.1],
    [3n, 4n, 0.75, 0.75, 0.75],
    [0n, 9n, 0, 0, 0],
  ])("gives %d/%d down, up and nearest", (numerator, denominator, down, up, nearest) => {
    expect(roundToDouble(numerator, denominator, "down")).toBe(down);
    expect(roundToDouble(numerator, denominator, "up")).toBe(up);
    expect(roundToDouble(numerator, denominator, "nearest")).toBe(nearest);
  });

  it("breaks ties to the even neighbour", () => {
    const one = 2n ** 53n;
    expect(roundToDouble(one + 1n, one, "nearest")).toBe(1);
    expect(roundToDouble(one + 3n, one, "nearest")).toBe(1 + 2 ** -51);
    expect(roundToDouble(2n ** 60n + 2n ** 7n + 1n, 1n, "nearest")).toBe(2 ** 60 + 2 ** 8);
    expect(roundToDouble(-one - 1n, one, "nearest")).toBe(-1);
  });

  it("carries into the next power of two", () => {
    const below = 2n ** 54n - 1n;
    expect(roundToDouble(below, 1n, "down")).toBe(2 ** 54 - 2);
    expect(roundToDouble(below, 1n, "up")).toBe(2 ** 54);
    expect(roundToDouble(below, 1n, "nearest")).toBe(2 ** 54);
  });

  it("is exact to the last digit among subnormal doubles", () => {
    const smallest = 2n ** 1074n;
    expect(roundToDouble(1n, smallest, "down")).toBe(Number.MIN_VALUE);
    expect(roundToDouble(1n, smallest, "up")).toBe(Number.MIN_VALUE);
    expect(roundToDouble(5n, 2n * smallest, "down")).toBe(2 * Number.MIN_VALUE);
    expect(roundToDouble(5n, 2n * smallest, "up")).toBe(3 * Number.MIN_VALUE);
    expect(roundToDouble(5n, 2n * smallest, "nearest")).toBe(2 * Number.MIN_VALUE);
    expect(roundToDouble(7n, 2n * smallest, "nearest")).toBe(4 * Number.MIN_VALUE);
  });

  it("meets the border between subnormal and normal doubles", () => {
    const border = 2n ** 1022n;
    expect(roundToDouble(1n, border, "nearest")).toBe(2.2250738585072014e-308);
    expect(roundToDouble(2n ** 60n - 1n, border << 60n, "down")).toBe(2.225073858507201e-308);
    expect(roundToDouble(2n ** 60n - 1n, border << 60n, "up")).toBe(2.2250738585072014e-308);
  });

  it("does not lose what is smaller than every double", () => {
    const tiny = rational("1e-5000");
    expect(tiny.toNumber("down")).toBe(0);
    expect(tiny.toNumber("up")).toBe(Number.MIN_VALUE);
    expect(tiny.toNumber("nearest")).toBe(0);
    expect(tiny.negated().toNumber("down")).toBe(-Number.MIN_VALUE);
    expect(tiny.negated().toNumber("up")).toBe(0);
    expect(roundToDouble(1n, 2n ** 1075n, "nearest")).toBe(0);
    expect(roundToDouble(3n, 2n ** 1076n, "nearest")).toBe(Number.MIN_VALUE);
  });

  it("overflows on the side that was asked for only", () => {
    for (const numerator of [LARGEST + 1n, 2n ** 1024n, 10n ** 5000n]) {
      expect(roundToDouble(numerator, 1n, "down")).toBe(Number.MAX_VALUE);
      expect(roundToDouble(numerator, 1n, "up")).toBe(Infinity);
      expect(roundToDouble(-numerator, 1n, "down")).toBe(-Infinity);
      expect(roundToDouble(-numerator, 1n, "up")).toBe(-Number.MAX_VALUE);
    }
  });

  it("overflows to the nearest from half a step above the largest double on", () => {
    expect(roundToDouble(LARGEST, 1n, "up")).toBe(Number.MAX_VALUE);
    expect(roundToDouble(LARGEST + 2n ** 970n - 1n, 1n, "nearest")).toBe(Number.MAX_VALUE);
    expect(roundToDouble(LARGEST + 2n ** 970n, 1n, "nearest")).toBe(Infinity);
  });
});
