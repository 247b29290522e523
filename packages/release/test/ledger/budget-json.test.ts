import { describe, expect, it } from "vitest";
import { pure, zcdp } from "winnow-dp";
import { type BudgetJson, budgetOf, readBudget } from "../../src/index.js";

describe("a budget as JSON", () => {
  it.each<BudgetJson>([
    { measure: "pure", epsilon: "1/3" },
    { measure: "approx", epsilon: "2", delta: "0.000001" },
    { measure: "zcdp", rho: "0.1" },
    { measure: "zcdp", rho: "0.1", delta: "0.000001" },
    { measure: "base2", eta: "4" },
    { measure: "renyi", order: "8", epsilon: "1" },
    { measure: "renyi", order: "3/2", epsilon: "1", delta: "0.000001" },
  ])("is a limit in one measure: %j", (json) => {
    const limit = readBudget(json);
    expect(limit.loss.measure).toBe(json.measure);
    expect(budgetOf(limit).limit).toBe(limit.loss);
  });

  it("at one Rényi order is kept at that order exactly", () => {
    const budget = budgetOf(readBudget({ measure: "renyi", order: "8", epsilon: "1" }));
    expect(budget.admits(zcdp("1/8"))).toBe(true);
    expect(budget.admits(zcdp("0.12500001"))).toBe(false);
    expect(budget.admits(pure(1n))).toBe(true);
  });

  it.each<BudgetJson>([
    { measure: "pure", epsilon: "0" },
    { measure: "pure", epsilon: "-1" },
    { measure: "pure", epsilon: "Infinity" },
    { measure: "pure", epsilon: "much" },
    { measure: "approx", epsilon: "1", delta: "2" },
    { measure: "approx", epsilon: "1", delta: "1" },
    { measure: "zcdp", rho: "1", delta: "1" },
    { measure: "renyi", order: "2", epsilon: "1", delta: "1" },
    { measure: "zcdp", rho: "0" },
    { measure: "base2", eta: "0" },
    { measure: "renyi", order: "1", epsilon: "1" },
    { measure: "renyi", order: "2", epsilon: "0" },
  ])("is refused if it promises nothing or admits nothing: %j", (json) => {
    expect(() => readBudget(json)).toThrow(expect.objectContaining({ code: "invalid-parameter" }));
  });
});
