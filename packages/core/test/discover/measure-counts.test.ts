import { describe, expect, it } from "vitest";
import { Rational, rational } from "../../src/exact/rational.js";
import { measureCounts, nonIncreasingFit, orderedIntervals } from "../../src/index.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const measure = (histogram: unknown, names: unknown) => () =>
  measureCounts(histogram as never, names as never, { epsilon: 1, entropy: replayEntropy("") });

describe("What measureCounts refuses before a bit is drawn", () => {
  it("is names that aren't a list of texts, each once, and a k below their number", () => {
    expect(measure({ Alster: 5 }, 7)).toThrow(/^names must be an array/);
    for (const names of [["Alster", 5], ["Alster", "Bille", "Alster"], [undefined]])
      expect(measure({ Alster: 5 }, names)).toThrow(
        expect.objectContaining({
          ...{ code: "invalid-parameter", field: "names" },
          message: "names must be a list of texts, each once",
        }),
      );
    expect(() => measureCounts({}, ["Alster", "Bille"], { epsilon: 1, k: 1 })).toThrow(
      "k must be an integer >= 2; got 1",
    );
  });

  it("is a name that is asked for and comes twice, whatever its counts are", () => {
    for (const counts of [
      [5, 5],
      [0, 0],
      [0, 3],
      [3, 0],
    ])
      expect(
        measure(
          counts.map((count) => ["Alster", count]),
          ["Alster"],
        ),
      ).toThrow(/^histogram must be a Map/);
  });
});

describe("measureCounts", () => {
  it("keeps nothing of the names that it isn't asked for", () => {
    let asked = 0;
    function* stream() {
      for (let i = 0; i < 20_000; i++) {
        asked++;
        yield [`name ${i % 100}`, 1] as const; // a set of all names would find that they come again
      }
      yield ["Alster", 400] as const;
    }
    const { counts } = measureCounts(stream(), ["Alster"], { epsilon: 1, entropy: seededEntropy("asked") });
    expect(asked).toBe(20_000);
    expect(Math.abs(counts[0].count.toNumber() - 400)).toBeLessThan(30);
  });

  it("has intervals that end at 0, and counts below it as they are drawn", () => {
    const names = Array.from({ length: 40 }, (_, i) => `absent ${i}`);
    const { counts, halfWidth } = measureCounts({}, names, { epsilon: 4, entropy: seededEntropy("ends") });
    const atLeast0 = (end: Rational) => (end.numerator > 0n ? end : Rational.ZERO);
    for (const { count, from, to } of counts) {
      expect(from).toEqual(atLeast0(count.minus(halfWidth)));
      expect(to).toEqual(atLeast0(count.plus(halfWidth)));
    }
    expect(counts.some(({ count }) => count.numerator < 0n)).toBe(true);
  });
});

describe("orderedIntervals", () => {
  const ends = (counts: readonly number[], width: number) =>
    orderedIntervals(counts, width).map(({ from, to }) => [from.toNumber(), to.toNumber()]);

  it("raises the first from the last, and lowers the last from the first", () => {
    expect(ends([1, 5], 1)).toEqual([
      [4, 2],
      [4, 2],
    ]);
    expect(ends([1, 2, 3, 20], 2)).toEqual([
      [18, 3],
      [18, 3],
      [18, 3],
      [18, 3],
    ]);
    expect(ends([9, 5, 0], 1)).toEqual([
      [8, 10],
      [4, 6],
      [0, 1],
    ]);
    expect(ends([], 1)).toEqual([]);
  });

  it("refuses what isn't a list of numbers", () => {
    expect(() => orderedIntervals(7 as never, 1)).toThrow(/^counts must be an array/);
    expect(() => orderedIntervals([1, Number.NaN], 1)).toThrow(/^counts must be/);
  });
});

describe("nonIncreasingFit", () => {
  it("is the nearest list that falls, for all short lists", () => {
    const values = [0, 1, 2, 3];
    for (const a of values)
      for (const b of values)
        for (const c of values) {
          const fit = nonIncreasingFit([a, b, c]);
          const off = (list: readonly Rational[]) =>
            [a, b, c].reduce((sum, value, i) => {
              const by = list[i].minus(value);
              return sum.plus(by.times(by));
            }, Rational.ZERO);
          expect(fit[0].compare(fit[1]) >= 0 && fit[1].compare(fit[2]) >= 0).toBe(true);
          // Every list that falls in steps of 1/6.
          for (let x = 0; x <= 18; x++)
            for (let y = 0; y <= x; y++)
              for (let z = 0; z <= y; z++) {
                const other = [x, y, z].map((sixths) => Rational.of(BigInt(sixths), 6n));
                if (off(other).compare(off(fit)) < 0) expect.fail(`${a}, ${b}, ${c}: ${other.join(", ")}`);
              }
        }
  });

  it("refuses what isn't a list of numbers", () => {
    expect(() => nonIncreasingFit(7 as never)).toThrow(/^values must be an array/);
    expect(() => nonIncreasingFit([1, "x" as never])).toThrow(/^values must be/);
    expect(nonIncreasingFit([])).toEqual([]);
    expect(nonIncreasingFit([rational("1/2")])).toEqual([rational("1/2")]);
  });
});
