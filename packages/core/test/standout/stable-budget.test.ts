import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { readBudget } from "../../src/standout/stable-budget.js";

const delta = "1e-6";

describe("the budget of a release that may fail", () => {
  it("is ρ with all of δ for the failure, or ε with half of it", () => {
    expect(readBudget({ rho: "1/8", delta })).toMatchObject({
      rho: rational("1/8"),
      failure: rational(delta),
    });
    expect(readBudget({ epsilon: 1, delta }).failure).toEqual(rational("5e-7"));
  });

  it("is refused by the name of what is wrong", () => {
    expect(() => readBudget({ rho: 0, delta })).toThrow("rho must be a rational > 0; got 0");
    expect(() => readBudget({ epsilon: 0, delta })).toThrow("epsilon must be a rational > 0; got 0");
    expect(() => readBudget({ rho: 1, delta: 1 })).toThrow("delta must be a rational > 0 and < 1; got 1");
    expect(() => readBudget({ delta })).toThrow("budget must be exactly one of rho and epsilon");
  });
});
