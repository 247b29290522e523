import { describe, expect, it } from "vitest";
import { readUtilities } from "../../src/base2/utilities.js";
import { utilityRange } from "../../src/base2/utility-bounds.js";
import { Rational } from "../../src/exact/rational.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const SPECIAL = [-Infinity, -1e300, -7.5, -1, -5e-324, -0, 0, 5e-324, 0.1, 3, 7.25, 2 ** 53, 1e300, Infinity];
const RANGES = [
  [0n, 7n],
  [-3n, 3n],
  [-9n, -2n],
  [5n, 5n],
] as const;

/** With branches, one value after the other. */
function clamped(value: number, low: number, high: number): number {
  if (value < low) return low;
  return value > high ? high : value;
}

describe("Utilities that are numbers", () => {
  it("are each clamped to the range, infinities too, and the least of them is found", () => {
    const pick = seededEntropy("utilities");
    for (const [lowest, highest] of RANGES)
      for (let run = 0; run < 50; run++) {
        const given = Array.from({ length: 1 + pick.bits(5) }, () => SPECIAL[pick.bits(10) % SPECIAL.length]);
        const read = readUtilities(
          given,
          (utility) => utility,
          { lowest, highest },
          new Float64Array(given.length),
        );
        const expected = given.map((utility) => clamped(utility, Number(lowest), Number(highest)));
        const { numbers, least } = "numbers" in read ? read : expect.fail("these are numbers");
        expect(Array.from(numbers, (number) => number + 0)).toEqual(expected.map((number) => number + 0)); // −0 is 0
        expect(least + 0).toBe(Math.min(...expected) + 0);
      }
  });
});

describe("Bounds that doubles can't tell apart, or not their difference,", () => {
  it.each([
    [2n ** 60n, 2n ** 60n + 1n],
    [1n - 2n ** 53n, 2n ** 53n - 1n],
  ])("make all utilities rationals: %s to %s", (lowest, highest) => {
    const read = readUtilities(
      [Infinity, -Infinity],
      (utility) => utility,
      { lowest, highest },
      new Float64Array(2),
    );
    expect(read).toEqual([Rational.of(highest), Rational.of(lowest)]);
  });
});

describe("The range of utilities", () => {
  it("may be one integer, but not less", () => {
    expect(utilityRange({ lower: 5, upper: 5n })).toEqual({ lowest: 5n, highest: 5n });
    expect(() => utilityRange({ lower: 5, upper: 4 })).toThrow("upper must be an integer >= lower; got 4");
  });
});
