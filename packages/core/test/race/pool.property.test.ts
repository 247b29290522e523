import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pool } from "../../src/race/pool.js";

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
});
