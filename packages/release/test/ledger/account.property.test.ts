import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approx, type Budget, base2, describeLoss, type Loss, lossToJson, pure, zcdp } from "winnow-dp";
import { Account, budgetOf, LEDGER_FORMAT, readBudget } from "../../src/index.js";
import type { RecordedBudget } from "../../src/ledger/budget.js";
import { Refusal } from "../../src/refusal/refusal.js";
import { budgetEntry, releaseEntry } from "./examples.js";

/** Core counts by the present rule; rule.test.ts has the one before. */
const RULE = 2 as const;

const size = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 12 }))
  .map(([a, b]) => `${a}/${b}`);
const chance = fc.constantFrom("0.000001", "0.0000001", "1/3000000");

const anyBudget: fc.Arbitrary<RecordedBudget> = fc.oneof(
  size.map((epsilon) => ({ measure: "pure" as const, epsilon })),
  size.map((eta) => ({ measure: "base2" as const, eta })),
  size.map((rho) => ({ measure: "zcdp" as const, rho, rule: RULE })),
  fc.tuple(size, chance).map(([rho, delta]) => ({ measure: "zcdp" as const, rho, delta, rule: RULE })),
  fc.tuple(size, chance).map(([epsilon, delta]) => ({ measure: "approx" as const, epsilon, delta })),
  size.map((epsilon) => ({ measure: "renyi" as const, order: "4", epsilon })),
);

const anyLoss: fc.Arbitrary<Loss> = fc.oneof(
  { weight: 3, arbitrary: size.map((epsilon) => pure(epsilon)) },
  size.map((eta) => base2(eta)),
  size.map((rho) => zcdp(rho)),
  fc.tuple(size, chance).map(([rho, delta]) => zcdp(rho, delta)),
  fc.tuple(size, chance).map(([epsilon, delta]) => approx(epsilon, delta)),
);

describe("admission by the ledger", () => {
  it("admits exactly what core's budget admits, charge after charge, in every pair of measures", () => {
    let [admitted, refused] = [0, 0];
    fc.assert(
      fc.property(anyBudget, fc.array(anyLoss, { maxLength: 12 }), (json, losses) => {
        const budget = budgetOf(readBudget(json));
        const kept: Loss[] = [];
        for (const loss of losses) {
          const account = accountOf(json, kept);
          const isAdmitted = admits(account, loss);
          expect(isAdmitted).toBe(charges(budget, loss));
          expect((account.admitsTimes(loss) ?? 0) > 0).toBe(isAdmitted);
          if (isAdmitted) kept.push(loss);
          isAdmitted ? admitted++ : refused++;
        }
        const account = accountOf(json, kept);
        const inWords = (loss: Loss) => describeLoss(loss, { orders: account.orders });
        expect(inWords(account.spent)).toBe(inWords(budget.spent));
      }),
      { numRuns: 120 },
    );
    expect(Math.min(admitted, refused)).toBeGreaterThan(20);
  });

  it("goes as many times as it says, and not once more", () => {
    fc.assert(
      fc.property(anyBudget, anyLoss, (json, loss) => {
        const times = accountOf(json, []).admitsTimes(loss) ?? 0;
        fc.pre(times <= 200);
        const full = accountOf(json, Array(times).fill(loss));
        expect(admits(full, loss)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

function accountOf(budget: RecordedBudget, losses: readonly Loss[]): Account {
  const entries = [
    budgetEntry(budget),
    ...losses.map((loss, place) => releaseEntry(`r${place}`, lossToJson(loss))),
  ];
  return new Account(
    "visits",
    entries.map((entry, place) => ({ ...entry, format: LEDGER_FORMAT, sequence: place + 1, previous: "" })),
  );
}

function admits(account: Account, loss: Loss): boolean {
  try {
    account.admit(loss);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return false;
  }
}

function charges(budget: Budget, loss: Loss): boolean {
  try {
    budget.charge(loss);
    return true;
  } catch {
    return false;
  }
}
