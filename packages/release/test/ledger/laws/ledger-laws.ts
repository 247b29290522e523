/**
 * What every ledger promises, wherever it is kept: the same tests for memory, a SQLite file, a PostgreSQL server and a browser.
 * @module
 */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pure, zcdp } from "winnow-dp";
import { chain, type PublishedRelease, readQuestion, type Store } from "winnow-release";
import { analystLaws } from "./analyst-laws.js";
import { writeEveryKind } from "./every-kind.js";
import { groupLaws } from "./group-laws.js";
import { keyLaws } from "./key-laws.js";
import { periodLaws } from "./period-laws.js";
import {
  all,
  exampleRelease,
  type MakePlace,
  openedLedger,
  type Place,
  refusal,
  type Tables,
} from "./place.js";
import { textLaws } from "./text-laws.js";

type Published = ReturnType<typeof exampleRelease> & Pick<PublishedRelease, "ledger">;

const BROKEN = refusal("ledger-broken");

export function ledgerLaws(title: string, makePlace: MakePlace): void {
  const freshLedger = async () => openedLedger(await makePlace());

  describe(`${title}: its rules`, () => {
    it("records a release with its place, and finds it again as it was", async () => {
      const place = await makePlace();
      const ledger = await openedLedger(place);
      const first = await ledger.record("visits", exampleRelease("a"));
      const second = await ledger.record("visits", exampleRelease("b"));
      expect(first).toEqual({
        ...exampleRelease("a"),
        ledger: { sequence: 1, head: expect.stringMatching(/^[\da-f]{64}$/) },
      });
      expect(second.ledger.sequence).toBe(2);
      const again = await openedLedger(place);
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
      // What was charged before to a budget without a rule is counted as ε²/2, as it always was.
      expect((await ledger.account("visits")).remaining).toEqual(zcdp("3/2"));
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

    it("writes entries of every kind, and what is stored beside them, with the bytes that were frozen", async () => {
      const place = await makePlace();
      const ledger = await openedLedger(place);
      await writeEveryKind(ledger);
      const [lines, { root }] = [await all(ledger.exported()), await ledger.head()];
      const { accounts, places } = await tablesOf(place);
      places.sort(([one], [other]) => (one < other ? -1 : 1));
      expect({ lines, root, accounts, places }).toEqual(FROZEN);
    });

    it("leaves nothing of a transaction that dies before it is committed, and goes on", async () => {
      const place = await makePlace();
      const ledger = await openedLedger(place);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "3" });
      await ledger.record("visits", exampleRelease("a"), { mark: "m" });
      const before = await tablesOf(place);
      const dying = await openedLedger({ store: async (patience) => thatDies(await place.store(patience)) });
      for (const dead of [
        dying.record("visits", exampleRelease("b")),
        dying.record("sales", exampleRelease("c"), { mark: "n", isNewDataset: true }),
        dying.setBudget("visits", { measure: "pure", epsilon: "9" }, { replace: true }),
      ])
        await expect(dead).rejects.toThrow("killed");
      expect(await tablesOf(place)).toEqual(before);
      expect(await ledger.chargedTo("n")).toBeUndefined();
      expect((await ledger.record("visits", exampleRelease("b"))).ledger.sequence).toBe(3);
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it("is never overspent by runs that race, and gives one answer for one id", async () => {
      const place = await makePlace();
      const patience = 60_000; // a database that waits without letting go stops the other run too, which is in this process
      const runs = [await openedLedger(place, { patience }), await openedLedger(place, { patience })];
      await runs[0].setBudget("visits", { measure: "pure", epsilon: "5" });
      const asked = Array.from({ length: 12 }, (_, i) =>
        runs[i % 2].record("visits", { ...exampleRelease(`r${i >> 1}`), answer: { winners: [String(i)] } }),
      );
      const settled = await Promise.allSettled(asked);
      const answers = new Map<string, Set<string>>();
      for (const outcome of settled)
        if (outcome.status === "fulfilled") {
          const { id, answer } = outcome.value;
          answers.set(id, (answers.get(id) ?? new Set()).add(JSON.stringify(answer)));
        } else expect(outcome.reason).toEqual(refusal("over-budget"));
      expect([...answers.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
      expect((await runs[1].account("visits")).remaining).toEqual(pure(0n));
      expect((await runs[0].verify()).findings).toEqual([]);
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
      const place = await makePlace();
      const [one, second] = [await openedLedger(place), await openedLedger(place)];
      await one.record("visits", exampleRelease("a"));
      await second.record("visits", exampleRelease("b"));
      expect((await one.record("visits", exampleRelease("c"))).ledger.sequence).toBe(3);
      expect((await second.account("visits")).releases).toBe(3);
    });
  });

  analystLaws(title, makePlace);
  groupLaws(title, makePlace);
  periodLaws(title, makePlace);
  keyLaws(title, makePlace);

  describe(`${title}: tampering`, () => {
    async function fullLedger() {
      const place = await makePlace();
      const ledger = await openedLedger(place);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "10" });
      const published: Published[] = [];
      for (const id of ["a", "b", "c", "d", "e"])
        published.push(await ledger.record("visits", exampleRelease(id)));
      const kinds = async (against: Published[] = []) =>
        (await ledger.verify(against)).findings.map(({ kind, sequence }) => `${kind} ${sequence}`);
      return { place, ledger, published, kinds };
    }

    it.each<[string, change: (tables: Tables) => void, finding: string]>([
      [
        "a changed loss",
        ({ rows }) => changeText(rows, 3, (text) => text.replace('"epsilon":"1"', '"epsilon":"0"')),
        "changed 3",
      ],
      ["a changed hash", ({ rows }) => rows.splice(2, 1, { ...rows[2], hash: "x" }), "changed 3"],
      ["a removed row", ({ rows }) => rows.splice(2, 1), "missing 3"],
      [
        "two rows in each other's place",
        ({ rows }) => rows.splice(2, 2, { ...rows[3], sequence: 3 }, { ...rows[2], sequence: 4 }),
        "reordered 3",
      ],
      ["a truncated log", ({ rows }) => rows.splice(4), "truncated 6"],
      ["an emptied log", ({ rows }) => rows.splice(0), "truncated 6"],
      [HEAD_BACK, (tables) => Object.assign(tables, { head: { ...tables.head, sequence: 4 } }), "changed 4"],
      ["a text that is no text", ({ rows }) => changeText(rows, 2, () => ""), "changed 2"],
      [
        "another budget in the totals",
        (tables) => changeSummaries(tables, (summary) => summary.replace('"10"', '"99"')),
        "totals 6",
      ],
      ["no account in the totals", ({ accounts }) => accounts.splice(0), "totals 6"],
      [
        "no place of a release",
        (tables) => Object.assign(tables, { places: tables.places.filter(([, place]) => place !== 3) }),
        "totals 6",
      ],
    ])("is found by verify: %s", async (title, change, finding) => {
      const { place, ledger, kinds } = await fullLedger();
      await place.tamper(change);
      expect(await kinds()).toContain(finding);
      // The cheap look before every use finds these too.
      const isTold = finding.startsWith("truncated") || title === HEAD_BACK;
      const told = title === HEAD_BACK ? refusal("ledger-replaced") : BROKEN;
      if (isTold) await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(told);
    });

    it("is found if its last rows went with the head, or were written anew, by a release published after", async () => {
      const { place, published, kinds } = await fullLedger();
      await place.tamper((tables) => {
        tables.rows.splice(5);
        tables.head = { sequence: 5, hash: tables.rows[4].hash };
      });
      expect(await kinds()).toEqual(["rolled-back 6"]);
      const later = await openedLedger(place);
      expect((await later.verify()).findings.map(({ kind }) => kind)).toEqual(["totals"]);
      expect(await kinds([published[4]])).toEqual(["rolled-back 6"]);
      const { ledger: _, ...last } = published[3];
      const cheaper = await chain(
        { kind: "release", release: { ...last, loss: { measure: "pure", epsilon: "0" } } },
        { sequence: 4, hash: published[2].ledger.head },
      );
      await place.tamper((tables) => {
        tables.rows.splice(4, 1, cheaper);
        tables.head = { sequence: 5, hash: cheaper.hash };
      });
      expect(await kinds([published[3]])).toEqual(["rolled-back 5"]);
    });

    it("is refused without its head", async () => {
      const { place, ledger, kinds } = await fullLedger();
      await place.tamper((tables) => Object.assign(tables, { head: undefined }));
      await expect(kinds()).rejects.toThrow(BROKEN);
      await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(BROKEN);
    });

    it("is found if more was charged around it than the budget admits, in a chain that fits", async () => {
      const { place, ledger, published, kinds } = await fullLedger();
      const loss = { measure: "pure", epsilon: "6" } as const; // 5 of 10 are spent
      const head = { sequence: 6, hash: published[4].ledger.head };
      const row = await chain({ kind: "release", release: exampleRelease("around", { loss }) }, head);
      await place.tamper((tables) => appendTo(tables, row));
      await expect(kinds()).rejects.toThrow('More than the budget of "visits" was charged to it.');
      await expect(ledger.record("visits", exampleRelease("new"))).rejects.toThrow(BROKEN);
    });

    it("sums up anew what was charged around it and fits", async () => {
      const { place, ledger, published } = await fullLedger();
      const head = { sequence: 6, hash: published[4].ledger.head };
      const row = await chain({ kind: "release", release: exampleRelease("around") }, head);
      await place.tamper((tables) => appendTo(tables, row));
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
      const { place, ledger } = await fullLedger();
      const served = () => openedLedger(place, { replays: true });
      const serving = await served();
      expect((await serving.account("visits")).releases).toBe(5);
      await ledger.record("visits", exampleRelease("by another"));
      await serving.record("visits", exampleRelease("own"));
      expect((await serving.account("visits")).releases).toBe(7);
      expect((await serving.account("sales")).releases).toBe(0);
      const [budget, more] = ["10", "1000"].map((epsilon) => `"budget":{"epsilon":"${epsilon}"`);
      await place.tamper((tables) => changeSummaries(tables, (summary) => summary.replace(budget, more)));
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

  textLaws(title, freshLedger);
}

const HEAD_BACK = "a head moved back";

const FROZEN = JSON.parse(readFileSync(new URL("every-kind.json", import.meta.url), "utf8"));

function changeText(rows: Tables["rows"], sequence: number, change: (text: string) => string): void {
  const row = rows[sequence - 1];
  rows[sequence - 1] = { ...row, text: change(row.text) };
}

function changeSummaries({ accounts }: Tables, change: (summary: string) => string): void {
  for (const account of accounts) account[1] = change(account[1]);
}

/** As a program does that knows the chain and nothing of the totals. */
function appendTo(tables: Tables, row: Tables["rows"][number]): void {
  tables.rows.push(row);
  tables.head = { sequence: row.sequence, hash: row.hash };
}

/** A look at everything that is stored. */
async function tablesOf(place: Place): Promise<Tables> {
  const found: Tables[] = [];
  await place.tamper((tables) => found.push(structuredClone(tables)));
  return found[0];
}

/** A store whose transactions are killed at their end, after everything was written. */
function thatDies(store: Store): Store {
  return new Proxy(store, {
    get(_, name) {
      const part = Reflect.get(store, name);
      if (name === "writing")
        return (work: () => Promise<unknown>) =>
          store.writing(async () => {
            await work();
            throw new Error("killed");
          });
      return typeof part === "function" ? part.bind(store) : part;
    },
  });
}
