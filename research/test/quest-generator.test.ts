import { describe, expect, it } from "vitest";
import { questBaskets, questCounts } from "../src/top-k-with-gap/quest-generator.js";

const T10I4 = { basketSize: 10, patternSize: 4 };

describe("IBM's generator of market baskets", () => {
  const counts = questCounts({ ...T10I4, baskets: 25_000 }, "T10I4").sort((a, b) => b - a);

  it("makes the counts of the public T10I4D100K: as many items, as much of each, by rank", () => {
    // 870 items; ranks 10, 50, 100, 200 and 400 of the file, which has four times as many baskets.
    expect(Math.abs(counts.length - 870)).toBeLessThan(40);
    for (const [rank, published] of [
      [10, 5057],
      [50, 3134],
      [100, 2614],
      [200, 1676],
      [400, 916],
    ])
      expect(Math.abs((4 * counts[rank - 1]) / published - 1)).toBeLessThan(0.25);
  });

  it("isn't a curve like 1/rank, which is off by a factor of six at rank 100", () => {
    expect(counts[0] / 100 / counts[99]).toBeLessThan(0.1);
  });

  it("fills baskets to the size that they are named after, and repeats them with the seed", () => {
    const sizes = Array.from(questBaskets({ ...T10I4, baskets: 2000 }, "sizes"), ({ size }) => size);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    expect(Math.abs(mean - 10.1)).toBeLessThan(0.4);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    const again = Array.from(questBaskets({ ...T10I4, baskets: 2000 }, "sizes"), ({ size }) => size);
    expect(again).toEqual(sizes);
  });

  it("puts items of a pattern into one basket more often than chance would", () => {
    const baskets = [...questBaskets({ ...T10I4, baskets: 3000 }, "pairs")];
    const having = (...items: number[]) =>
      baskets.filter((basket) => items.every((item) => basket.has(item)));
    let most = 0;
    for (const item of [...baskets[0]])
      for (const other of [...baskets[0]])
        if (item < other)
          most = Math.max(
            most,
            (having(item, other).length * 3000) / (having(item).length * having(other).length),
          );
    expect(most).toBeGreaterThan(4);
  });
});
