import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { exactOrder } from "../../src/race/exact-order.js";
import { exponential } from "../../src/race/noise.js";
import { gapsOf, WINNERS } from "../../src/race/ranking.js";
import { ScoreReader, type Scores } from "../../src/race/scores.js";

function order(scores: Scores, places: number, options: { size?: number; negate?: boolean } = {}): number[] {
  const { size = scores.length, negate = false } = options;
  return exactOrder(new ScoreReader(scores, { negate }), size, places).map(({ id }) => id);
}

function gaps(scores: Scores, places: number, resolution: string): string[] {
  const release = gapsOf(rational(resolution));
  const terms = { noise: exponential, scale: rational(0) };
  const ranked = exactOrder(new ScoreReader(scores), scores.length, places);
  return release.of(ranked, terms).map(({ gap }) => String(gap));
}

describe("The top k without noise", () => {
  it("is the order of the scores, the earlier index first where they are equal", () => {
    expect(order([1, 3, 2, 3, 3, 0], 5)).toEqual([1, 3, 4, 2, 0]);
    expect(order([0, 0, 0], 3)).toEqual([0, 1, 2]);
    expect(order([1, 3, 2, 3], 2, { negate: true })).toEqual([0, 2]);
  });

  it("compares exactly what doubles cannot", () => {
    expect(order([10n ** 30n, 10n ** 30n + 1n], 1)).toEqual([1]);
    expect(order([2 ** 53, 2n ** 53n + 1n], 1)).toEqual([1]);
    expect(order([0.1, 0.2, 0.30000000000000004], 1)).toEqual([2]);
  });

  it("counts candidates beyond the listed ones as zeros", () => {
    expect(order([5, -1, 0], 4, { size: 10 })).toEqual([0, 2, 3, 4]);
    expect(order([], 2, { size: 2 ** 52 })).toEqual([0, 1]);
    expect(order([5, -1], 2, { size: 3, negate: true })).toEqual([1, 2]);
  });

  it("has gaps in units of the resolution, rounded down", () => {
    expect(gaps([4, 1], 2, "1/2")).toEqual(["3"]);
    expect(gaps([10, 7, 3], 3, "2")).toEqual(["2", "4"]);
    expect(gaps([10, 3], 2, "2/3")).toEqual(["20/3"]);
    expect(gaps([1.5, 0.7], 2, "1")).toEqual(["0"]); // ⌊0.8⌋
    expect(gaps([-0.5, -3], 2, "1")).toEqual(["2"]); // ⌊2.5⌋
    expect(gaps([5, 5], 2, "1/7")).toEqual(["0"]);
  });
});

describe("What leaves of an order", () => {
  /** A candidate whose key is known to a double. */
  const ranked = (id: string, key: number) => {
    const refused = () => expect.fail("doubles tell these gaps");
    return { id, lower: key, upper: key, key: refused, refine: refused };
  };
  const terms = { noise: exponential, scale: rational(1) };
  const order = [ranked("a", 5000.3), ranked("b", 10.1), ranked("c", 7.25), ranked("d", 7)];

  it("is who won, or by how much they lead, in multiples of the resolution", () => {
    expect(WINNERS.spare).toBe(0);
    expect(WINNERS.of(order, terms)).toEqual(["a", "b", "c", "d"].map((candidate) => ({ candidate })));
    expect(gapsOf(rational(2)).spare).toBe(1);
    const gaps = (resolution: string) =>
      gapsOf(rational(resolution))
        .of(order, terms)
        .map(({ candidate: index, gap }) => `${index} ${gap}`);
    expect(gaps("2")).toEqual(["a 4990", "b 2", "c 0"]);
    expect(gaps("2/3")).toEqual(["a 4990", "b 8/3", "c 0"]);
  });

  it("is exact where a multiple or the denominator isn't a safe integer", () => {
    const gap = (key: number, resolution: string) =>
      gapsOf(rational(resolution)).of([ranked("a", key), ranked("b", 0)], terms)[0].gap;
    const units = (BigInt(1.2345e18) * 7n) / 1_000_001n;
    expect(gap(1.2345e18, "1000001/7")).toEqual(rational("1000001/7").times(units));
    expect(gap(1e-12, `1/${2n ** 60n + 1n}`)).toEqual(rational(1_152_921n).dividedBy(2n ** 60n + 1n));
  });
});
