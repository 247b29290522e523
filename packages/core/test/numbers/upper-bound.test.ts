import { describe, expect, it } from "vitest";
import { type Rational, rational } from "../../src/exact/rational.js";
import { type UpperBoundOptions, upperBound } from "../../src/index.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** With so little noise the first threshold that more than `target` values exceed ends the scan. */
function clear(values: Parameters<typeof upperBound>[0], options: Partial<UpperBoundOptions> = {}): Rational {
  return upperBound(values, {
    ...{ target: 1, scale: "1e-6", entropy: seededEntropy("bound") },
    ...options,
  } as UpperBoundOptions).value;
}

describe("with noise far below 1, upperBound", () => {
  const thresholds = [100, 50, 20, 10, 5];

  it("is the threshold before the first that more than target values exceed", () => {
    expect(clear([60, 70, 12, 3], { thresholds, target: "1/2" })).toEqual(rational(100));
    expect(clear([60, 70, 12, 3], { thresholds, target: "3/2" })).toEqual(rational(100));
    expect(clear([60, 40, 12, 3], { thresholds, target: "3/2" })).toEqual(rational(50));
    expect(clear([60, 40, 12, 3], { thresholds, target: "5/2" })).toEqual(rational(20));
    expect(clear([60, 40, 12, 6], { thresholds, target: "7/2" })).toEqual(rational(10));
  });

  it("is the last threshold where none is exceeded so often, and the first where that one is", () => {
    expect(clear([60, 40, 12, 3], { thresholds, target: "9/2" })).toEqual(rational(5));
    expect(clear([], { thresholds })).toEqual(rational(5));
    expect(clear([200, 300], { thresholds, target: "1/2" })).toEqual(rational(100));
    expect(clear([200, 300], { thresholds: [100], target: "1/2" })).toEqual(rational(100));
  });

  it("counts only values above a threshold, not at it", () => {
    const target = "1/2";
    expect(clear([50], { thresholds, target })).toEqual(rational(50));
    expect(clear([50.000001], { thresholds, target })).toEqual(rational(100));
    expect(clear([50n], { thresholds, target })).toEqual(rational(50));
    expect(clear([51n], { thresholds, target })).toEqual(rational(100));
    expect(clear([50n], { thresholds: [100n, 50n, 20n], target })).toEqual(rational(50n));
    expect(clear([51n], { thresholds: [100n, 50n, 20n], target })).toEqual(rational(100n));
    expect(clear([50.5], { thresholds: [100n, 50n, 20n], target })).toEqual(rational(100n));
    expect(clear([2n ** 53n + 1n], { thresholds: [2 ** 60, 2 ** 53, 1], target })).toEqual(rational(2 ** 60));
  });

  it("falls through the powers of two from 2^63 to 1, exactly", () => {
    const target = "1/2";
    expect(clear([2n ** 70n], { target })).toEqual(rational(2n ** 63n));
    expect(clear([2n ** 62n], { target })).toEqual(rational(2n ** 62n));
    expect(clear([2n ** 62n + 1n], { target })).toEqual(rational(2n ** 63n));
    expect(clear([2 ** 53], { target })).toEqual(rational(2n ** 53n));
    expect(clear([2 ** 52], { target })).toEqual(rational(2 ** 52));
    expect(clear([3], { target })).toEqual(rational(4));
    expect(clear([2], { target })).toEqual(rational(2));
    expect(clear([-7, 0.5], { target })).toEqual(rational(1));
  });

  it("compares a number with a bigint by the decimal that it prints as", () => {
    const target = "1/2";
    // The double next to 10^23 is below it.
    expect(clear([1e23], { thresholds: [10n ** 24n, 10n ** 23n - 1n], target })).toEqual(
      rational(10n ** 24n),
    );
    expect(clear([10n ** 23n], { thresholds: [1e24, 1e23], target })).toEqual(rational(1e23));
  });

  it("takes pairs of a value and how many people have it", () => {
    const listed = [60, 40, 40, 12, 6, 6, 6];
    const pairs: [number, number | bigint][] = [[6, 3], [60, 1], [12, 1n], [40, 2], [1000, 0]]; // biome-ignore format: a histogram
    for (const target of ["1/2", "5/2", "7/2", "9/2", "13/2", "15/2"]) {
      expect(clear(pairs, { thresholds, target })).toEqual(clear(listed, { thresholds, target }));
      expect(clear(new Map(pairs), { thresholds, target })).toEqual(clear(listed, { thresholds, target }));
    }
    expect(clear([[rational("50.5"), 2]], { thresholds, target: 1 })).toEqual(rational(100));
    expect(clear(new Map(), { thresholds })).toEqual(rational(5));
    expect(clear([[60, Number.MAX_SAFE_INTEGER]], { thresholds })).toEqual(rational(100));
  });

  it("takes thresholds that are rationals, and compares with them exactly", () => {
    const third = ["1", "1/3", "1/4"];
    const target = "1/2";
    expect(clear([0.3333333333333333], { thresholds: third, target })).toEqual(rational("1/3"));
    expect(clear([0.33333333333333337], { thresholds: third, target })).toEqual(rational(1));
    expect(clear([[rational("1/3"), 1]], { thresholds: third, target })).toEqual(rational("1/3"));
    expect(clear([0.1], { thresholds: ["0.3", "0.1", rational("0.05")], target })).toEqual(rational("0.1"));
    expect(clear([2n ** 53n + 1n], { thresholds: ["1e16", `${2 ** 53}`, "1"], target })).toEqual(
      rational("1e16"),
    );
  });

  it("keeps its own copy of the thresholds, and takes a list of one", () => {
    const list = [8, 4];
    const values = {
      length: 1,
      get 0() {
        list[1] = 2;
        return 3;
      },
    };
    expect(clear(values as never, { thresholds: list, target: "1/2" })).toEqual(rational(4));
    expect(clear([5], { thresholds: [8], target: "1/2" })).toEqual(rational(8));
  });
});

