import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { enlarged, Pool, takeContents } from "../../src/race/pool.js";

const bounds = fc
  .tuple(fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constant(-Infinity)), fc.nat(5))
  .map(([lower, width]) => ({ lower, upper: lower + width }));

function poolOf(contenders: readonly { lower: number; upper: number }[]): Pool<number> {
  const pool = new Pool<number>(2); // it grows
  for (const [id, { lower, upper }] of contenders.entries()) {
    const place = pool.next();
    Object.assign(pool.ids, { [place]: id });
    Object.assign(pool.scores, { [place]: id * 1.5 });
    [pool.lower[place], pool.upper[place], pool.words[place], pool.bits[place]] = [lower, upper, id, 32];
  }
  return pool;
}

describe("A pool of contenders", () => {
  it("drops exactly those below a cut and keeps the others as they were", () => {
    fc.assert(
      fc.property(fc.array(bounds), fc.integer({ min: -20, max: 25 }), (contenders, cut) => {
        const pool = poolOf(contenders);
        pool.dropBelow(cut);
        const kept = [...contenders.entries()].filter(([, { upper }]) => upper >= cut);
        expect(pool.count).toBe(kept.length);
        expect([...pool.ids].sort((a, b) => a - b)).toEqual(kept.map(([id]) => id));
        for (const [place, id] of pool.ids.entries()) {
          expect([pool.lower[place], pool.upper[place]]).toEqual(Object.values(contenders[id]));
          expect([pool.scores[place], pool.words[place], pool.bits[place]]).toEqual([id * 1.5, id, 32]);
        }
      }),
    );
  });

  it("gives its contenders by their lower ends, each once, also where many are equal", () => {
    fc.assert(
      fc.property(fc.array(bounds), (contenders) => {
        const order = [...poolOf(contenders).byLowerDescending()];
        expect(order.map((place) => contenders[place].lower)).toEqual(
          contenders.map(({ lower }) => lower).sort((a, b) => b - a),
        );
        expect(order.sort((a, b) => a - b)).toEqual([...contenders.keys()]);
      }),
    );
  });

  it("puts lower ends of any size in order, but for differences in their last digits", () => {
    const anyEnd = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(anyEnd, { maxLength: 256 }), (ends) => {
        const order = poolOf(ends.map((lower) => ({ lower, upper: lower }))).byLowerDescending();
        for (const [i, place] of order.slice(1).entries()) {
          const tiny = Math.abs(ends[place]) * 2 ** -44 + Number.MIN_VALUE * 256;
          expect(ends[place]).toBeLessThanOrEqual(ends[order[i]] + tiny);
        }
        expect(new Set(order).size).toBe(ends.length);
      }),
    );
  });

  it("keeps one whose upper end is the cut", () => {
    const pool = poolOf([1, 2, 3].map((upper) => ({ lower: 0, upper })));
    pool.dropBelow(2);
    expect([...pool.ids].sort()).toEqual([1, 2]);
  });

  it("starts empty, and has the place of one", () => {
    const pool = new Pool<number>(3);
    expect([pool.ids, pool.scores, pool.count, pool.lower.length]).toEqual([[], [], 0, 3]);
    expect([...pool.byLowerDescending()]).toEqual([]);
    expect([...poolOf([{ lower: 1 + Number.EPSILON, upper: 2 }]).byLowerDescending()]).toEqual([0]);
    expect([...poolOf([{ lower: -Infinity, upper: 2 }]).byLowerDescending()]).toEqual([0]);
  });

  it("orders lower ends by all digits that their places leave", () => {
    const order = (...ends: number[]) => [
      ...poolOf(ends.map((lower) => ({ lower, upper: 2 }))).byLowerDescending(),
    ];
    const { EPSILON } = Number;
    expect(order(1 + 2 * EPSILON, 1)).toEqual([0, 1]); // one digit for the place
    expect(order(1 + 8 * EPSILON, 1, 1 + 4 * EPSILON, 1 + 12 * EPSILON)).toEqual([3, 0, 2, 1]); // two digits
  });

  it("gives away all that it knows, and forgets it", () => {
    const pool = poolOf([1, 2, 3].map((upper) => ({ lower: 0, upper })));
    const { ids, scores, words, bits } = takeContents(pool);
    expect([ids, scores, [...words], [...bits]]).toEqual([
      [0, 1, 2],
      [0, 1.5, 3],
      [0, 1, 2],
      [32, 32, 32],
    ]);
    expect([pool.count, pool.ids, pool.scores]).toEqual([0, [], []]);
    for (const column of [pool.lower, pool.upper, pool.words, pool.bits])
      expect(column.every((value) => value === 0)).toBe(true);
  });

  it("grows when it is full, to twice the room and more", () => {
    const pool = new Pool<number>(2);
    expect(Array.from({ length: 4 }, () => [pool.next(), pool.lower.length, pool.bits.length])).toEqual([
      [0, 2, 2],
      [1, 2, 2],
      [2, 68, 68],
      [3, 68, 68],
    ]);
    const larger = enlarged(Float64Array.from({ length: 100 }, (_, i) => i + 1));
    expect(larger.length).toBe(264);
    expect([...larger.subarray(98, 101)]).toEqual([99, 100, 0]);
  });
});
