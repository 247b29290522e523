import { describe, expect, it } from "vitest";
import { listsOf } from "../src/country-days/index.js";

describe("the top ten of each country and day", () => {
  it("is right more often by selection than above a threshold, and always where there are many people", () => {
    const { table } = listsOf({ countries: 20, pages: 3000, days: 2, people: 300_000 });
    const shares = table
      .split("\n")
      .slice(2)
      .map((line) =>
        [...line.matchAll(/(\d+) of (\d+)/g)].map(([, found, all]) => [Number(found), Number(all)]),
      );
    expect(shares.map((row) => row.map(([, all]) => all))).toEqual(Array(4).fill([4, 12, 24, 40]));
    const [selection, approx, set, threshold] = shares.map((row) => row.map(([found]) => found!));
    expect(approx![3]).toBeGreaterThanOrEqual(selection![3]!);
    expect(set![3]).toBeGreaterThan(threshold![3]!);
    expect(selection![0]).toBe(4);
    expect(threshold![2]).toBeLessThan(set![2]!);
  });
});
