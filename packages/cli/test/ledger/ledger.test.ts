import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { pure, zcdp } from "winnow-dp";
import type { Ledger } from "../../src/ledger/ledger.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { exampleRelease, temporaryFolder } from "./support/examples.js";

async function freshLedger(path = join(temporaryFolder(), "l")): Promise<Ledger> {
  const ledger = await openLedger(path, { create: true, patience: 300 });
  onTestFinished(() => ledger.close());
  return ledger;
}

const refusal = (code: string) => expect.objectContaining({ name: "Refusal", code });

describe("the ledger of a file", () => {
  it("records a release with its place, and finds it again as it was", async () => {
    const ledger = await freshLedger();
    const first = await ledger.record("visits", exampleRelease("a"));
    const second = await ledger.record("visits", exampleRelease("b"));
    expect(first).toEqual({
      ...exampleRelease("a"),
      ledger: { sequence: 1, head: expect.stringMatching(/^[\da-f]{64}$/) },
    });
    expect(second.ledger.sequence).toBe(2);
    const again = await openLedger(ledger.path);
    onTestFinished(() => again.close());
    expect(await again.find("a")).toEqual(first);
    expect(await again.find("b", { dataset: "visits", question: { k: 3 } })).toEqual(second);
    expect(await again.find("c")).toBeUndefined();
    expect((await again.verify([first, second])).findings).toEqual([]);
  });

  it("keeps the total of each data set apart", async () => {
    const ledger = await freshLedger();
    await ledger.record("visits", exampleRelease("a"));
    await ledger.record(
      "sales",
      exampleRelease("b", { dataset: "sales", loss: { measure: "zcdp", rho: "1/8" } }),
    );
    expect(await ledger.datasets()).toEqual(["visits", "sales"]);
    expect((await ledger.status("visits")).spent).toEqual(pure(1n));
    expect((await ledger.status("sales")).spent).toEqual(zcdp("1/8"));
    expect((await ledger.status("baskets")).releases).toBe(0);
  });

  it("refuses what does not fit, says what would, and records nothing", async () => {
    const ledger = await freshLedger();
    await ledger.setBudget("visits", { measure: "pure", epsilon: "3/2" });
    await ledger.record("visits", exampleRelease("a"));
    await expect(ledger.admits("visits", pure(1n))).rejects.toThrow(refusal("over-budget"));
    await expect(ledger.record("visits", exampleRelease("b"))).rejects.toThrow(
      /at most epsilon = 0\.5 would fit/,
    );
    await ledger.admits("visits", pure("1/2"));
    expect(await ledger.entries()).toHaveLength(2);
    expect(await ledger.find("b")).toBeUndefined();
    expect((await ledger.status("visits")).admitsTimes(pure("1/4"))).toBe(2);
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
    expect((await ledger.status("visits")).releases).toBe(1);
    await expect(ledger.record("visits", exampleRelease("a", { k: 4 }))).rejects.toThrow(
      refusal("release-id-taken"),
    );
    await expect(ledger.find("a", { dataset: "sales", question: { k: 3 } })).rejects.toThrow(
      refusal("release-id-taken"),
    );
  });

  it.each(["", " ", "a\nb", "x".repeat(201)])("refuses %j as a release id", async (id) => {
    await expect((await freshLedger()).record("visits", exampleRelease(id))).rejects.toThrow(
      refusal("usage"),
    );
  });

  it("refuses a release for other neighbours, before and after the rows are read", async () => {
    const ledger = await freshLedger();
    const asked = (neighbours: string) => ({ k: 3, neighbours });
    await ledger.record("visits", { ...exampleRelease("a"), question: asked("add-remove") });
    await ledger.admits("visits", pure(1n), asked("add-remove"));
    await expect(ledger.admits("visits", pure(1n), asked("replace"))).rejects.toThrow(refusal("over-budget"));
    const other = ledger.record("visits", { ...exampleRelease("b"), question: asked("replace") });
    await expect(other).rejects.toThrow(
      'The releases about "visits" are for "add-remove" neighbours; a loss for "replace" does not add up with theirs.',
    );
    expect(await ledger.entries()).toHaveLength(1);
  });

  it("charges the data set that it is told, whatever the document says", async () => {
    const ledger = await freshLedger();
    const { dataset } = await ledger.record("sales", exampleRelease("a", { dataset: "visits" }));
    expect(dataset).toBe("sales");
    expect(await ledger.datasets()).toEqual(["sales"]);
  });

  it("refuses a loss that it cannot read", async () => {
    const ledger = await freshLedger();
    const loss = { measure: "pure", epsilon: "little" } as const;
    await expect(ledger.record("visits", exampleRelease("a", { loss }))).rejects.toThrow(/epsilon/);
    expect(await ledger.entries()).toEqual([]);
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
    expect((await ledger.entries()).map(({ kind }) => kind)).toEqual(["budget", "release", "budget"]);
    expect((await ledger.status("visits")).remaining).toEqual(zcdp("3/2"));
  });

  it("does one thing after the other when asked for several at once", async () => {
    const ledger = await freshLedger();
    await ledger.setBudget("visits", { measure: "pure", epsilon: "5" });
    const runs = Array.from({ length: 9 }, (_, run) => ledger.record("visits", exampleRelease(`r${run}`)));
    const settled = await Promise.allSettled([...runs, ledger.status("visits")]);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    expect((await ledger.verify()).head.sequence).toBe(6);
  });

  it("sees what another run wrote meanwhile", async () => {
    const one = await freshLedger();
    const second = await freshLedger(one.path);
    await one.record("visits", exampleRelease("a"));
    await second.record("visits", exampleRelease("b"));
    expect((await one.record("visits", exampleRelease("c"))).ledger.sequence).toBe(3);
    expect((await second.status("visits")).releases).toBe(3);
  });

  it("says that it is locked while another run writes and does not end, and records nothing", async () => {
    const ledger = await freshLedger();
    const other = new Database(ledger.path);
    other.exec("BEGIN IMMEDIATE");
    await expect(ledger.record("visits", exampleRelease("a"))).rejects.toThrow(refusal("ledger-locked"));
    expect((await ledger.status("visits")).releases).toBe(0); // reading goes on
    other.exec("ROLLBACK");
    other.close();
    expect((await ledger.record("visits", exampleRelease("a"))).ledger.sequence).toBe(1);
  });

  it.each([
    "UPDATE log SET text = '{}' WHERE sequence = 1",
    "UPDATE log SET sequence = 9 WHERE sequence = 2",
    "DELETE FROM log WHERE sequence = 2",
    "INSERT INTO log VALUES (4, 'x', 'x')",
    "INSERT OR REPLACE INTO log VALUES (1, 'x', 'x')",
    "INSERT OR REPLACE INTO log VALUES (0, 'x', 'x')",
    "UPDATE head SET sequence = 1",
    "UPDATE head SET hash = 'x'",
    "DELETE FROM head",
    "INSERT INTO head VALUES (2, 1, 'x')",
  ])("only grows: %s is refused by the file itself", async (sql) => {
    const ledger = await freshLedger();
    await ledger.record("visits", exampleRelease("a"));
    await ledger.record("visits", exampleRelease("b"));
    const other = new Database(ledger.path);
    onTestFinished(() => void other.close());
    expect(() => other.exec(sql)).toThrow(/only grows|only goes forward|head stays|constraint/);
    expect((await ledger.verify()).findings).toEqual([]);
  });
});
