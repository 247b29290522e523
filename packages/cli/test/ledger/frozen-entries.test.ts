import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, it } from "vitest";
import { writeEveryKind } from "../../../release/test/ledger/laws/every-kind.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { all, temporaryFolder } from "./support/examples.js";

const FROZEN = new URL("../../../release/test/ledger/laws/every-kind.json", import.meta.url);

it("writes entries of every kind, and what is stored beside them, with the bytes that were frozen", async () => {
  const path = join(temporaryFolder(), "l");
  const ledger = await openLedger(path, { create: true });
  await writeEveryKind(ledger);
  const lines = await all(ledger.exported());
  const { root } = await ledger.head();
  await ledger.close();
  const database = new Database(path);
  const accounts = database.prepare("SELECT dataset, summary FROM accounts ORDER BY place").all() as object[];
  const places = database.prepare("SELECT id, sequence FROM releases ORDER BY id").all() as object[];
  database.close();
  const written = { lines, root, accounts: accounts.map(Object.values), places: places.map(Object.values) };
  if (process.env.FREEZE === "1") writeFileSync(FROZEN, `${JSON.stringify(written, null, 2)}\n`);
  expect(written).toEqual(JSON.parse(readFileSync(FROZEN, "utf8")));
});
