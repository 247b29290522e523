import { describe, expect, it } from "vitest";
import { joinHere, readList, withoutUsers } from "../../src/sources/server-source.js";
import type { Batch } from "../../src/sources/source.js";

async function* arriving<T>(...values: T[]): AsyncGenerator<T> {
  for (const value of values) yield value;
}

async function pairs(batches: AsyncIterable<Batch>): Promise<[string, number][]> {
  const all: [string, number][] = [];
  for await (const { items, users } of batches)
    for (const [place, item] of items.entries()) all.push([item, users[place]]);
  return all;
}

describe("A public list", () => {
  it("is sent along if it is short, each item once", async () => {
    expect(await readList(["a", "b", "a"])).toEqual({ kind: "sent", items: ["a", "b"] });
    expect(await readList(arriving("a", "b"), 4)).toEqual({ kind: "sent", items: ["a", "b"] });
    expect(await readList(arriving("a", "é"), 3)).toEqual({
      kind: "kept",
      items: new Set(["a", "é"]),
      mostBytes: 2,
    });
  });

  it("that is kept gives every item once, whatever comes by", async () => {
    const counted = arriving<Batch>(
      { items: ["x", "a"], users: [9, 5] },
      { items: [], users: [] },
      { items: ["c", "y"], users: [0, 3] },
    );
    expect(await pairs(joinHere(counted, new Set(["a", "b", "c"])))).toEqual([
      ["a", 5],
      ["c", 0],
      ["b", 0],
    ]);
  });

  it("fills batches of items without users", () => {
    const batches = [...withoutUsers(Array.from({ length: 25_001 }, (_, i) => String(i)))];
    expect(batches.map(({ items, users }) => [items.length, users.length])).toEqual([
      [10_000, 10_000],
      [10_000, 10_000],
      [5001, 5001],
    ]);
    expect(new Set(batches.flatMap(({ items }) => items)).size).toBe(25_001);
    expect(batches.every(({ users }) => users.every((count) => count === 0))).toBe(true);
    expect([...withoutUsers([])]).toEqual([]);
  });
});
