import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLedger } from "../../src/ledger/ledger-file.js";
import { Connection } from "../../src/ledger/sqlite-connection.js";
import { temporaryFolder } from "./support/temporary-folder.js";

async function freshConnection(): Promise<Connection> {
  const path = join(temporaryFolder(), "l");
  createLedger(path);
  const connection = await Connection.open(path, 300);
  onTestFinished(() => connection.close());
  return connection;
}

it("writes ahead of the file, through to the disk, and trusts nothing in the schema", async () => {
  const connection = await freshConnection();
  expect(connection.all("PRAGMA journal_mode")).toMatchObject([{ journal_mode: "wal" }]);
  expect(connection.all("PRAGMA synchronous")).toMatchObject([{ synchronous: 2 }]);
  expect(connection.all("PRAGMA trusted_schema")).toMatchObject([{ trusted_schema: 0 }]);
  expect(connection.all("PRAGMA busy_timeout")).toMatchObject([{ timeout: 100 }]);
});

it("undoes a transaction whose work fails at any point, and goes on", async () => {
  const connection = await freshConnection();
  const insert = (sequence: number) => connection.run("INSERT INTO log VALUES (?, 'h', 't')", sequence);
  const failing = connection.writing(async () => {
    insert(1);
    await Promise.resolve();
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await expect(connection.writing(async () => insert(7))).rejects.toThrow(/only grows at its end/);
  expect(await connection.reading(async () => connection.all("SELECT * FROM log"))).toEqual([]);
  await connection.writing(async () => insert(1));
  expect(connection.all("SELECT sequence FROM head")).toMatchObject([{ sequence: 1 }]);
});
