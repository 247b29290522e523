import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { countUsers, readCounts, unreadLines } from "../../../src/sources/files/count-users.js";
import { openEngine } from "../../../src/sources/files/engine.js";
import { relationOf } from "../../../src/sources/files/open-relation.js";
import type { ContributionBound } from "../../../src/sources/source.js";
import { BOUNDS } from "../../support/bounded-rows.js";
import { EVERYTHING } from "./engine-folder.js";

const ROLES = { item: "item", user: "user" };

/** The engine, whose memory is used up whenever it counts in fewer passes than it must. */
function shortOfMemory(connection: DuckDBConnection, passes: number): DuckDBConnection {
  const run: DuckDBConnection["run"] = (sql, ...values) => {
    const isTooMuch = sql.includes("DISTINCT") && !sql.includes(`% ${passes} = `);
    return isTooMuch ? Promise.reject(new Error("Out of Memory Error: …")) : connection.run(sql, ...values);
  };
  return new Proxy(connection, { get: (target, name) => (name === "run" ? run : Reflect.get(target, name)) });
}

it.each([
  ["", undefined],
  [", each person for one item", BOUNDS[0]],
])(
  "counts exactly in as many passes as the memory asks for, and malformed lines once%s",
  async (_, bound?: ContributionBound) => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
    const engine = await openEngine({ folder });
    const path = join(folder, "rows.csv");
    const lines = Array.from({ length: 5000 }, (_, i) => `user ${i % 700},item ${i % 9}\n`);
    writeFileSync(
      path,
      Buffer.concat([Buffer.from(`user,item\n${lines.join("")}"open,x\n,y\n`), Buffer.from([0xff, 10])]),
    );
    const relation = await relationOf(engine, "csv", { paths: [path], compression: "none" });
    const counted = async (connection: DuckDBConnection) => {
      await relation.lines?.survey();
      await countUsers(connection, relation, { roles: ROLES, bound });
      const counts: Record<string, number> = {};
      for await (const { items, users } of readCounts(engine.connection, EVERYTHING))
        for (const [i, item] of items.entries()) counts[item] = users[i];
      return { counts, unread: await unreadLines(engine.connection, relation, ROLES) };
    };
    const expected = await counted(engine.connection);
    expect(expected.unread).toBe(2);
    expect(Object.keys(expected.counts)).toHaveLength(9);
    const sum = Object.values(expected.counts).reduce((total, users) => total + users);
    expect(sum).toBe(bound === undefined ? 5000 : 700);
    for (const passes of [8, 32, 128])
      expect(await counted(shortOfMemory(engine.connection, passes))).toEqual(expected);
    await expect(counted(shortOfMemory(engine.connection, 7))).rejects.toThrow("Out of Memory");
    engine.close();
    rmSync(folder, { recursive: true });
  },
);
