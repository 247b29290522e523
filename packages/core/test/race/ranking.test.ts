import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import type { Terms } from "../../src/race/contender.js";
import { exponential } from "../../src/race/noise.js";
import { gapsOf, type RankedKey } from "../../src/race/ranking.js";

const TERMS: Terms = { noise: exponential, scale: rational(1) };

/** Candidates whose keys are these doubles, best first. */
const orderOf = (...keys: number[]): RankedKey<number>[] =>
  keys.map((key, id) => ({
    ...{ id, lower: key, upper: key },
    key: () => expect.fail("doubles decide"),
    refine: () => expect.fail("doubles decide"),
  }));

const gaps = (release: ReturnType<typeof gapsOf>, ...keys: number[]) =>
  release.of(orderOf(...keys), TERMS).map(({ gap }) => String(gap));

describe("Gaps", () => {
  it("are multiples of their own resolution, whatever others are made in between", () => {
    const [tenths, ones] = [gapsOf(rational("0.1")), gapsOf(rational(1))];
    expect(gaps(tenths, 9.05, 5, 4.96)).toEqual(["4", "0"]);
    expect(gaps(ones, 9.05, 5, 4.96)).toEqual(["4", "0"]);
    expect(gaps(tenths, 9.05, 8.8)).toEqual(["0.2"]);
    expect(gaps(ones, 9.05, 7.2)).toEqual(["1"]);
    const again = gapsOf(rational("1/10"));
    expect(gaps(gapsOf(rational("1/3")), 2, 1.1)).toEqual(["2/3"]);
    expect(gaps(again, 9.05, 8.8, 1.03)).toEqual(["0.2", "7.7"]);
    expect(gaps(tenths, 5000.05, 1)).toEqual(["4999"]);
  });

  it("are exact beyond the safe integers too, where doubles say nothing", () => {
    const far = 10n ** 40n + 7n;
    const keyed = (id: number, key: bigint): RankedKey<number> => ({
      ...{ id, lower: Number(key), upper: Number(key) + 1e30 },
      key: () => ({ lo: key, hi: key, over: 1n }),
      refine: () => expect.fail("the ends are one"),
    });
    for (const resolution of ["1", "1/3", "3"])
      for (const top of [far, far + 3n, far, 5n]) {
        const [winner] = gapsOf(rational(resolution)).of([keyed(0, top), keyed(1, 0n)], TERMS);
        expect(String(winner.gap)).toBe(String(resolution === "3" ? top - (top % 3n) : top));
      }
  });
});
