/** Rows in groups: who counts where, and that one key decides all of it. */
import { describe, expect, it } from "vitest";
import type { CountedItems } from "winnow-release";
import { GroupedCounter, type GroupLimits } from "../../src/worker/grouped-rows.js";

function counterOf(rows: readonly (readonly [user: string, group: string, item: string])[]): GroupedCounter {
  const counter = new GroupedCounter();
  for (const [user, group, item] of rows) counter.add(item, user, group);
  return counter;
}

async function allOf(counter: GroupedCounter, limits: GroupLimits, only?: readonly string[]) {
  const rows = counter.rows(limits);
  const counts: Record<string, Record<string, number>> = {};
  for await (const { group, items, users } of rows.counts(only)) counts[group] = record({ items, users });
  const people: Record<string, number> = {};
  for await (const batch of rows.people()) Object.assign(people, record(batch));
  return { rows, counts, people };
}

function record({ items, users }: CountedItems): Record<string, number> {
  return Object.fromEntries(Array.from(items, (item, i) => [item, users[i]!]));
}

describe("rows in groups", () => {
  it("count each person once for an item of a group, whatever the names, and skip rows that lack a part", async () => {
    const counter = counterOf([
      ["u1", "DE", "Alster"],
      ["u1", "DE", "Alster"],
      ["u1", "3:a", "1:b"],
      ["u2", "DE", "Alster"],
      ["", "DE", "Alster"],
      ["u3", "", "Alster"],
      ["u3", "FR", ""],
    ]);
    expect(counter.groups).toBe(2);
    const { counts, people, rows } = await allOf(counter, { maxGroupsPerUser: 2 });
    expect(counts).toEqual({ DE: { Alster: 2 }, "3:a": { "1:b": 1 } });
    expect(people).toEqual({ DE: 2, "3:a": 1 });
    expect(rows.listed).toBeUndefined();
  });

  it("keep to the public lists of groups and items, in their order", async () => {
    const counter = counterOf([
      ["u1", "DE", "Alster"],
      ["u1", "DE", "Elbe"],
      ["u1", "XX", "Alster"],
    ]);
    const limits = { groups: ["IT", "DE"], items: ["Alster"], maxGroupsPerUser: 9 };
    const { counts, rows } = await allOf(counter, limits);
    expect(counts).toEqual({ IT: {}, DE: { Alster: 1 } });
    expect(rows).toMatchObject({ listed: [["IT"], ["DE"]], items: ["Alster"] });
    expect(counter.matched(limits.groups)).toBe(1);
    expect((await allOf(counter, limits, ["DE"])).counts).toEqual({ DE: { Alster: 1 } });
  });

  it("count a person in at most so many groups, the same ones that select the groups, and for so many items in each", async () => {
    const rows = Array.from({ length: 60 }, (_, user) =>
      ["DE", "FR", "IT"].flatMap((group) =>
        ["a", "b", "c", "d"].map((item) => [`u${user}`, group, item] as const),
      ),
    ).flat();
    const counter = counterOf(rows);
    const { counts, people } = await allOf(counter, { maxGroupsPerUser: 2, maxItemsPerUser: 3 });
    const sum = (all: Record<string, number>) =>
      Object.values(all).reduce((total, count) => total + count, 0);
    expect(sum(people)).toBe(60 * 2);
    for (const [group, items] of Object.entries(counts)) expect(sum(items)).toBe(3 * people[group]!);
  });

  it("has a middle group by size, and how much of the rows the limit on groups leaves", () => {
    const rows = ["DE", "FR", "IT"].flatMap((group, place) =>
      Array.from({ length: 10 * (place + 1) }, (_, user) => [`u${user}`, group, "a"] as const),
    );
    const counter = counterOf(rows);
    expect(counter.middle({ maxGroupsPerUser: 3 })).toEqual({
      ...{ name: "FR", items: ["a"], users: [20], kept: 1, all: 20 },
    });
    // Thirty people, ten in three groups, ten in two and ten in one, each of them in one.
    expect(counter.middle({ maxGroupsPerUser: 1 })).toMatchObject({ kept: 0.5 });
    expect(counter.middle({ groups: ["DE"], maxGroupsPerUser: 1, maxItemsPerUser: 1 })).toEqual({
      ...{ name: "DE", items: ["a"], users: [10], bounded: [10], kept: 1, all: 10 },
    });
    expect(counterOf([]).middle({ maxGroupsPerUser: 1 })).toBeUndefined();
  });
});
