import { describe, expect, it } from "vitest";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { compareTimes, timesOf } from "./support/compare-times.js";

/** Times around `mean`, up to `spread` later, as from a timer on a busy machine. */
function times(seed: string, count: number, mean: number, spread = 4): number[] {
  const entropy = seededEntropy(seed);
  return Array.from({ length: count }, () => mean + (spread * Number(uniformBelow(1000n, entropy))) / 1000);
}

const SEEDS = Array.from({ length: 25 }, (_, seed) => `times ${seed}`);

describe("the comparison of times", () => {
  it("tells no worlds apart that are alike: about as often as its level says", () => {
    const shares = SEEDS.map(
      (seed) => compareTimes(times(`${seed}a`, 20, 400), times(`${seed}b`, 20, 400), seed).share,
    );
    expect(shares.filter((share) => share < 0.001)).toEqual([]);
    expect(shares.filter((share) => share < 0.2).length).toBeLessThan(12); // 5 on average
    expect(shares.filter((share) => share > 0.5).length).toBeGreaterThan(5);
  });

  it.each<[string, number, number]>([
    ["a shift by as much as the spread", 404, 4],
    ["a spread that is six times as large", 400, 24],
  ])("has the power to see %s with twenty times each", (_, mean, spread) => {
    const seen = SEEDS.filter(
      (seed) =>
        compareTimes(times(`${seed}a`, 20, 400), times(`${seed}b`, 20, mean, spread), seed).share < 0.001,
    );
    expect(seen.length).toBeGreaterThanOrEqual(24);
  });

  it("has the power to see that half of sixty answers took a tick more", () => {
    const mixed = [...times("m", 30, 400), ...times("n", 30, 800)];
    expect(compareTimes(times("o", 60, 400), mixed, "p").share).toBeLessThan(0.001);
  });

  it("gives the exact distance, ties counted once", () => {
    expect(compareTimes([1, 2, 3, 4], [5, 6, 7, 8], "s")).toMatchObject({ distance: 1 });
    expect(compareTimes([1, 1, 1, 1], [1, 1, 1, 1], "s")).toEqual({ distance: 0, share: 1 });
    expect(compareTimes([1, 1, 2, 2], [1, 2, 2, 2], "s").distance).toBe(0.25);
    // 2 of the 70 ways to choose four of eight have distance 1.
    expect(compareTimes([1, 2, 3, 4], [5, 6, 7, 8], "s").share).toBeCloseTo(2 / 70, 2);
  });

  it("measures both worlds equally often, in an order that is the same for a seed", async () => {
    const orders: string[] = [];
    for (const seed of ["a", "a", "b"]) {
      let order = "";
      const measured = await timesOf(
        async (world, run) => {
          order += world;
          return run;
        },
        10,
        seed,
      );
      expect(measured.map((times) => times.length)).toEqual([10, 10]);
      orders.push(order);
    }
    expect(orders[0]).toBe(orders[1]);
    expect(orders[0]).not.toBe(orders[2]);
  });
});
