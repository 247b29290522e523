/** What someone must agree to first: one rule for the command line, the service, the agent's tools and the page. */
import { describe, expect, it } from "vitest";
import { approx, pure, rational, zcdp } from "winnow-dp";
import {
  Account,
  type BudgetJson,
  concernAbout,
  concernAboutBudget,
  deltaInWords,
  EMPTY_SUMMARY,
  readableLoss,
  takenFrom,
} from "winnow-release";
import { concernAboutTotal } from "../../src/flow/guards.js";
import type { RecordedBudget } from "../../src/ledger/budget.js";
import { concernAboutNewAccount } from "../../src/ledger/ledger-refusals.js";

describe("a price", () => {
  it.each([
    ["ε = 10", pure(10n)],
    ["δ = 10⁻⁵", approx(10n, "1e-5")],
    ["ρ = 2", zcdp("1/2", "1e-5")],
  ])("of %s needs no confirmation", (_, loss) => {
    expect(concernAbout(loss)).toBeUndefined();
  });

  it.each([
    ["ε", pure("10.001"), "The price must be at most ε = 10 without a confirmation"],
    ["δ", approx(1n, "0.0000101"), "The price must be at most δ = 0.00001 without a confirmation"],
    ["δ beside ρ", zcdp("0.1", "1e-4"), "got δ = 0.0001"],
    ["ρ", zcdp(4n), "must be at most ε = 10"],
    ["an ε without end", pure(Infinity), "got ε = ∞"],
  ])("with more in %s needs one, and a sentence says why", (_, loss, sentence) => {
    expect(concernAbout(loss)).toContain(sentence);
  });

  it("with a large δ says what that means for someone with something unique", () => {
    expect(concernAbout(approx(1n, "0.01"))).toBe(
      "The price must be at most δ = 0.00001 without a confirmation; got δ = 0.01: with probability up to that, an item that only one person has may be published; among 100 such people, expect one.",
    );
    expect(deltaInWords(rational("0.99"))).toBe(
      "with probability up to δ = 0.99, an item that only one person has may be published; expect that of most such people",
    );
  });
});

describe("a budget", () => {
  it.each<[string, BudgetJson]>([
    ["ε", { measure: "pure", epsilon: "1000" }],
    ["η", { measure: "base2", eta: "15" }],
    ["ρ", { measure: "zcdp", rho: "4" }],
    ["ε at a Rényi order near 1", { measure: "renyi", order: "2", epsilon: "1" }],
    ["δ", { measure: "approx", epsilon: "1", delta: "1/2" }],
    ["δ beside ρ", { measure: "zcdp", rho: "1/8", delta: "1e-3" }],
  ])("with too much %s needs a confirmation", (_, budget) => {
    expect(concernAboutBudget(budget)).toMatch(/^The budget must be at most .* without a confirmation/);
  });

  it.each<[string, BudgetJson]>([
    ["(10, 10⁻⁵)", { measure: "approx", epsilon: "10", delta: "0.00001" }],
    ["ρ = 1/2", { measure: "zcdp", rho: "1/2", delta: "0.00001" }],
    ["ε(8) = 3", { measure: "renyi", order: "8", epsilon: "3" }],
  ])("of %s needs none", (_, budget) => {
    expect(concernAboutBudget(budget)).toBeUndefined();
  });
});

describe("the total of an account", () => {
  const charged = (...losses: readonly Parameters<Account["after"]>[0][]) =>
    losses.reduce<Account>((account, loss) => account.after(loss), new Account("v", EMPTY_SUMMARY));

  it("needs a confirmation by the release that takes it above ε = 10, and by no other", () => {
    expect(concernAboutTotal(charged(), pure(10n))).toBeUndefined();
    expect(concernAboutTotal(charged(pure(10n)), pure(1n))).toContain(
      'The total of "v", which has no budget, must be at most ε = 10 without a confirmation',
    );
    expect(concernAboutTotal(charged(pure(10n), pure(10n)), pure(1n))).toBeUndefined();
  });

  it("is the smallest that is known: many small releases add up to less than their sum", () => {
    const many = charged(...Array.from({ length: 100 }, () => pure("0.1")));
    expect(concernAboutTotal(many, pure("0.1"))).toBeUndefined();
  });

  it("needs one above δ = 10⁻⁵ too", () => {
    const ten = charged(...Array.from({ length: 10 }, () => approx("0.01", "1e-6")));
    expect(concernAboutTotal(ten, pure("0.01"))).toBeUndefined();
    expect(concernAboutTotal(ten, approx("0.01", "1e-6"))).toContain("got δ = 0.000011");
  });

  it("needs none with a budget, which was agreed to", () => {
    const budget = { measure: "pure", epsilon: "30" } as const;
    const account = new Account("v", { ...EMPTY_SUMMARY, budget }).after(pure(10n));
    expect(concernAboutTotal(account, pure(10n))).toBeUndefined();
  });
});

describe("what a charge takes of a budget", () => {
  const limited = (budget: RecordedBudget) => new Account("v", { ...EMPTY_SUMMARY, budget });
  const approximate = limited({ measure: "approx", epsilon: "3", delta: "0.00001" });

  it("is much for the first ρ in an (ε, δ) budget, and little for the next", () => {
    const first = takenFrom(approximate, zcdp("0.001"));
    expect(readableLoss(first!)).toBe("ε = 1.336, δ = 0.000005");
    const next = takenFrom(approximate.after(zcdp("0.001")), zcdp("0.001"));
    expect(readableLoss(next!)).toBe("ε = 0.007933");
  });

  it("is said only where it isn't the loss itself", () => {
    expect(takenFrom(approximate, pure(1n))).toBeUndefined();
    expect(takenFrom(approximate, approx(1n, "1e-6"))).toBeUndefined();
    expect(takenFrom(new Account("v", EMPTY_SUMMARY), zcdp("0.001"))).toBeUndefined();
    expect(readableLoss(takenFrom(limited({ measure: "zcdp", rho: "2", rule: 2 }), pure(1n))!)).toBe(
      "ρ = 0.4622",
    );
  });
});

describe("a new account", () => {
  it("beside budgets is named with the nearest of them", () => {
    const limited = ["visits-2026-11-16.csv", "sales", "logins", "clicks"];
    expect(concernAboutNewAccount("visits-2026-11-17.csv", limited)).toMatch(
      /^The ledger limits "visits-2026-11-16\.csv", .* and 1 more, and "visits-2026-11-17\.csv" would be a new account without a budget\.$/,
    );
    expect(concernAboutNewAccount("visits", [])).toBeUndefined();
  });
});