describe("the budget of upperBound", () => {
  const cost = (options: object) => upperBound([], { target: 1, ...options } as UpperBoundOptions).privacy;
  const pure = (epsilon: string) => ({ measure: "pure", epsilon: rational(epsilon) });

  it("is what was asked for, for as many values as a person has", () => {
    for (const neighbours of ["add-remove", "replace"])
      for (const maxValuesPerUser of [1, 4])
        expect(cost({ epsilon: "1/2", neighbours, maxValuesPerUser })).toEqual(pure("1/2"));
    expect(cost({ rho: "1/8" })).toEqual({ measure: "zcdp", rho: rational("1/8") });
    expect(cost({ scale: 4, maxValuesPerUser: 3 })).toEqual(pure("3/4"));
    expect(cost({ scale: 4, maxValuesPerUser: 3, neighbours: "replace" })).toEqual(pure("3/2"));
  });

  it("says how many values may exceed the bound", () => {
    const { exceeding } = upperBound([], { target: 7, scale: 2 });
    expect(exceeding("19/20").minus(7).dividedBy(2).toNumber()).toBeCloseTo(Math.log(20), 12);
    expect(() => exceeding(0)).toThrow("confidence must be a rational > 0 and < 1; got 0");
  });
});

describe("upperBound refuses", () => {
  it.each([
    [[3, 3]],
    [[3, 4]],
    [[3, Number.NaN, 1]],
    [[Infinity, 3]],
    [[3, "two"]],
    [["2", 3]],
    [["1/3", "1/3"]],
    [[3, 2, true]],
    [[]],
    [{ length: 1, 0: 3 }],
  ])("the thresholds %o", (thresholds) => {
    expect(() => upperBound([], { target: 1, epsilon: 1, thresholds: thresholds as number[] })).toThrow(
      "thresholds must be a list of rationals that fall",
    );
  });

  it("pairs that aren't of a value and an integer from 0, and more people than can be counted", () => {
    const expected = "values must be pairs of a value and how many people have it, an integer from 0";
    for (const pairs of [
      [[1, -1]],
      [[1, 0.5]],
      [[1, "2"]],
      [[1, 2], 3],
      [
        [1, 2 ** 53 - 1],
        [2, 1],
      ],
    ])
      expect(() => upperBound(pairs as never, { target: 1, epsilon: 1 })).toThrow(expected);
  });

  it("values that aren't finite, and what isn't a list", () => {
    for (const bad of [Number.NaN, Infinity, "7"])
      expect(() => upperBound([1, bad as number], { target: 1, epsilon: 1 })).toThrow(
        "values must be finite numbers or bigints (up to 1.79e308) throughout",
      );
    expect(() => upperBound(7 as never, { target: 1, epsilon: 1 })).toThrow(/^values must be/);
  });
});
