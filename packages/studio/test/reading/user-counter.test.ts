import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UserCounter } from "../../src/reading/user-counter.js";

describe("counting users", () => {
  it("counts each user of an item once, as a set of sets would", () => {
    const name = fc.constantFrom(
      "",
      "a",
      "b",
      "A",
      "ä",
      "a\u0308",
      "constructor",
      "__proto__",
      " a",
      "17",
      "17.0",
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name)), (rows) => {
        const [counter, expected] = [new UserCounter(), new Map<string, Set<string>>()];
        for (const [item, user] of rows) {
          counter.add(item, user);
          if (item === "" || user === "") continue;
          expected.set(item, (expected.get(item) ?? new Set()).add(user));
        }
        const { items, users } = counter.histogram();
        expect(items).toEqual([...expected.keys()]);
        expect(users).toEqual([...expected.values()].map(({ size }) => size));
        for (const [item, { size }] of expected) expect(counter.usersOf(item)).toBe(size);
        expect(counter.items).toBe(expected.size);
        expect(counter.users).toBe(new Set([...expected.values()].flatMap((set) => [...set])).size);
      }),
    );
  });

  it("gives every pair once, and every row as often as it came", () => {
    const counter = new UserCounter();
    const rows = Array.from({ length: 5000 }, (_, i): [string, string] => [`u${i % 7}`, `${i % 11}`]);
    for (const [user, item] of rows) counter.add(item, user);
    const sorted = (pairs: Iterable<readonly [string, string]>) => [...pairs].map(String).sort();
    expect(sorted(counter.rows(() => true))).toEqual(sorted(rows));
    expect(sorted(counter.rows((item) => item === "3"))).toEqual(
      sorted(rows.filter(([, item]) => item === "3")),
    );
    expect(sorted(counter.pairs())).toEqual([...new Set(sorted(rows))]);
    expect(counter.pairsOfAtMost(3)).toBe(21);
    expect(counter.rowsOfAtMost(100, () => true)).toBe(700);
    expect(counter.rowsOfAtMost(1e6, (item) => item === "3")).toBe(
      rows.filter(([, item]) => item === "3").length,
    );
  });

  it("names the largest first, and an item that nobody has has no users", () => {
    const counter = new UserCounter();
    for (const [item, user] of ["xa", "ya", "yb", "za", "zb", "zc"].map(([...pair]) => pair))
      counter.add(item!, user!);
    expect(counter.largest(2)).toEqual([
      { item: "z", users: 3 },
      { item: "y", users: 2 },
    ]);
    expect(counter.usersOf("nobody's")).toBe(0);
  });
});
