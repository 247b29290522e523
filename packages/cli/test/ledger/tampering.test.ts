import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { type ChainHead, chain, hashText } from "winnow-release";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { Refusal } from "../../src/refusal.js";
import { exampleRelease, temporaryFolder } from "./support/examples.js";

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

/** Somebody who puts the triggers back afterwards. */
function tamperNeatly(path: string, sql: string): void {
  const database = new Database(path);
  const triggers = database.prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    sql: string;
  }[];
  database.close();
  tamper(path, `${sql}; ${triggers.map((trigger) => trigger.sql).join(";")}`);
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
  it.each([
    [
      "a changed loss",
      `UPDATE log SET text = replace(text, '"epsilon":"1"', '"epsilon":"0"') WHERE sequence = 3`,
      "changed 3",
    ],
    [
      "a changed hash",
      "UPDATE log SET hash = (SELECT hash FROM log WHERE sequence = 2) WHERE sequence = 3",
      "changed 3",
    ],
    ["a removed row", "DELETE FROM log WHERE sequence = 3", "missing 3"],
    ["the first row removed", "DELETE FROM log WHERE sequence = 1", "missing 1"],
    [
      "two rows in each other's place",
      "UPDATE log SET sequence = -3 WHERE sequence = 3; UPDATE log SET sequence = 3 WHERE sequence = 4; UPDATE log SET sequence = 4 WHERE sequence = -3",
      "reordered 3",
    ],
    ["a truncated log", "DELETE FROM log WHERE sequence > 4", "truncated 6"],
    ["an emptied log", "DELETE FROM log", "truncated 6"],
    ["a head moved back", "UPDATE head SET sequence = 4", "changed 4"],
    ["a text that is no text", "UPDATE log SET text = '' WHERE sequence = 2", "changed 2"],
  ])("is found by verify, and used no more: %s", async (_, sql, finding) => {
    const { path } = await fullLedger();
    tamper(path, sql.replaceAll("-3", "99"));
    expect(await kinds(path)).toContain(finding);
    await expect(use(path)).rejects.toThrow(broken);
  });

  it("is not used, and found by verify, if a trigger is gone or there is one more", async () => {
    for (const [sql, name] of [
      ["DROP TRIGGER log_is_not_changed", "log_is_not_changed"],
      ["CREATE TRIGGER mine AFTER INSERT ON log BEGIN SELECT 1; END", "mine"],
    ]) {
      const { path } = await fullLedger();
      const database = new Database(path);
      database.exec(sql);
      database.close();
      expect(await kinds(path)).toEqual(["schema 6"]);
      await expect(use(path)).rejects.toThrow(JSON.stringify(name));
    }
  });

  it.each([
    ["a budget", `UPDATE accounts SET summary = replace(summary, '"epsilon":"10"', '"epsilon":"99"')`],
    ["an account", "DELETE FROM accounts"],
    ["a release id", "DELETE FROM releases WHERE sequence = 3"],
  ])("is found by verify if the totals beside the log were changed: %s", async (_, sql) => {
    const { path } = await fullLedger();
    const database = new Database(path);
    database.exec(sql);
    database.close();
    expect(await kinds(path)).toEqual(["totals 6"]);
  });

  it("is noted if the time of an entry lies before that of the last", async () => {
    const { path } = await fullLedger();
    const ledger = await openLedger(path);
    const { notes, findings } = await ledger.verify();
    ledger.close();
    expect(findings).toEqual([]);
    expect(notes).toEqual(["Entry 2 has an earlier time than the entry before it."]);
  });

  it("is refused if its head or its table is gone", async () => {
    for (const sql of ["DELETE FROM head", "DROP TABLE head", "DROP TABLE log"]) {
      const { path } = await fullLedger();
      tamper(path, sql);
      await expect(kinds(path)).rejects.toThrow(broken);
      await expect(use(path)).rejects.toThrow(broken);
    }
  });

  it("is found if rows were cut off together with the head, by a release published after", async () => {
    const { path, published } = await fullLedger();
    tamperNeatly(
      path,
      "DELETE FROM log WHERE sequence > 4; UPDATE head SET sequence = 4, hash = (SELECT hash FROM log WHERE sequence = 4)",
    );
    expect(await kinds(path)).toEqual(["totals 4"]);
    expect(await kinds(path, [published[3]])).toEqual(["rolled-back 5"]);
  });

  it("is found if the last row was written anew with its hash and the head, by that release", async () => {
    const { path, published } = await fullLedger();
    const database = new Database(path);
    const { text } = database.prepare("SELECT text FROM log WHERE sequence = 6").get() as { text: string };
    database.close();
    const cheaper = text.replace('"epsilon":"1"', '"epsilon":"0"');
    const hash = await hashText(cheaper);
    tamperNeatly(
      path,
      `UPDATE log SET text = '${cheaper}', hash = '${hash}' WHERE sequence = 6; UPDATE head SET hash = '${hash}'`,
    );
    expect(await kinds(path)).toEqual(["totals 6"]);
    expect(await kinds(path, [published[4]])).toEqual(["rolled-back 6"]);
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

  it("is found if more was charged around it than the budget admits, in a chain that fits", async () => {
    const { path } = await fullLedger();
    const database = new Database(path);
    const head = database.prepare("SELECT sequence, hash FROM head").get() as ChainHead;
    const loss = { measure: "pure", epsilon: "6" } as const; // 5 of 10 are spent
    const row = await chain({ kind: "release", release: exampleRelease("around", { loss }) }, head);
    database.prepare("INSERT INTO log VALUES (?, ?, ?)").run(row.sequence, row.hash, row.text);
    database.close();
    await expect(kinds(path)).rejects.toThrow('More than the budget of "visits" was charged to it.');
    await expect(use(path)).rejects.toThrow(broken);
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
    return await ledger.entries();
  } finally {
    ledger.close();
  }
}
