import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { boundGroups, type GroupRow } from "../../src/discover/bound-groups.js";
import { shuffle } from "../../src/sample/shuffle.js";
import { drawBelow } from "../../src/sample/uniform-below.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { amount } from "../support/amount.js";

const key = new Uint8Array(32).map((_, place) => place);

function hashOf(...parts: string[]): string {
  const hash = createHash("sha256").update(key);
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

const measured = (text: string) => `${Buffer.byteLength(text)}:${text}`;

describe("boundGroups", () => {
  it("keeps the groups, then the items with the smallest hashes, as the header says", () => {
    const groups = ["DE", "FR", "日本", "IT"];
    const items = ["a", "é", "c", "d", "e"];
    const rows = groups.flatMap((group) => items.map((item): GroupRow => ["ü1", group, item]));
    const kept = boundGroups(rows, { maxGroupsPerUser: 2, maxItemsPerUser: 3, key });
    const byHash = (of: (text: string) => string) => (a: string, b: string) => (of(a) < of(b) ? -1 : 1);
    const chosen = groups.toSorted(byHash((group) => hashOf(measured("ü1"), "g", group))).slice(0, 2);
    expect(new Set(kept.keys())).toEqual(new Set(chosen));
    for (const group of chosen) {
      const best = items
        .toSorted(byHash((item) => hashOf(measured("ü1"), "i", measured(group), item)))
        .slice(0, 3);
      expect(new Set(kept.get(group)?.keys())).toEqual(new Set(best));
    }
  });

  it("has every listed group in the order of the list, and skips rows that are unlisted or incomplete before it cuts", () => {
    const rows: GroupRow[] = [
      ["u1", "XX", "a"],
      ["u1", "DE", "zz"],
      ["u1", "DE", null],
      [null, "DE", "a"],
      ["u1", undefined, "a"],
      undefined as never,
      ["u1", "FR", "a"],
    ];
    const counts = boundGroups(rows, {
      groups: ["IT", "FR", "DE"],
      items: ["a", "b"],
      maxGroupsPerUser: 1,
      key,
    });
    expect([...counts]).toEqual([
      ["IT", new Map()],
      ["FR", new Map([["a", 1]])],
      ["DE", new Map()],
    ]);
  });

  it("counts one person with rows in 5,000 groups in two of them", () => {
    const rows = Array.from({ length: 5000 }, (_, group): GroupRow => ["u1", `g${group}`, "a"]);
    expect(boundGroups(rows, { maxGroupsPerUser: 2, key }).size).toBe(2);
  });

  it("refuses rows that aren't texts without quoting them, and lists that aren't", () => {
    const options = { maxGroupsPerUser: 1 };
    for (const row of [["u1", "DE", 4711], ["u1", 4711, "a"], [4711, "DE", "a"]]) // biome-ignore format: one line
      expect(() => boundGroups([row as never], options)).toThrow(
        /^rows must be a person, a group and an item, each a text \(or null, which is skipped\)$/,
      );
    expect(() => boundGroups(4711 as never, options)).toThrow("rows must be an iterable");
    expect(() => boundGroups([], { ...options, groups: ["a", "a"] })).toThrow(
      "groups must be a list of names, each once",
    );
    expect(() => boundGroups([], { ...options, items: [] })).toThrow(
      "items must be a list of names, each once",
    );
    expect(() => boundGroups([], { maxGroupsPerUser: 0 })).toThrow(
      "maxGroupsPerUser must be an integer >= 1; got 0",
    );
  });
});

/** A table of up to eight people, and the rows of one person more. */
function world(entropy: ReturnType<typeof seededEntropy>): { rows: GroupRow[]; more: GroupRow[] } {
  const rowsOf = (user: string) =>
    Array.from(
      { length: 1 + drawBelow(6, entropy) },
      (): GroupRow => [user, `g${drawBelow(4, entropy)}`, `i${drawBelow(3, entropy)}`],
    );
  const people = Array.from({ length: drawBelow(8, entropy) }, (_, place) => rowsOf(`u${place}`));
  return { rows: people.flat(), more: rowsOf("new") };
}

/** By how much counts differ, by group. */
function movesBetween(before: ReadonlyMap<string, ReadonlyMap<string, number>>, after: typeof before) {
  const moves = new Map<string, number[]>();
  for (const [group, counts] of after)
    for (const [item, count] of counts) {
      const move = count - (before.get(group)?.get(item) ?? 0);
      if (move !== 0) moves.set(group, [...(moves.get(group) ?? []), move]);
    }
  for (const [group, counts] of before)
    for (const item of counts.keys())
      if (after.get(group)?.get(item) === undefined) moves.set(group, [Infinity]);
  return moves;
}

describe("One person more", () => {
  const LIMITS = { maxGroupsPerUser: 2, maxItemsPerUser: 2, key };

  it("moves counts in at most two groups, by 1, of at most two items, whatever the order of the rows", () => {
    const entropy = seededEntropy("neighbours in groups");
    for (let pair = 0; pair < amount(2000, 10_000); pair++) {
      const { rows, more } = world(entropy);
      const before = boundGroups(shuffled(rows, entropy), LIMITS);
      const moves = movesBetween(before, boundGroups(shuffled([...rows, ...more], entropy), LIMITS));
      expect(moves.size).toBeLessThanOrEqual(2);
      for (const [group, steps] of moves) {
        expect(more.some(([, own]) => own === group)).toBe(true);
        expect(steps.length).toBeLessThanOrEqual(2);
        expect(steps.every((step) => step === 1)).toBe(true);
      }
    }
  });

  it("would move counts of others if the first rows that arrive were kept, as LIMIT does", () => {
    const entropy = seededEntropy("limit in groups");
    let broken = 0;
    for (let pair = 0; pair < 300; pair++) {
      const { rows, more } = world(entropy);
      const moves = movesBetween(limited(rows), limited([...more, ...rows]));
      if (moves.size > 2 || [...moves.values()].some((steps) => steps.some((step) => step !== 1))) broken++;
    }
    expect(broken).toBeGreaterThan(20);
  });
});

describe("A group that is filled up with rows of people who were cut elsewhere", () => {
  it("would move counts of others", () => {
    const entropy = seededEntropy("refilled groups");
    let broken = 0;
    for (let pair = 0; pair < 300; pair++) {
      const { rows, more } = world(entropy);
      const own = new Set(more.map(([, group]) => group));
      const moves = movesBetween(refilled(rows), refilled([...rows, ...more]));
      if ([...moves].some(([group, steps]) => !own.has(group) || steps.some((step) => step !== 1))) broken++;
    }
    expect(broken).toBeGreaterThan(20);
  });
});

/** Wrong: one group a person, but groups with fewer than three people take their rows all the same. */
function refilled(rows: readonly GroupRow[]): Map<string, Map<string, number>> {
  const kept = boundGroups(rows, { maxGroupsPerUser: 1, key });
  const all = boundGroups(rows, { maxGroupsPerUser: 4, key });
  const people = (counts: ReadonlyMap<string, number> = new Map()) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  return new Map(
    [...all].map(([group, counts]) => [group, people(kept.get(group)) < 3 ? counts : kept.get(group)!]),
  );
}

/** Wrong: each group keeps its first four rows, whoever wrote them. */
function limited(rows: readonly GroupRow[]): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  const seen = new Map<string, number>();
  for (const [, group, item] of rows as [string, string, string][]) {
    seen.set(group, (seen.get(group) ?? 0) + 1);
    if ((seen.get(group) as number) > 4) continue;
    const table = counts.get(group) ?? new Map<string, number>();
    counts.set(group, table.set(item, (table.get(item) ?? 0) + 1));
  }
  return counts;
}

function shuffled<T>(rows: readonly T[], entropy: ReturnType<typeof seededEntropy>): T[] {
  const copy = [...rows];
  shuffle(copy, entropy);
  return copy;
}
