import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { countUsers, otherValues, readCounts, unreadLines } from "../../src/sources/files/count-users.js";
import { openEngine } from "../../src/sources/files/engine.js";
import { relationOf } from "../../src/sources/files/open-relation.js";
import type { ContributionBound } from "../../src/sources/source.js";
import {
  BOUNDS,
  boundedHere,
  boundedValuesHere,
  crowdedRows,
  NUMBERS,
  numericRows,
  type Pair,
  WORDS,
} from "../support/bounded-rows.js";
import { EVERYTHING } from "./source-folder.js";

const ROLES = { item: "item", user: "user" };

/** The other engines, and the way through the reader's process: servers/bounded-on-servers.test.ts. */
describe("a person with many items, in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const count = async (
    format: "csv" | "ndjson",
    text: string,
    bound: ContributionBound,
    isNumeric = false,
  ) => {
    const engine = await openEngine({ folder });
    try {
      const path = join(folder, `rows.${format}`);
      writeFileSync(path, text);
      const relation = await relationOf(engine, format, { paths: [path], compression: "none" });
      await relation.lines?.survey();
      await countUsers(engine.connection, relation, { roles: ROLES, bound, isNumeric });
      const counts: [string, number][] = [];
      for await (const { items, users } of readCounts(engine.connection, EVERYTHING))
        for (const [i, item] of items.entries()) counts.push([item, users[i]]);
      const unread = await unreadLines(engine.connection, relation, ROLES);
      return {
        counts,
        unread,
        ...(isNumeric && { words: (await otherValues(engine.connection)).skippedValues }),
      };
    } finally {
      engine.close();
    }
  };

  it("counts for the items that the library keeps, also under names that only JSON can write", async () => {
    const names = ["\0", "a\0b", "\n", "a\nb", "\u0001", '"', "\\", "\u2028"];
    const rows = [...crowdedRows(), ...names.flatMap((user) => names.map((item): Pair => [user, item]))];
    const text = rows.map(([user, item]) => JSON.stringify({ user, item })).join("\n");
    for (const bound of BOUNDS)
      expect(await count("ndjson", text, bound)).toEqual({ counts: boundedHere(rows, bound), unread: 0 });
  });

  it("loses no place to rows without item, and skips the same lines", async () => {
    const [bound] = BOUNDS;
    const rows: Pair[] = ["a", "b", "c", "d", "e"].map((item) => ["ann", item]);
    const text = `user,item\nann,\n,a\nann,""\n"open,a\nann\n${rows.map((row) => row.join(",")).join("\n")}\n,\n`;
    expect(await count("csv", text, bound)).toEqual({ counts: boundedHere(rows, bound), unread: 2 });
  });

  it("loses no place to what is not a number, where numbers are counted", async () => {
    const rows = numericRows();
    const text = `user,item\n${rows.map((row) => row.join(",")).join("\n")}\n`;
    const numbers = rows.filter(([, item]) => NUMBERS.includes(item));
    for (const bound of BOUNDS)
      expect(await count("csv", text, bound, true)).toEqual({
        counts: boundedValuesHere(numbers, bound),
        unread: 0,
        words: WORDS.length,
      });
  });

  it.each([["17.0"], ["1e308", "NaN"], ['"open'], ["7", "8", "9"], ["word", ""]])(
    "moves at most one count by one where each person has one value, whatever %s a person writes",
    async (...written) => {
      const [bound] = BOUNDS;
      const header = `user,item\n${Array.from({ length: 50 }, (_, i) => `u${i},${i % 7}\nu${i},${i}`).join("\n")}\n`;
      const before = new Map((await count("csv", header, bound, true)).counts);
      const rows = written.map((item) => `newcomer,${item}\n`).join("");
      const after = new Map((await count("csv", header + rows, bound, true)).counts);
      const moved = [...new Set([...before.keys(), ...after.keys()])]
        .map((item) => (after.get(item) ?? 0) - (before.get(item) ?? 0))
        .filter((change) => change !== 0);
      expect([[], [1]]).toContainEqual(moved);
    },
  );
});
