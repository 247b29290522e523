import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { exponential } from "../../src/race/noise.js";
import { Race } from "../../src/race/race.js";
import { enterZeros, finishRace, nameUnlisted } from "../../src/race/zeros.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { bandsOf } from "./bands.js";
import { STAIRS } from "./stairs.js";

describe("The bands of a crowd", () => {
  it("contain everybody once, down to those whose U starts with a one", () => {
    for (const crowd of [1, 7, 8, 9, 100, 5000]) {
      const bands = bandsOf(crowd, seededEntropy(crowd));
      expect(bands.reduce((sum, band) => sum + band, 0)).toBe(crowd);
    }
  });

  it("are no longer visited when nobody of them can win", () => {
    const entropy = seededEntropy("few draws");
    const race = new Race<number>(10, STAIRS, entropy);
    for (let index = 0; index < 20; index++) race.enter(index, 1e9 + index * 0.01, 0);
    enterZeros(race, 10 ** 15, -1, entropy);
    expect(race.finish().map(({ id }) => id)).not.toContain(-1);
    expect(entropy.bitsUsed).toBeLessThan(10 ** 5);
  });
});

describe("A crowd", () => {
  /** The leading zeros with which those of a crowd enter first, all others being out of reach. */
  function firstZeros(crowd: number, places: number): { zeros: number; entered: number } {
    const seen: number[] = [];
    const race = {
      ...{ places, settle() {}, farBelow: () => 1, relative: () => 0 },
      enter: (_id: number, _score: number, zeros: number) => seen.push(zeros),
    } as unknown as Race<number>;
    enterZeros(race, crowd, -1, seededEntropy(crowd));
    expect(new Set(seen).size).toBe(1);
    return { zeros: seen[0], entered: seen.length };
  }

  it("begins with so many zeros that four to eight times as many as there are places have them", () => {
    expect(firstZeros(7, 1)).toEqual({ zeros: 0, entered: 7 });
    expect(firstZeros(8, 1).zeros).toBe(1);
    expect(firstZeros(1000, 10).zeros).toBe(4);
    expect(firstZeros(640, 10).zeros).toBe(4);
    expect(firstZeros(639, 10).zeros).toBe(3);
    expect(firstZeros(2 ** 40, 1).zeros).toBe(38);
    expect(firstZeros(2 ** 53 - 1, 1).zeros).toBe(48);
  });

  it("is visited as long as its score is not below what is out of reach", () => {
    let visited = 0;
    const visit = () => visited++;
    const race = {
      places: 1,
      settle() {},
      farBelow: () => 0,
      relative: () => 0,
      enter: visit,
      consider: visit,
    };
    enterZeros(race as unknown as Race<number>, 100, -1, seededEntropy("all"));
    expect(visited).toBe(100);
  });

  it("enters when the listed are in, and those of it that win are named", () => {
    for (const count of [0, 1, 5]) {
      const entropy = seededEntropy("a crowd");
      const race = new Race<number>(3, { noise: exponential, scale: rational(1) }, entropy);
      race.enter(0, 1000, 0);
      const unlisted = { count, id: -1, from: 10, to: 10 + count, isTaken: () => false };
      const names = finishRace(race, unlisted, entropy).map(({ id }) => id);
      expect(names.length).toBe(Math.min(3, count + 1));
      expect(names[0]).toBe(0);
      expect(names.slice(1).every((name) => name >= 10 && name < 10 + count)).toBe(true);
    }
  });
});

