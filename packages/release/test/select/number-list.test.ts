import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LargestItems } from "../../src/select/largest-items.js";
import { NumberList } from "../../src/select/number-list.js";

describe("a list of numbers", () => {
  it("knows what it holds, also after it has grown", () => {
    const list = new NumberList();
    expect(list.has(0)).toBe(false);
    for (let number = 9_999; number >= 0; number -= 3) list.add(number);
    for (let number = 0; number < 10_000; number++) expect(list.has(number)).toBe(number % 3 === 0);
    list.add(2 ** 52);
    expect([list.has(2 ** 52), list.has(2 ** 52 + 1)]).toEqual([true, false]);
  });
});

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
