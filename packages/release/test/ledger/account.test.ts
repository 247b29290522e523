import { describe, expect, it } from "vitest";
import {
  approx,
  base2,
  describeLoss,
  type Loss,
  type LossJson,
  lossToJson,
  pure,
  rhoAtMost,
  zcdp,
} from "winnow-dp";
import { Account, type BudgetJson, LEDGER_FORMAT, type NewEntry } from "../../src/index.js";
import type { RecordedBudget } from "../../src/ledger/budget.js";
import { budgetEntry, releaseEntry } from "./examples.js";

function accountOf(...entries: readonly NewEntry[]): Account {
  return new Account(
    "visits",
    entries.map((entry, place) => ({ ...entry, format: LEDGER_FORMAT, sequence: place + 1, previous: "" })),
  );
}

function spentOn(budget: RecordedBudget | undefined, ...losses: readonly Loss[]): Account {
  const charges = losses.map((loss, place) => releaseEntry(`r${place}`, lossToJson(loss)));
  return accountOf(...(budget === undefined ? [] : [budgetEntry(budget)]), ...charges);
}

const PURE: BudgetJson = { measure: "pure", epsilon: "3" };

describe("the share of an analyst", () => {
  const CAPS: readonly BudgetJson[] = [
    PURE,
    { measure: "base2", eta: "3" },
    { measure: "zcdp", rho: "1", delta: "1e-6" },
    { measure: "approx", epsilon: "3", delta: "1e-6" },
    { measure: "renyi", order: "8", epsilon: "3" },
  ];

  it.each(CAPS)("under a cap that it exceeds already has nothing left, and admits nothing: %o", (cap) => {
    const { summary } = spentOn(undefined, pure(9n));
    const share = new Account("visits", summary, { analyst: "alice", cap });
    expect(share.isOverdrawn).toBe(true);
    expect(describeLoss(share.spent)).toBe("epsilon = 9");
    for (const loss of [pure("1/1000"), zcdp("1/1000"), approx("1/1000", "1e-9")]) {
      expect(share.admitsTimes(loss)).toBe(0);
      expect(() => share.admit(loss)).toThrow('cap of the analyst "alice" on "visits"');
    }
  });

  it.each(CAPS)("is counted against its cap as an account against its budget: %o", (cap) => {
    const { summary } = spentOn(undefined, pure("1/4"), pure("1/3"));
    const share = new Account("visits", summary, { analyst: "alice", cap });
    const ruled = cap.measure === "zcdp" ? ({ ...cap, rule: 2 } as const) : cap;
    const account = new Account("visits", { ...summary, budget: ruled });
    expect([share.isOverdrawn, share.spent, share.remaining]).toEqual([
      false,
      account.spent,
      account.remaining,
    ]);
  });
});