describe("The names of unlisted winners", () => {
  const unlisted = (count: number) => Array.from({ length: count }, () => ({ id: -1 }));

  function names(count: number, taken: readonly number[], entropy: Entropy): string {
    const order = [{ id: 7 }, ...unlisted(count)];
    const isTaken = (name: number) => taken.includes(name);
    nameUnlisted(order, { id: -1, count: 4 - taken.length, from: 2, to: 6, isTaken }, entropy);
    return String(order.map(({ id }) => id));
  }

  it.each([
    { count: 1, taken: [], undecided: 0.01 },
    { count: 2, taken: [], undecided: 0.01 },
    { count: 2, taken: [3], undecided: 0.1 },
    { count: 3, taken: [5], undecided: 0.3 },
  ])(
    "are uniform without replacement among those not taken: $count of 4 − $taken.length",
    ({ count, taken, undecided }) => {
      const tree = bitTree((entropy) => names(count, taken, entropy), { depth: 16 });
      const free = [2, 3, 4, 5].filter((id) => !taken.includes(id));
      const orders = arrangements(free, count);
      expect(tree.undecided.toNumber()).toBeLessThan(undecided);
      expectLaw({
        tree,
        probabilities: Object.fromEntries(orders.map((each) => [`7,${each}`, `1/${orders.length}`])),
      });
    },
  );

  it.each([
    { count: 1, taken: [3, 4, 5], free: [2] },
    { count: 1, taken: [2, 3, 6], free: [4, 5] },
    { count: 2, taken: [2, 3, 6], free: [4, 5] },
  ])(
    "have the same law where all are gone through: $count of $free.length, $taken.length taken",
    ({ count, taken, free }) => {
      const to = 2 + taken.length + free.length;
      const isTaken = (name: number) => taken.includes(name);
      const tree = bitTree(
        (entropy) => {
          const order = unlisted(count);
          nameUnlisted(order, { id: -1, count: free.length, from: 2, to, isTaken }, entropy, 1);
          return String(order.map(({ id }) => id));
        },
        { depth: 16 },
      );
      const orders = arrangements(free, count);
      expect(tree.undecided.toNumber()).toBeLessThan(0.01);
      expectLaw({
        tree,
        probabilities: Object.fromEntries(orders.map((each) => [`${each}`, `1/${orders.length}`])),
      });
    },
  );

  it("are refused if no fewer are free than taken, after as many taken ones in a row as patience allows", () => {
    const naming = (from: number, free: number, bits: string) => () => {
      const order = unlisted(2);
      const isTaken = (name: number) => name - from >= free;
      nameUnlisted(order, { id: -1, count: free, from, to: from + 10, isTaken }, replayEntropy(bits), 1);
      return order.map(({ id }) => id);
    };
    const refusal = expect.objectContaining({
      code: "invalid-parameter",
      message: 'isPushed must be true for the candidates that were pushed and no others; got "more"',
    });
    // The first draw, of four bits, is taken; then a place among four, of two bits each.
    expect(naming(10, 5, "1001")).toThrow(refusal);
    expect(naming(10, 4, "10010110")()).toEqual([11, 12]);
    // The first is free, and the second is taken: five of nine are free.
    expect(naming(10, 6, "00011001")).toThrow(refusal);
  });

  it.each([
    { why: "many are free", pushed: 3, domain: 2 ** 40, calls: 1024 },
    { why: "few are free", pushed: 900, domain: 1000, calls: 2024 },
  ])(
    "are refused after a known number of questions if too many are taken: $why",
    ({ pushed, domain, calls }) => {
      let asked = 0;
      const isTaken = () => {
        asked++;
        return true;
      };
      const naming = () =>
        nameUnlisted(
          unlisted(2),
          { id: -1, count: domain - pushed, from: 0, to: domain, isTaken },
          seededEntropy(pushed),
        );
      expect(naming).toThrow("isPushed must be true for the candidates that were pushed and no others");
      expect(asked).toBe(calls);
    },
  );

  it("are found where hardly any are free, of which draws would find none", () => {
    const [order, domain] = [unlisted(2), 1_000_000];
    const isTaken = (name: number) => name !== 7 && name !== 999_999;
    nameUnlisted(order, { id: -1, count: 2, from: 0, to: domain, isTaken }, seededEntropy("few"));
    expect(order.map(({ id }) => id).sort()).toEqual([7, 999_999]);
  });

  it("are not drawn if every winner is listed", () => {
    const order = [{ id: 3 }, { id: 1 }];
    nameUnlisted(order, { id: -1, count: 0, from: 5, to: 5, isTaken: () => false }, replayEntropy(""));
    expect(order).toEqual([{ id: 3 }, { id: 1 }]);
  });

  it("reach up to the largest safe integer", () => {
    const to = Number.MAX_SAFE_INTEGER;
    const order = unlisted(1);
    const isTaken = (name: number) => name === to - 2;
    nameUnlisted(order, { id: -1, count: 1, from: to - 2, to, isTaken }, seededEntropy(1));
    expect(order).toEqual([{ id: to - 1 }]);
  });
});

/** All ordered choices of so many. */
function arrangements(from: readonly number[], count: number): number[][] {
  if (count === 0) return [[]];
  return from.flatMap((first) =>
    arrangements(
      from.filter((other) => other !== first),
      count - 1,
    ).map((rest) => [first, ...rest]),
  );
}
