/**
 * What every ledger promises, wherever it is kept: the same tests for a SQLite file and a PostgreSQL server.
 * @module
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { pure, zcdp } from "winnow-dp";
import { chain, type Ledger, type PublishedRelease, readQuestion } from "winnow-release";
import { openLedger } from "../../../src/ledger/open-ledger.js";
import { describeAnalysts } from "./analyst-rules.js";
import { all, exampleRelease } from "./examples.js";
import { describeText } from "./text-rules.js";

/** Where one kind of ledger is kept. */
export interface Keeping {
  /** An empty ledger: what `--ledger` would name. */
  fresh(): Promise<string>;
  /** Runs statements around Winnow, as the owner of the tables. */
  sql(location: string, statements: string): Promise<void>;
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

type Published = ReturnType<typeof exampleRelease> & Pick<PublishedRelease, "ledger">;

const refusal = (code: string) => expect.objectContaining({ name: "Refusal", code });
const BROKEN = refusal("ledger-broken");

export function describeLedger(title: string, keeping: Keeping): void {
  const freshLedger = async () => openedLedger(await keeping.fresh());

  describe(`${title}: its rules`, () => {
    it("records a release with its place, and finds it again as it was", async () => {
      const location = await keeping.fresh();
      const ledger = await openedLedger(location);
      const first = await ledger.record("visits", exampleRelease("a"));
      const second = await ledger.record("visits", exampleRelease("b"));
      expect(first).toEqual({
        ...exampleRelease("a"),
        ledger: { sequence: 1, head: expect.stringMatching(/^[\da-f]{64}$/) },
      });
      expect(second.ledger.sequence).toBe(2);
      const again = await openedLedger(location);
      expect(await again.find("a")).toEqual(first);
      expect(await again.find("b", { dataset: "visits", question: { k: 3 } })).toEqual(second);
      expect(await again.find("c")).toBeUndefined();
      expect((await again.verify([first, second])).findings).toEqual([]);
    });

    it("keeps the total of each data set apart, in the order of their first entry", async () => {
      const ledger = await freshLedger();
      await ledger.record("visits", exampleRelease("a"));
      await ledger.record(
        "sales",
        exampleRelease("b", { dataset: "sales", loss: { measure: "zcdp", rho: "1/8" } }),
      );
      await ledger.record("visits", exampleRelease("c"));
      expect(await ledger.datasets()).toEqual(["visits", "sales"]);
      expect((await ledger.account("visits")).spent).toEqual(pure(2n));
      expect((await ledger.account("sales")).spent).toEqual(zcdp("1/8"));
      expect((await ledger.account("baskets")).releases).toBe(0);
    });

    it("refuses what does not fit, says what would, and records nothing", async () => {
      const ledger = await freshLedger();
      await ledger.setBudget("visits", { measure: "pure", epsilon: "3/2" });
      await ledger.record("visits", exampleRelease("a"));
      await expect(ledger.admitLoss("visits", pure(1n))).rejects.toThrow(refusal("over-budget"));
      await expect(ledger.record("visits", exampleRelease("b"))).rejects.toThrow(
        /at most epsilon = 0\.5 would fit/,
      );
      await ledger.admitLoss("visits", pure("1/2"));
      expect(await all(ledger.entries())).toHaveLength(2);
      expect(await ledger.find("b")).toBeUndefined();
      expect((await ledger.account("visits")).admitsTimes(pure("1/4"))).toBe(2);
    });

    it("gives the stored answer for a known id, once charged, and refuses the id for anything else", async () => {
      const ledger = await freshLedger();
      await ledger.setBudget("visits", { measure: "pure", epsilon: "1" });
      const first = await ledger.record("visits", exampleRelease("a"));
      const other = {
        ...exampleRelease("a"),
        time: "2027-01-01T00:00:00.000Z",
        answer: { winners: ["another"] },
      };
      expect(await ledger.record("visits", other)).toEqual(first);
      expect((await ledger.account("visits")).releases).toBe(1);
      await expect(ledger.record("visits", exampleRelease("a", { k: 4 }))).rejects.toThrow(
        refusal("release-id-taken"),
      );
      await expect(ledger.find("a", { dataset: "sales", question: { k: 3 } })).rejects.toThrow(
        refusal("release-id-taken"),
      );
    });

    it("refuses what is not a release id, a loss that it cannot read, and other neighbours", async () => {
      const ledger = await freshLedger();
      for (const id of ["", " ", "a\nb", "x".repeat(201)])
        await expect(ledger.record("visits", exampleRelease(id))).rejects.toThrow(refusal("usage"));
      const loss = { measure: "pure", epsilon: "little" } as const;
      await expect(ledger.record("visits", exampleRelease("a", { loss }))).rejects.toThrow(/epsilon/);
      expect(await all(ledger.entries())).toEqual([]);
      const asked = (neighbours: string) => ({ k: 3, neighbours });
      await ledger.record("visits", { ...exampleRelease("a"), question: asked("add-remove") });
      await ledger.admitLoss("visits", pure(1n), asked("add-remove"));
      await expect(ledger.admitLoss("visits", pure(1n), asked("replace"))).rejects.toThrow(
        refusal("over-budget"),
      );
      const other = ledger.record("visits", { ...exampleRelease("b"), question: asked("replace") });
      await expect(other).rejects.toThrow(
        'The releases about "visits" are for "add-remove" neighbours; a loss for "replace" does not add up with theirs.',
      );
      expect(await all(ledger.entries())).toHaveLength(1);
    });

    it("charges the data set that it is told, whatever the document says, and stores names of every kind", async () => {
      const ledger = await freshLedger();
      const { dataset } = await ledger.record("sales", exampleRelease("a", { dataset: "visits" }));
      expect(dataset).toBe("sales");
      const names = ["\0", "'; DROP TABLE log; --", "\ud800", "é\u2028"];
      for (const [i, name] of names.entries())
        await ledger.record(name, exampleRelease(`'; ${i} \\ é`), {
          isNewDataset: true,
        });
      expect(await ledger.datasets()).toEqual(["sales", ...names]);
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it("recognises rows that were charged before, and a name that is nearly that of a budget", async () => {
      const ledger = await freshLedger();
      expect(await ledger.markKey()).toMatch(/^[\da-f]{64,}$/i);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "9" });
      await ledger.record("visits", exampleRelease("a"), { mark: "m" });
      expect(await ledger.chargedTo("m")).toBe("visits");
      expect(await ledger.chargedTo("n")).toBeUndefined();
      const codeOf = (asked: Promise<void>) => asked.then(undefined, ({ code }) => code);
      expect(await codeOf(ledger.admitAccount("sales", { mark: "m" }))).toBe("which-dataset");
      expect(await codeOf(ledger.admitAccount("visit"))).toBe("which-dataset");
      expect(await codeOf(ledger.admitAccount("sales", { mark: "n" }))).toBe("no-budget");
      expect(await codeOf(ledger.admitAccount("sales", { isNewDataset: true }))).toBeUndefined();
      expect(await ledger.near("visit")).toEqual(["visits"]);
      await expect(ledger.record("sales", exampleRelease("b"), { mark: "m" })).rejects.toThrow(
        refusal("which-dataset"),
      );
    });

    it("changes a budget only if told to, and keeps both in the log", async () => {
      const ledger = await freshLedger();
      expect(await ledger.setBudget("visits", { measure: "pure", epsilon: "2" })).toBe(true);
      expect(await ledger.setBudget("visits", { measure: "pure", epsilon: "2" })).toBe(false);
      await ledger.record("visits", exampleRelease("a"));
      const larger = { measure: "zcdp", rho: "2" } as const;
      await expect(ledger.setBudget("visits", larger)).rejects.toThrow(refusal("budget-exists"));
      expect(await ledger.setBudget("visits", larger, { replace: true })).toBe(true);
      const tooSmall = { measure: "zcdp", rho: "1/4" } as const;
      await expect(ledger.setBudget("visits", tooSmall, { replace: true })).rejects.toThrow(
        refusal("over-budget"),
      );
      expect((await all(ledger.entries())).map(({ kind }) => kind)).toEqual(["budget", "release", "budget"]);
      expect((await ledger.account("visits")).remaining).toEqual(zcdp("1.5378828427399902"));
    });

    it("counts a reservation in full until its release is there, and takes its id once", async () => {
      const ledger = await freshLedger();
      const question = readQuestion({
        k: 10,
        domain: { kind: "unknown" },
        rho: "1/10",
        delta: "1e-6",
        unit: "one person",
      });
      await ledger.setBudget("visits", { measure: "zcdp", rho: "3/20", delta: "1e-2" });
      const reserved = await ledger.reserve("visits", "a", question);
      expect((await ledger.account("visits")).reservations).toBe(1);
      expect(await ledger.reservation("a")).toMatchObject({ id: "a", dataset: "visits" });
      await expect(ledger.reserve("visits", "a", question)).rejects.toThrow(refusal("release-id-taken"));
      await expect(ledger.reserve("visits", "b", question)).rejects.toThrow(refusal("over-budget"));
      await expect(ledger.admitLoss("visits", reserved, question)).rejects.toThrow(refusal("over-budget"));
    });

    it("does one thing after the other when asked for several at once", async () => {
      const ledger = await freshLedger();
      await ledger.setBudget("visits", { measure: "pure", epsilon: "5" });
      const runs = Array.from({ length: 9 }, (_, run) => ledger.record("visits", exampleRelease(`r${run}`)));
      const settled = await Promise.allSettled([...runs, ledger.account("visits")]);
      expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
      expect((await ledger.verify()).head.sequence).toBe(6);
    });

    it("sees what another run wrote meanwhile", async () => {
      const location = await keeping.fresh();
      const [one, second] = [await openedLedger(location), await openedLedger(location)];
      await one.record("visits", exampleRelease("a"));
      await second.record("visits", exampleRelease("b"));
      expect((await one.record("visits", exampleRelease("c"))).ledger.sequence).toBe(3);
      expect((await second.account("visits")).releases).toBe(3);
    });

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
  });

  describeAnalysts(title, keeping);

  describe(`${title}: tampering`, () => {
    async function fullLedger() {
      const location = await keeping.fresh();
      const ledger = await openedLedger(location);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "10" });
      const published: Published[] = [];
      for (const id of ["a", "b", "c", "d", "e"])
        published.push(await ledger.record("visits", exampleRelease(id)));
      const kinds = async (against: Published[] = []) =>
        (await ledger.verify(against)).findings.map(({ kind, sequence }) => `${kind} ${sequence}`);
      return { location, ledger, published, kinds };
    }

    it.each([
      [
        "a changed loss",
        `UPDATE log SET text = replace(text, '"epsilon":"1"', '"epsilon":"0"') WHERE sequence = 3`,
        "changed 3",
      ],
      ["a changed hash", "UPDATE log SET hash = 'x' WHERE sequence = 3", "changed 3"],
      ["a removed row", "DELETE FROM log WHERE sequence = 3", "missing 3"],
      [
        "two rows in each other's place",
        "UPDATE log SET sequence = 99 WHERE sequence = 3; UPDATE log SET sequence = 3 WHERE sequence = 4; UPDATE log SET sequence = 4 WHERE sequence = 99",
        "reordered 3",
      ],
      ["a truncated log", "DELETE FROM log WHERE sequence > 4", "truncated 6"],
      ["an emptied log", "DELETE FROM log", "truncated 6"],
      ["a head moved back", "UPDATE head SET sequence = 4", "changed 4"],
      ["a text that is no text", "UPDATE log SET text = '' WHERE sequence = 2", "changed 2"],
      [
        "another budget in the totals",
        `UPDATE accounts SET summary = replace(summary, '"10"', '"99"')`,
        "totals 6",
      ],
      ["no account in the totals", "DELETE FROM accounts", "totals 6"],
      ["no place of a release", "DELETE FROM releases WHERE sequence = 3", "totals 6"],
    ])("is found by verify: %s", async (_, statements, finding) => {
      const { location, ledger, kinds } = await fullLedger();
      await keeping.tamper(location, statements);
      expect(await kinds()).toContain(finding);
      // The cheap look before every use finds these too.
      const isTold = finding.startsWith("truncated") || statements.includes("head");
      const told = statements.includes("head") ? refusal("ledger-replaced") : BROKEN;
      if (isTold) await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(told);
    });

    it("is found if its last rows went with the head, or were written anew, by a release published after", async () => {
      const { location, published, kinds } = await fullLedger();
      await keeping.tamper(
        location,
        "DELETE FROM log WHERE sequence > 5; UPDATE head SET sequence = 5, hash = (SELECT hash FROM log WHERE sequence = 5)",
      );
      expect(await kinds()).toEqual(["rolled-back 6"]);
      const later = await openedLedger(location);
      expect((await later.verify()).findings.map(({ kind }) => kind)).toEqual(["totals"]);
      expect(await kinds([published[4]])).toEqual(["rolled-back 6"]);
      const { ledger: _, ...last } = published[3];
      const cheaper = await chain(
        { kind: "release", release: { ...last, loss: { measure: "pure", epsilon: "0" } } },
        { sequence: 4, hash: published[2].ledger.head },
      );
      await keeping.tamper(
        location,
        `UPDATE log SET text = '${cheaper.text}', hash = '${cheaper.hash}' WHERE sequence = 5; UPDATE head SET hash = '${cheaper.hash}'`,
      );
      expect(await kinds([published[3]])).toEqual(["rolled-back 5"]);
    });

    it("is not used, and found by verify, if a trigger is gone, a table is there or the head is lost", async () => {
      for (const [statement, name] of [
        ["DROP TRIGGER log_is_not_changed", "log_is_not_changed"],
        ["CREATE TABLE mine (x text)", "mine"],
      ]) {
        const { location, ledger, kinds } = await fullLedger();
        await keeping.sql(location, statement);
        expect(await kinds()).toEqual(["schema 6"]);
        await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(name);
      }
      const { location, ledger, kinds } = await fullLedger();
      await keeping.tamper(location, "DELETE FROM head");
      await expect(kinds()).rejects.toThrow(BROKEN);
      await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(BROKEN);
    });

    it("is found if more was charged around it than the budget admits, in a chain that fits", async () => {
      const { location, ledger, published, kinds } = await fullLedger();
      const loss = { measure: "pure", epsilon: "6" } as const; // 5 of 10 are spent
      const head = { sequence: 6, hash: published[4].ledger.head };
      const row = await chain({ kind: "release", release: exampleRelease("around", { loss }) }, head);
      await keeping.sql(location, `INSERT INTO log VALUES (${row.sequence}, '${row.hash}', '${row.text}')`);
      await expect(kinds()).rejects.toThrow('More than the budget of "visits" was charged to it.');
      await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(BROKEN);
    });

    it("sums up anew what was charged around it and fits", async () => {
      const { location, ledger, published } = await fullLedger();
      const head = { sequence: 6, hash: published[4].ledger.head };
      const row = await chain({ kind: "release", release: exampleRelease("around") }, head);
      await keeping.sql(location, `INSERT INTO log VALUES (${row.sequence}, '${row.hash}', '${row.text}')`);
      expect((await ledger.account("visits")).releases).toBe(6);
      await ledger.record("visits", exampleRelease("new"));
      expect((await ledger.verify()).findings).toEqual([]);
      expect(await ledger.find("around")).toMatchObject({ id: "around", ledger: { sequence: 7 } });
    });

    it("has times in the order of its entries, if runs end in another order than they began", async () => {
      const ledger = await freshLedger();
      const asked = (id: string, time: string) =>
        ledger.record("visits", { ...exampleRelease(id), time: `2026-01-02T${time}Z` });
      await asked("late", "03:10:00.000");
      expect(await asked("early", "03:04:05.678")).toMatchObject({ time: "2026-01-02T03:10:00.000Z" });
      expect(await asked("next", "03:10:00.001")).toMatchObject({ time: "2026-01-02T03:10:00.001Z" });
      expect((await ledger.verify()).notes).toEqual([]);
    });

    it("is refused by a process that serves if its totals differ from its entries, at the start and later", async () => {
      const { location, ledger } = await fullLedger();
      const served = async () => {
        const opened = await openLedger(location, { isServed: true, patience: 300 });
        onTestFinished(() => opened.close());
        return opened;
      };
      const serving = await served();
      expect((await serving.account("visits")).releases).toBe(5);
      await ledger.record("visits", exampleRelease("by another"));
      await serving.record("visits", exampleRelease("own"));
      expect((await serving.account("visits")).releases).toBe(7);
      expect((await serving.account("sales")).releases).toBe(0);
      const [budget, more] = ["10", "1000"].map((epsilon) => `"budget":{"epsilon":"${epsilon}"`);
      await keeping.sql(location, `UPDATE accounts SET summary = replace(summary, '${budget}', '${more}')`);
      for (const service of [serving, await served()]) {
        await expect(service.account("visits")).rejects.toThrow("The stored totals differ");
        await expect(service.record("visits", exampleRelease("new"))).rejects.toThrow(BROKEN);
      }
    });

    it("is noted if the time of an entry lies far before that of the last", async () => {
      const { ledger } = await fullLedger();
      const { notes } = await ledger.verify();
      expect(notes).toEqual(["Entry 2 has an earlier time than the entry before it."]);
    });
  });

  describeText(title, freshLedger);
}
