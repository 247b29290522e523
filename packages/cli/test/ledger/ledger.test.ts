import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import Database from "libsql";
import { expect, it, vi } from "vitest";
import { Ledger } from "winnow-release";
import { ledgerLaws } from "../../../release/test/ledger/laws/ledger-laws.js";
import { all, exampleRelease } from "../../../release/test/ledger/laws/place.js";
import { createLedger } from "../../src/ledger/ledger-file.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { Connection } from "../../src/ledger/sqlite-connection.js";
import { SqliteStore } from "../../src/ledger/sqlite-store.js";
import { type Keeping, openedLedger, sqlLaws, tamperWith } from "./support/sql-laws.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const keeping: Keeping = {
  fresh: async () => {
    const path = join(temporaryFolder(), "l");
    createLedger(path);
    return path;
  },
  sql: async (path, statements) => {
    const database = new Database(path);
    try {
      if (statements.startsWith("SELECT")) return database.prepare(statements).raw().all() as unknown[][];
      database.exec(statements);
      return [];
    } finally {
      database.close();
    }
  },
  tamper: async (path, statements) => {
    const database = new Database(path);
    const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
    database.exec(statements);
    for (const { sql } of triggers) database.exec(sql);
    database.close();
  },
  lock: async (path) => {
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    return async () => {
      other.exec("ROLLBACK");
      other.close();
    };
  },
};

ledgerLaws("the ledger of a file", async () => {
  const path = await keeping.fresh();
  return {
    store: async (patience) => new SqliteStore(path, await Connection.open(path, patience)),
    tamper: (change) => tamperWith(keeping, path, change),
  };
});

sqlLaws("the ledger of a file", keeping);

it("is looked at as a text", async () => {
  const folder = temporaryFolder();
  const ledger = await openedLedger(join(folder, "l"));
  const recorded = await ledger.record("visits", exampleRelease("a"));
  writeFileSync(join(folder, "text.jsonl"), (await all(ledger.exported())).join(""));
  const looked = await openLedger(join(folder, "text.jsonl"), { readOnly: true });
  expect((await looked.verify([recorded])).findings).toEqual([]);
  await looked.close();
});

it("is charged, searched and verified by index: no statement sorts or scans what grows", async () => {
  const path = join(temporaryFolder(), "a.ledger");
  createLedger(path);
  const connection = await Connection.open(path, 300);
  const statements = new Set<string>();
  const watched = new Proxy(connection, {
    get(_, name) {
      const part = Reflect.get(connection, name);
      if (typeof part !== "function") return part;
      return (first: unknown, ...rest: unknown[]) => {
        if (name === "all" || name === "run") statements.add(String(first));
        return part.call(connection, first, ...rest);
      };
    },
  });
  const ledger = new Ledger(new SqliteStore(path, watched), { software: { name: "test", version: "0" } });
  const spender = { analyst: "ann", cap: { measure: "pure", epsilon: "9" } } as const;
  await ledger.setBudget("visits", spender.cap);
  await ledger.record("visits", exampleRelease("one"), { spender, mark: "mark" });
  expect(await ledger.find("one")).toBeDefined();
  expect(await ledger.releasesOf("ann")).toHaveLength(1);
  expect((await ledger.head()).sequence).toBe(2);
  expect((await all(ledger.exported())).length).toBe(3);
  expect((await ledger.verify()).findings).toEqual([]);
  const plans = [...statements]
    .filter((sql) => !/sqlite_master|PRAGMA/.test(sql))
    .flatMap((sql) => {
      const values = sql
        .split("?")
        .slice(1)
        .map(() => 1);
      return connection.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => `${detail} | ${sql}`);
    });
  await ledger.close();
  expect(plans.length).toBeGreaterThan(10);
  expect(plans.filter((plan) => /TEMP B-TREE|SCAN (log|releases|sources)\b/.test(plan))).toEqual([]);
});

it("commits what several tasks charge at one moment at once", async () => {
  const path = join(temporaryFolder(), "a.ledger");
  createLedger(path);
  const store = new SqliteStore(path, await Connection.open(path, 300));
  const writing = vi.spyOn(store, "writing");
  const ledger = new Ledger(store, { software: { name: "test", version: "0" } });
  const releases = Array.from({ length: 20 }, (_, at) => exampleRelease(`r${at}`));
  await Promise.all(releases.map((release) => setImmediate().then(() => ledger.record("visits", release))));
  expect(writing).toHaveBeenCalledTimes(1);
  expect((await ledger.verify()).head.sequence).toBe(20);
  await ledger.close();
});
