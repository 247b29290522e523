import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { Refusal } from "winnow-release";
import { all, exampleRelease } from "../../../release/test/ledger/laws/place.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { temporaryFolder } from "./support/temporary-folder.js";

/** A ledger with a budget and five releases. */
async function fullLedger() {
  const path = join(temporaryFolder(), "l");
  const ledger = await openLedger(path, { create: true });
  await ledger.setBudget("visits", { measure: "pure", epsilon: "10" });
  const published = [];
  for (const id of ["a", "b", "c", "d", "e"])
    published.push(await ledger.record("visits", exampleRelease(id)));
  ledger.close();
  return { path, published };
}

/** Somebody who may write the file and takes the triggers out of the way. */
function tamper(path: string, sql: string): void {
  const database = new Database(path);
  for (const trigger of [
    "log_follows",
    "log_moves_head",
    "log_is_not_changed",
    "log_is_not_deleted",
    "head_goes_forward",
    "head_is_not_deleted",
  ])
    database.exec(`DROP TRIGGER ${trigger}`);
  database.exec(sql);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

type Published = Awaited<ReturnType<typeof fullLedger>>["published"];

async function kinds(path: string, against: Published = []): Promise<string[]> {
  const ledger = await openLedger(path);
  try {
    return (await ledger.verify(against)).findings.map(({ kind, sequence }) => `${kind} ${sequence}`);
  } finally {
    ledger.close();
  }
}

async function use(path: string): Promise<void> {
  const ledger = await openLedger(path);
  try {
    await ledger.record("visits", exampleRelease("new"));
  } finally {
    ledger.close();
  }
}

const broken = expect.objectContaining({ name: "Refusal", code: "ledger-broken" });

describe("a ledger that was tampered with", () => {
  it("is refused if its head or its table is gone", async () => {
    for (const sql of ["DELETE FROM head", "DROP TABLE head", "DROP TABLE log"]) {
      const { path } = await fullLedger();
      tamper(path, sql);
      await expect(kinds(path)).rejects.toThrow(broken);
      await expect(use(path)).rejects.toThrow(broken);
    }
  });

  it("is found if it was put back to an older copy, by a release published after it, also when it went on since", async () => {
    const { path } = await fullLedger();
    const backup = `${path}.backup`;
    copyFileSync(path, backup);
    const ledger = await openLedger(path);
    const later = await ledger.record("visits", exampleRelease("later"));
    ledger.close();
    expect(await kinds(path, [later])).toEqual([]);
    expect(await kinds(backup)).toEqual([]);
    expect(await kinds(backup, [later])).toEqual(["rolled-back 7"]);
    await use(backup);
    await use(backup);
    expect(await kinds(backup)).toEqual([]);
    expect(await kinds(backup, [later])).toEqual(["rolled-back 7"]);
  });

  it("is never used for other entries than those that were written, whichever byte of the file is changed", async () => {
    const { path } = await fullLedger();
    const whole = readFileSync(path);
    const entries = await entriesOf(path);
    const entropy = seededEntropy("changed bytes");
    let found = 0;
    for (let run = 0; run < 150; run++) {
      const bytes = Buffer.from(whole);
      const at = uniformBelow(bytes.length, entropy);
      bytes[at] ^= 1 << uniformBelow(8, entropy);
      const copy = `${path}.${run}`;
      writeFileSync(copy, bytes);
      try {
        expect(await entriesOf(copy), `byte ${at}`).toEqual(entries);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        found++;
      }
    }
    expect(found).toBeGreaterThan(0);
  });
});

async function entriesOf(path: string) {
  const ledger = await openLedger(path);
  try {
    return await all(ledger.entries());
  } finally {
    ledger.close();
  }
}
