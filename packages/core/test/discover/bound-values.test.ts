import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { boundValues } from "../../src/index.js";
import { seededEntropy } from "../../src/testing/index.js";

const key = Uint8Array.from({ length: 32 }, (_, i) => i);

/** As the header says it, with another implementation of the hash: one row after the other. */
function keptHere(rows: readonly (readonly [string, string])[], most: number): [string, number][] {
  const copies = new Map<string, number>();
  const hashed = rows.map(([user, value]) => {
    const copy = (copies.get(`${user}\n${value}`) ?? 0) + 1;
    copies.set(`${user}\n${value}`, copy);
    const text = `${Buffer.byteLength(user)}:${user}${copy}:${value}`;
    return { user, value, hash: createHash("sha256").update(key).update(text).digest("hex") };
  });
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const counts = new Map<string, number>();
  const places = new Map<string, number>();
  for (const { user, value } of hashed) {
    const place = (places.get(user) ?? 0) + 1;
    places.set(user, place);
    if (place <= most) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort();
}

function rowsOf(seed: string, users: number): [string, string][] {
  const entropy = seededEntropy(seed);
  return Array.from({ length: users * 8 }, (_, i) => [`u${i % users}`, `${entropy.bits(2)}`]);
}

describe("boundValues", () => {
  it("keeps the rows with the smallest hashes of person, copy and value, as the SQL does", () => {
    const rows: [string, string][] = [...rowsOf("values", 30), ["Zoë", "1"], ["Zoë", "1"], ["Zoë", "2"]];
    for (const most of [1, 2, 5, 100])
      expect([...boundValues(rows, { maxValuesPerUser: most, key })].sort()).toEqual(keptHere(rows, most));
  });

  it("weighs a value as often as its person has it", () => {
    const people = Array.from({ length: 1000 }, (_, i) => `u${i}`);
    const rows = people.flatMap((user) => [...Array(9).fill(4), 1].map((value) => [user, value] as const));
    const often = boundValues(rows, { maxValuesPerUser: 1, key }).get(4) ?? 0;
    // Binomial with n = 1000 and p = 9/10 has a standard deviation of 9.5; one of the different values would be 500.
    expect(Math.abs(often - 900)).toBeLessThan(50);
  });

  it("lets one person change at most so many values, their own, in any order of the rows", () => {
    for (const most of [1, 2, 5]) {
      const rows = rowsOf(`bounding ${most}`, 40);
      const own = boundValues(
        rows.filter(([user]) => user === "u7"),
        { maxValuesPerUser: most, key },
      );
      const others = rows.filter(([user]) => user !== "u7");
      const [all, rest] = [rows.toReversed(), others].map((list) =>
        boundValues(list, { maxValuesPerUser: most, key }),
      );
      expect([...own.values()].reduce((sum, copies) => sum + copies, 0)).toBe(most);
      for (const [value, copies] of all) expect(copies - (own.get(value) ?? 0)).toBe(rest.get(value) ?? 0);
    }
  });

  it("keeps all copies of a person who has few, and skips rows without a person or a value", () => {
    const rows = [
      ["a", 4],
      ["a", 4],
      ["b", 5],
      [null, 4],
      [undefined as never, 4],
      ["c", undefined],
      ["c", null],
      null as never,
      undefined as never,
    ] as const;
    expect([...boundValues(rows, { maxValuesPerUser: 2 })].sort()).toEqual([
      [4, 2],
      [5, 1],
    ]);
    expect([...boundValues(rows, { maxValuesPerUser: 1 })].sort()).toEqual([
      [4, 1],
      [5, 1],
    ]);
  });

  it("draws another key each time", () => {
    const rows = rowsOf("keys", 200);
    const entropy = seededEntropy("two keys");
    const [a, b] = [1, 2].map(() => [...boundValues(rows, { maxValuesPerUser: 1, entropy })].sort().join());
    expect(a).not.toBe(b);
  });

  it.each([
    [[["a", {}]], { maxValuesPerUser: 1 }, "rows must be pairs of a person and a value"],
    [[[7, 7]], { maxValuesPerUser: 1 }, "rows must be pairs of a person and a value"],
    [7, { maxValuesPerUser: 1 }, "rows must be an iterable"],
    [[], { maxValuesPerUser: 0 }, "maxValuesPerUser must be an integer >= 1"],
    [[], { maxValuesPerUser: 1, key: new Uint8Array(3) }, "key must be a Uint8Array of 32 bytes"],
  ])("refuses %o with %o", (rows, options, message) => {
    expect(() => boundValues(rows as never, options)).toThrow(message);
  });
});
