import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PairSet } from "../../src/reading/user-counter.js";

describe("a set of pairs", () => {
  it("knows every pair again, and only those, however it has grown", () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 ** 32 - 2 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 500 }), (pairs) => {
        const [set, known] = [new PairSet(4), new Set<string>()];
        for (const [first, second] of pairs) {
          expect(set.add(first, second)).toBe(!known.has(`${first} ${second}`));
          known.add(`${first} ${second}`);
        }
        expect(set.size).toBe(known.size);
      }),
    );
  });

  it("tells a pair from its mirror image", () => {
    const set = new PairSet();
    expect([set.add(1, 2), set.add(2, 1), set.add(1, 2)]).toEqual([true, true, false]);
  });

  it("holds a hundred thousand neighbouring pairs", () => {
    const set = new PairSet();
    for (let first = 0; first < 100; first++)
      for (let second = 0; second < 1000; second++) set.add(first, second);
    for (let first = 0; first < 100; first++) expect(set.add(first, 999)).toBe(false);
    expect(set.size).toBe(100_000);
  });
});
