import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LargestItems } from "../../src/parts/largest-items.js";

describe("the largest items", () => {
  it("are those with the most users, the smaller names among equals, by name", () => {
    const rows = fc.uniqueArray(fc.tuple(fc.string(), fc.integer({ min: 0, max: 6 })), {
      selector: ([item]) => item,
      maxLength: 60,
    });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 10 }), (all, places) => {
        const kept = new LargestItems(places);
        for (const [item, users] of all) kept.take(item, users);
        const byName = (a: string, b: string) => (a < b ? -1 : 1);
        const expected = all
          .filter(([, users]) => users > 0)
          .sort(([a, x], [b, y]) => y - x || byName(a, b))
          .slice(0, places)
          .sort(([a], [b]) => byName(a, b));
        const { items, users } = kept.byName();
        expect(items.map((item, index) => [item, users[index]])).toEqual(expected);
      }),
    );
  });
});
