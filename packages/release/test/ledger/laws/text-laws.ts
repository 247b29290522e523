/**
 * What every ledger promises about its text, wherever it is kept: it goes out and comes back, in batches, whole or not at all.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  type ChainRow,
  chain,
  EMPTY_CHAIN,
  hashText,
  type Ledger,
  type LedgerText,
  ledgerFileLines,
  ledgerFileRows,
  type NewEntry,
} from "winnow-release";
import { all, exampleRelease, refusal } from "./place.js";

/** Verified, and read again as often as it is asked for. */
async function textOf(lines: readonly string[]): Promise<LedgerText> {
  const rows = () => ledgerFileRows(lines.map((line) => line.trimEnd()));
  const { sequence, hash } = (await all(rows())).at(-1)?.row ?? EMPTY_CHAIN;
  return { head: { sequence, hash }, rows };
}

export function textLaws(title: string, freshLedger: () => Promise<Ledger>): void {
  describe(`${title}: as a text that travels`, () => {
    it("goes out and comes back entry by entry, and a longer copy extends a shorter one", async () => {
      const [ledger, copy] = [await freshLedger(), await freshLedger()];
      await ledger.setBudget("visits", { measure: "pure", epsilon: "9" });
      for (const id of ["one", "two"]) await ledger.record("visits", exampleRelease(id));
      const older = await textOf(await all(ledger.exported()));
      expect(await copy.takeOver(older)).toBe(3);
      expect(await copy.takeOver(older)).toBe(0);
      expect(await all(copy.exported())).toEqual(await all(ledger.exported()));
      expect((await copy.verify()).findings).toEqual([]);
      expect(await copy.find("two")).toEqual(await ledger.find("two"));

      await ledger.record("visits", exampleRelease("three"));
      await expect(ledger.takeOver(older)).rejects.toThrow(refusal("other-ledger"));
      const longer = await textOf(await all(ledger.exported()));
      expect(await copy.takeOver(longer)).toBe(1);
      const another = await freshLedger();
      await another.record("visits", exampleRelease("other"));
      await expect(another.takeOver(longer)).rejects.toThrow(refusal("other-ledger"));
    });

    it("is refused if its charges do not fit its budget, and leaves nothing", async () => {
      const copy = await freshLedger();
      const software = { name: "test", version: "0" };
      const budget = { measure: "pure", epsilon: "1" } as const;
      const time = "2026-01-01T00:00:00.000Z";
      const rows = [await chain({ kind: "budget", dataset: "visits", time, software, budget }, EMPTY_CHAIN)];
      for (const id of ["one", "two"])
        rows.push(await chain({ kind: "release", release: exampleRelease(id) }, rows.at(-1)!));
      expect(rows[2].hash).toBe(await hashText(rows[2].text));
      await expect(copy.takeOver(await textOf([...ledgerFileLines(rows[2], rows)]))).rejects.toThrow(
        refusal("ledger-broken"),
      );
      expect(await all(copy.entries())).toEqual([]);
    });

    it("is read and written in batches that leave no trace, for several data sets and analysts", async () => {
      const rows: ChainRow[] = [];
      const add = async (entry: NewEntry) => rows.push(await chain(entry, rows.at(-1) ?? EMPTY_CHAIN));
      const software = { name: "test", version: "0" };
      const time = "2026-01-01T00:00:00.000Z";
      const budget = { measure: "pure", epsilon: "9999" } as const;
      const addBudget = (dataset: string) => add({ kind: "budget", dataset, time, software, budget });
      await addBudget("visits");
      for (let i = 0; i < 2400; i++) {
        if (i === 1500) await addBudget("shop");
        const release = exampleRelease(`r${i}`, { dataset: i < 1600 ? "visits" : "shop" });
        await add({ kind: "release", release: { ...release, analyst: i % 3 === 0 ? "ann" : "bob" } });
      }
      const first = (count: number) => [...ledgerFileLines(rows[count - 1], rows.slice(0, count))];
      const copy = await freshLedger();
      for (const [length, added] of [
        [700, 700],
        [2402, 1702],
      ]) {
        expect(await copy.takeOver(await textOf(first(length)))).toBe(added);
        expect((await copy.verify()).findings).toEqual([]);
      }
      expect((await all(copy.exported())).join("")).toBe(first(2402).join(""));
      expect(await copy.datasets()).toEqual(["visits", "shop"]);
      expect((await copy.account("visits")).releases).toBe(1600);
      expect((await copy.account("shop", { analyst: "ann", cap: budget })).releases).toBe(266);
      await expect(copy.takeOver(await textOf(first(2401)))).rejects.toThrow("an older copy");
    });
  });
}
