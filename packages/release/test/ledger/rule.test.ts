/** By which rule an ε is counted in ρ: what was charged by ε²/2 stays so, and new accounts take ε·tanh(ε/2). */
import { describe, expect, it } from "vitest";
import {
  approx,
  base2,
  convert,
  type Loss,
  lossToJson,
  pure,
  type Rational,
  rational,
  zcdp,
} from "winnow-dp";
import {
  Account,
  type BudgetJson,
  LEDGER_FORMAT,
  Ledger,
  MemoryStore,
  type NewEntry,
} from "../../src/index.js";
import type { RecordedBudget } from "../../src/ledger/budget.js";
import { budgetEntry, releaseEntry } from "./examples.js";
import { all, exampleRelease } from "./laws/place.js";

const OLD: BudgetJson = { measure: "zcdp", rho: "2", delta: "1/100" };
const NEW: RecordedBudget = { ...OLD, rule: 2 };

function accountOf(...entries: readonly NewEntry[]): Account {
  return new Account(
    "visits",
    entries.map((entry, i) => ({ ...entry, format: LEDGER_FORMAT, sequence: i + 1, previous: "" })),
  );
}

const charge = (id: string, loss: Loss) => releaseEntry(id, lossToJson(loss));

describe("an ε in an account in ρ", () => {
  it("counts as ε²/2 where the budget has no rule, for old releases and for new ones", () => {
    const account = accountOf(
      budgetEntry(OLD),
      charge("a", pure(1)),
      charge("b", approx("1/2", "1/1000")),
      charge("c", pure("1/3")),
      charge("d", zcdp("1/7")),
    );
    const rho = rational("1/2").plus("1/8").plus("1/18").plus("1/7");
    const { spent } = account;
    if (spent.measure !== "zcdp") throw new Error(spent.measure);
    expect(String(spent.delta)).toBe("0.001");
    const more = (spent.rho as Rational).minus(rho);
    expect(more.compare(0)).toBeGreaterThanOrEqual(0); // rounded up
    expect(more.compare("1e-90")).toBe(-1);
    const before = account.remaining;
    if (before?.measure !== "zcdp") throw new Error(before?.measure);
    // A release more costs ε²/2 too, when it is admitted and when it was charged.
    expect(account.admitsTimes(pure("1/2"))).toBe(9);
    expect(() => account.admit(pure("19/10"))).toThrow("costs epsilon = 1.9");
    const after = account.after(pure("1/2")).remaining;
    expect(
      after?.measure === "zcdp" && (before.rho as Rational).minus(after.rho as Rational).toNumber(),
    ).toBeCloseTo(1 / 8, 12);
  });

  it("counts as ε·tanh(ε/2) by rule 2", () => {
    const account = accountOf(budgetEntry(NEW), charge("a", pure(1)), charge("b", base2(1)));
    const [one, other] = [pure(1), base2(1)].map((loss) => convert(loss, { to: "zcdp" }).rho as Rational);
    expect(account.spent).toEqual(zcdp(one.plus(other)));
    expect(account.budgetJson).toEqual(OLD); // what a person set
    expect(account.admitsTimes(pure("2/5"))).toBeGreaterThan(
      accountOf(budgetEntry(OLD), charge("a", pure(1)), charge("b", base2(1))).admitsTimes(pure("2/5"))!,
    );
  });

  it("counts as before after the budget was replaced, and a ledger in which the rule was added is broken", () => {
    const old = [budgetEntry(OLD), charge("a", pure(1))] as const;
    const larger = { ...OLD, rho: "3" } as const;
    expect(String((accountOf(...old, budgetEntry(larger)).spent as { rho: Rational }).rho)).toBe("0.5");
    expect(accountOf(...old).ruled(larger)).toEqual(larger);
    expect(() => accountOf(...old, budgetEntry({ ...larger, rule: 2 }))).toThrow(
      "The rule by which an account counts was changed.",
    );
    expect(accountOf(budgetEntry(NEW), charge("a", pure(1))).ruled(larger)).toEqual({ ...larger, rule: 2 });
    // A budget in another measure has no rule; without a budget nothing was charged to one.
    const inEpsilon = [budgetEntry({ measure: "pure", epsilon: "3" }), charge("a", pure(1))] as const;
    expect(accountOf(...inEpsilon).ruled(OLD)).toEqual(OLD);
    expect(accountOf(charge("a", pure(1))).ruled(OLD)).toEqual(NEW);
    for (const rule of [1, 3])
      expect(() => accountOf(budgetEntry({ ...OLD, rule } as never))).toThrow(
        "budget must be a finite limit",
      );
    expect(() => accountOf(budgetEntry({ measure: "pure", epsilon: "3", rule: 2 } as never))).toThrow(
      "budget must be",
    );
  });

  it("is never charged less by an update: charges of this ledger were recorded when ε²/2 was the only rule", () => {
    // Totals of that time, recorded by hand: 1/2·(1² + (1/4)² + (1/10)²).
    const account = accountOf(
      budgetEntry(OLD),
      ...["1", "1/4", "1/10"].map((epsilon, i) => charge(`r${i}`, pure(epsilon))),
    );
    const { spent } = account;
    expect(spent.measure === "zcdp" && String(spent.rho)).toBe("0.53625");
  });

  it("has the rule in the ledger when a budget is set, and then no budget without it is taken for another", async () => {
    const ledger = new Ledger(new MemoryStore(), { software: { name: "test", version: "0" } });
    expect(await ledger.setBudget("visits", OLD)).toBe(true);
    expect(await ledger.setBudget("visits", OLD)).toBe(false);
    await ledger.record("visits", exampleRelease("a"));
    expect(await ledger.setBudget("visits", { ...OLD, rho: "3" }, { replace: true })).toBe(true);
    const lines = (await all(ledger.exported())).join("");
    expect(lines.match(/"rule":2/g)).toHaveLength(2);
    const { budgetJson } = await ledger.account("visits");
    expect(budgetJson).toEqual({ ...OLD, rho: "3" });
  });
});
