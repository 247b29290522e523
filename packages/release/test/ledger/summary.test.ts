import { describe, expect, it } from "vitest";
import { approx, base2, compose, convert, type Loss, lossToJson, pure, rational, zcdp } from "winnow-dp";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import {
  Account,
  budgetOf,
  EMPTY_SUMMARY,
  LEDGER_FORMAT,
  type LedgerEntry,
  type NewEntry,
  readBudget,
} from "../../src/index.js";
import type { RecordedBudget } from "../../src/ledger/budget.js";
import { totalAtDelta } from "../../src/ledger/budget.js";
import { summarise } from "../../src/ledger/summary.js";
import { budgetEntry, releaseEntry } from "./examples.js";

const chained = (entries: readonly NewEntry[]): LedgerEntry[] =>
  entries.map((entry, i) => ({ ...entry, format: LEDGER_FORMAT, sequence: i + 1, previous: "" }));

const LOSSES: readonly Loss[] = [
  pure("1/10"),
  pure("1/3"),
  zcdp("1/100"),
  zcdp("1/50", "1e-9"),
  approx("1/7", "1e-9"),
  base2("1/8"),
];

const BUDGETS: readonly RecordedBudget[] = [
  { measure: "zcdp", rho: "50", delta: "1e-3", rule: 2 },
  { measure: "approx", epsilon: "90", delta: "1e-3" },
  { measure: "renyi", order: "8", epsilon: "80", delta: "1e-3" },
];

describe("the summary of an account", () => {
  it.each(BUDGETS)("spends what the charges spend one by one: %j", (json) => {
    const entropy = seededEntropy(JSON.stringify(json));
    for (let run = 0; run < 20; run++) {
      const losses = Array.from({ length: 40 }, () => LOSSES[uniformBelow(LOSSES.length, entropy)]!);
      const budget = budgetOf(readBudget(json));
      for (const loss of losses) budget.charge(loss);
      const entries = losses.map((loss, i) => releaseEntry(`r${i}`, lossToJson(loss)));
      const account = new Account("visits", chained([budgetEntry(json), ...entries]));
      const [exact, summed] = [budget.remaining, account.remaining!].map((loss) =>
        loss.measure === "renyi" ? loss.curve.at(rational(8n), "down").toNumber() : sizeOf(loss),
      );
      expect(summed).toBeCloseTo(exact!, 12); // a sum is rounded once, and its parts one by one
      expect(account.admitsTimes(pure("1/10"))).toBe(budget.admitsTimes(pure("1/10")));
    }
  });

  it("has a size that does not grow with the number of entries", () => {
    const many = chained(
      Array.from({ length: 5000 }, (_, i) => releaseEntry(`r${i}`, lossToJson(LOSSES[i % 6]!))),
    );
    const summary = many.reduce(summarise, EMPTY_SUMMARY);
    expect(summary.releases).toBe(5000);
    expect(summary.charges.reduce((sum, { times }) => sum + times, 0)).toBe(5000);
    expect(summary.charges.length).toBeLessThanOrEqual(2 * LOSSES.length);
    const account = new Account("visits", JSON.parse(JSON.stringify(summary)));
    expect(account).toMatchObject({ releases: 5000, summary });
  });
});

describe("the total at a stated δ", () => {
  const charges = (...losses: readonly Loss[]) => losses.map((loss) => ({ loss, times: 1 }));

  it("is far below the conversion of everything to ρ, and at most ε and the conversion of ρ apart", () => {
    const losses = [pure(1n), pure(3n), pure(1n), pure(1n), zcdp("0.1")];
    const together = totalAtDelta(charges(...losses));
    expect(together.delta).toEqual(rational("1e-6"));
    const apart = 6 + size(convert(zcdp("0.1"), { to: "approx", delta: "1e-6" }).epsilon);
    const concentrated = size(convert(compose(...losses), { to: "approx", delta: "1e-6" }).epsilon);
    expect(size(together.epsilon)).toBeLessThanOrEqual(apart);
    expect(concentrated).toBeGreaterThan(2 * size(together.epsilon));
  });

  it("is never above the sum of ε where every release has one, and has room for the δ of releases", () => {
    const spent = totalAtDelta(charges(approx(1n, "3e-6"), approx(2n, "3e-6"), pure(1n)));
    expect(spent.delta).toEqual(rational("1e-4"));
    expect(size(spent.epsilon)).toBeLessThanOrEqual(4);
    expect(totalAtDelta([])).toEqual(approx(0n, 0n));
    expect(totalAtDelta(charges(pure(Infinity))).epsilon).toBe(Infinity);
  });

  it("keeps charges of different measures apart", () => {
    const losses = [pure(1n), zcdp("0.1"), approx(2n, "1e-6"), pure(3n)].map((loss, i) =>
      releaseEntry(`r${i}`, lossToJson(loss)),
    );
    expect(new Account("visits", chained(losses)).parts).toEqual([pure(4n), zcdp("0.1"), approx(2n, "1e-6")]);
  });
});

function size(epsilon: unknown): number {
  return rational(epsilon as never).toNumber();
}

function sizeOf(loss: Loss): number {
  return size(loss.measure === "zcdp" ? loss.rho : loss.measure === "approx" ? loss.epsilon : Number.NaN);
}
