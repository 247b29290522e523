/**
 * What ledgers in a database promise besides: the database itself refuses to change the log, and others wait for a lock.
 * @module
 */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Ledger } from "winnow-release";
import { exampleRelease, refusal, type Tables } from "../../../../release/test/ledger/laws/place.js";
import { openLedger } from "../../../src/ledger/open-ledger.js";

/** Where one kind of ledger is kept. */
export interface Keeping {
  /** An empty ledger: what `--ledger` would name. */
  fresh(): Promise<string>;
  /** Runs statements around Winnow, as the owner of the tables; the rows of the last one. */
  sql(location: string, statements: string): Promise<unknown[][]>;
  /** The same with the triggers out of the way, which are there again afterwards. */
  tamper(location: string, statements: string): Promise<void>;
  /** Holds the lock of a run that writes, until it is told to let go. */
  lock(location: string): Promise<() => Promise<void>>;
}

/** Closed after the test. */
export async function openedLedger(location: string, patience = 300): Promise<Ledger> {
  const ledger = await openLedger(location, { create: true, asOwner: true, patience });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** Reads all tables, changes them, and writes them back around Winnow. */
export async function tamperWith(
  { sql, tamper }: Keeping,
  location: string,
  change: (tables: Tables) => void,
): Promise<void> {
  const read = async <T extends readonly unknown[]>(statement: string) =>
    (await sql(location, statement)).map((row) => row.map((value) => value)) as unknown as T[];
  const rows = await read<[number, string, string]>("SELECT sequence, hash, text FROM log ORDER BY sequence");
  const heads = await read<[number, string]>("SELECT sequence, hash FROM head");
  const summarised = await read<[number, string]>("SELECT sequence, hash FROM summarised");
  const places = await read<[string, number]>("SELECT id, sequence FROM releases ORDER BY id");
  const headOf = ([row]: [number, string][]) => row && { sequence: Number(row[0]), hash: row[1] };
  const tables: Tables = {
    rows: rows.map(([sequence, hash, text]) => ({ sequence: Number(sequence), hash, text })),
    head: headOf(heads),
    summarised: headOf(summarised),
    accounts: await read<[string, string]>("SELECT dataset, summary FROM accounts ORDER BY place"),
    places: places.map(([key, sequence]) => [key, Number(sequence)]),
  };
  change(tables);
  const texts = (values: readonly (string | number)[]) =>
    values
      .map((value) => (typeof value === "number" ? value : `'${value.replaceAll("'", "''")}'`))
      .join(", ");
  const inserted = (table: string, values: readonly (readonly (string | number)[])[]) =>
    values.map((one) => `INSERT INTO ${table} VALUES (${texts(one)});`).join("\n");
  const only = (table: string, head: Tables["head"]) =>
    head === undefined ? "" : `UPDATE ${table} SET sequence = ${head.sequence}, hash = '${head.hash}';`;
  await tamper(
    location,
    `DELETE FROM log; DELETE FROM accounts; DELETE FROM releases;
    ${inserted(
      "log",
      tables.rows.map(({ sequence, hash, text }) => [sequence, hash, text]),
    )}
    ${inserted(
      "accounts",
      tables.accounts.map(([key, summary], place) => [key, place + 1, summary]),
    )}
    ${inserted("releases", tables.places)}
    ${tables.head === undefined ? "DELETE FROM head;" : only("head", tables.head)} ${only("summarised", tables.summarised)}`,
  );
}

export function sqlLaws(title: string, keeping: Keeping): void {
  describe(`${title}: as a database`, () => {
    it("says that it is locked while another run writes and does not end, and records nothing", async () => {
      const location = await keeping.fresh();
      const ledger = await openedLedger(location);
      const letGo = await keeping.lock(location);
      await expect(ledger.record("visits", exampleRelease("a"))).rejects.toThrow(refusal("ledger-locked"));
      expect((await ledger.account("visits")).releases).toBe(0); // reading goes on
      await letGo();
      expect((await ledger.record("visits", exampleRelease("a"))).ledger.sequence).toBe(1);
    });

    it("only grows: whatever else is tried is refused by the database itself", async () => {
      const location = await keeping.fresh();
      const ledger = await openedLedger(location);
      for (const id of ["a", "b"]) await ledger.record("visits", exampleRelease(id));
      for (const statement of [
        "UPDATE log SET text = '{}' WHERE sequence = 1",
        "UPDATE log SET sequence = 9 WHERE sequence = 2",
        "DELETE FROM log WHERE sequence = 2",
        "INSERT INTO log VALUES (4, 'x', 'x')",
        "INSERT INTO log VALUES (2, 'x', 'x')",
        "INSERT INTO log VALUES (0, 'x', 'x')",
        "UPDATE head SET sequence = 1",
        "UPDATE head SET hash = 'x'",
        "DELETE FROM head",
      ])
        await expect(keeping.sql(location, statement), statement).rejects.toThrow();
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it.each([
      ["DROP TRIGGER log_is_not_changed", "log_is_not_changed"],
      ["CREATE TABLE mine (x text)", "mine"],
    ])("is not used after %s, which verify finds", async (statement, name) => {
      const location = await keeping.fresh();
      const ledger = await openedLedger(location);
      await ledger.record("visits", exampleRelease("a"));
      await keeping.sql(location, statement);
      expect((await ledger.verify()).findings).toMatchObject([{ kind: "schema", sequence: 1 }]);
      await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(name);
      await expect(ledger.record("visits", exampleRelease("new"))).rejects.toMatchObject({
        name: "Refusal",
        code: "ledger-broken",
      });
    });
  });
}