describe("the account of a data set", () => {
  it("without entries is empty and admits everything", () => {
    const account = accountOf();
    expect(account).toMatchObject({ budget: undefined, remaining: undefined, releases: 0, last: undefined });
    expect(describeLoss(account.spent)).toBe("epsilon = 0");
    expect(account.admitsTimes(pure(1n))).toBeUndefined();
    account.admit(pure(1000n));
  });

  it("reads a loss that was cloned, and refuses one that cannot be read, also without a budget", () => {
    const [open, limited] = [accountOf(), spentOn(PURE, pure(1n))];
    for (const account of [open, limited]) {
      account.admit(structuredClone(pure(2n)));
      for (const loss of [undefined, {}, { measure: "pure" }, { measure: "pure", epsilon: Number.NaN }])
        expect(() => account.admit(loss as Loss)).toThrow(expect.objectContaining({ name: "WinnowError" }));
    }
    expect(() => limited.admit(structuredClone(pure(1000n)))).toThrow(
      'the remaining budget of "visits" is epsilon = 2',
    );
    expect(limited.admitsTimes(structuredClone(pure(1n)))).toBe(2);
  });

  it("reads the loss of a release with its words, as ledgers keep it, and no other fields", () => {
    const written = (loss: object) => accountOf(releaseEntry("a", loss as LossJson));
    expect(written({ measure: "pure", epsilon: "1/3", readable: "ε = 0.3334" }).spent).toEqual(pure("1/3"));
    expect(written({ measure: "pure", epsilon: "Infinity", readable: "ε = ∞" }).spent).toEqual(
      pure(Infinity),
    );
    expect(() => written({ measure: "pure", epsilon: "1/3", delta: "1/2" })).toThrow("loss must be");
    expect(() => written({ measure: "pure", epsilon: null })).toThrow("loss.epsilon must be text");
  });

  it("without a budget keeps the running total", () => {
    const account = spentOn(undefined, pure("1/3"), approx("1/3", "1e-6"));
    expect(describeLoss(account.spent)).toBe("epsilon = 2/3, delta = 0.000001");
    expect(account.totals).toHaveLength(2);
    expect(account.releases).toBe(2);
  });

  it("with a budget tells what is spent, what is left and how far it goes", () => {
    const account = spentOn(PURE, pure("1/3"), pure("1/3"));
    expect(describeLoss(account.spent)).toBe("epsilon = 2/3");
    expect(account.remaining).toEqual(pure("7/3"));
    expect(account.last).toEqual(pure("1/3"));
    expect(account.admitsTimes(pure("1/3"))).toBe(7);
    expect(account.admitsTimes(zcdp("1/3"))).toBe(0);
  });

  it("counts what was charged before the budget was given", () => {
    const account = accountOf(releaseEntry("a"), budgetEntry(PURE), releaseEntry("b"));
    expect(account.remaining).toEqual(pure(1n));
  });

  it("goes by the last budget", () => {
    const account = accountOf(
      budgetEntry(PURE),
      releaseEntry("a"),
      budgetEntry({ measure: "pure", epsilon: "9" }),
    );
    expect(account.remaining).toEqual(pure(8n));
  });

  it("says what is left and what would fit when it refuses, and stays as it was", () => {
    const account = spentOn(PURE, pure(1n));
    expect(() => account.admit(pure("5/2"))).toThrow(
      'The release costs epsilon = 2.5, but the remaining budget of "visits" is epsilon = 2 of epsilon = 3; at most epsilon = 2 would fit.',
    );
    expect(() => account.admit(pure("5/2"))).toThrow(expect.objectContaining({ code: "over-budget" }));
    account.admit(pure(2n));
    expect(account.remaining).toEqual(pure(2n));
  });

  it("says in its own measure what would fit of another", () => {
    const account = spentOn({ measure: "zcdp", rho: "1/2", rule: 2 });
    expect(() => account.admit(pure(2n))).toThrow(/is rho = 0\.5 of .* at most epsilon = 1 would fit/);
  });

  it.each<[LossJson]>([
    [{ measure: "zcdp", rho: "1/100" }],
    [{ measure: "approx", epsilon: "1/100", delta: "0.000001" }],
  ])("refuses what cannot be counted in its measure: %j", (json) => {
    const loss = json.measure === "zcdp" ? zcdp("1/100") : approx("1/100", "0.000001");
    expect(() => spentOn(PURE).admit(loss)).toThrow(
      /cannot be counted in the budget of "visits" \(epsilon = 3\), which is in the measure pure\.$/,
    );
  });

  it.each<[BudgetJson, Loss]>([
    [{ measure: "approx", epsilon: "1", delta: "0.000001" }, approx("1/2", "1e-7")],
    [{ measure: "approx", epsilon: "1", delta: "0.000001" }, pure("1/2")],
    [{ measure: "approx", epsilon: "1", delta: "0.000001" }, zcdp("1/100")],
    [{ measure: "approx", epsilon: "1", delta: "0.000001" }, zcdp("1/100", "1e-7")],
    [{ measure: "zcdp", rho: "1/2", delta: "0.000001" }, approx(1n, "1e-7")],
    [{ measure: "zcdp", rho: "1/2" }, pure("1/2")],
    [{ measure: "base2", eta: "2" }, pure("1/2")],
    [{ measure: "pure", epsilon: "1" }, base2(1n)],
    [{ measure: "renyi", order: "8", epsilon: "1" }, pure("1/4")],
    [{ measure: "renyi", order: "8", epsilon: "1" }, zcdp("1/8")],
  ])("a budget %j admits %j", (budget, loss) => {
    expect(spentOn(budget).admitsTimes(loss)).toBeGreaterThan(0);
    const account = spentOn(budget, loss);
    expect(account.spent.measure).toBe(budget.measure);
  });

  it("in (ε, δ) adds ρ up and converts once: half of δ is for that, and what would fit is said in ρ", () => {
    const budget: BudgetJson = { measure: "approx", epsilon: "3", delta: "0.00001" };
    const account = spentOn(budget, pure(1n), ...Array.from({ length: 5 }, () => zcdp("1/100")));
    const rest = rhoAtMost({ epsilon: 2n, delta: "5e-6" }).minus("5/100");
    expect(account.admitsTimes(zcdp("1/1000"))).toBe(Number(rest.times(1000n).floor()));
    expect(() => account.admit(zcdp(1n))).toThrow(
      /The release costs rho = 1, but the remaining budget of "visits" is epsilon = [\d.]+, delta = 0\.000005 of .*; at most rho = 0\.0\d+, delta = 0\.000005 would fit\.$/,
    );
  });

  it("counts a thousand equal charges against a Rényi budget as one curve", () => {
    const losses = Array.from({ length: 1000 }, () => pure("1/100"));
    const account = spentOn({ measure: "renyi", order: "8", epsilon: "1" }, ...losses);
    expect(account.admitsTimes(pure("1/100"))).toBeGreaterThan(1000);
  });

  it("is broken if more than its budget was charged", () => {
    expect(() => spentOn(PURE, pure(2n), pure(2n))).toThrow(
      expect.objectContaining({ code: "ledger-broken" }),
    );
  });

  it("is for the neighbours of its first release, with a budget and without", () => {
    const release = {
      ...releaseEntry("a").release,
      question: { neighbours: "add-remove", unit: "one visitor" },
    };
    for (const budget of [[], [budgetEntry(PURE)]]) {
      const account = accountOf(...budget, { kind: "release", release });
      account.admit(pure(1n), { neighbours: "add-remove", unit: "one person" });
      account.admit(pure(1n));
      expect(() => account.admit(pure(1n), { neighbours: "replace" })).toThrow(
        expect.objectContaining({ code: "over-budget" }),
      );
      expect(account.units).toEqual(["one visitor"]);
    }
  });

  it("takes a budget only if what was charged fits", () => {
    const account = spentOn(undefined, pure(1n), zcdp("1/2"));
    account.admitBudget({ measure: "zcdp", rho: "1" });
    account.admitBudget({ measure: "zcdp", rho: "0.963" }); // tanh(1/2) + 1/2
    expect(() => account.admitBudget({ measure: "zcdp", rho: "0.96" })).toThrow(
      'More than this budget was charged to "visits" already (rho = 0.9622).',
    );
    expect(() => account.admitBudget(PURE)).toThrow(
      'What was charged to "visits" already cannot be counted in the measure pure.',
    );
  });
});
