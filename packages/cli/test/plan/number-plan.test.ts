import { describe, expect, it } from "vitest";
import { quantiles } from "winnow-dp";
import { numberPlanText } from "../../src/plan/number-plan.js";
import { PLAIN } from "../../src/render/terminal.js";

const SHARED = { epsilon: "0.1,1", items: 1000, users: 10_000, runs: 200 };
const QUANTILES = { ...SHARED, quantiles: "0.5,0.9", range: "0..2000" };

describe("winnow plan --quantiles", () => {
  it("shows the error of each price, which is the library's", () => {
    const text = numberPlanText(QUANTILES, PLAIN);
    const ps = ["1/2", "9/10"];
    for (const epsilon of ["0.1", "1"]) {
      const [error] = quantiles([], { quantiles: ps, lower: 0, upper: 2000, epsilon }).rankError("0.95");
      expect(text).toMatch(new RegExp(`${epsilon} +separate +± ${error.ceil()} ranks +\\d\\.\\d %`));
    }
  });

  it("is JSON with the question, in ρ too", () => {
    const { rows } = JSON.parse(numberPlanText({ ...QUANTILES, rho: "0.1", json: true }, PLAIN));
    expect(rows).toMatchObject([
      {
        rho: "0.1",
        method: "separate",
        question: { kind: "quantile", rho: "0.1" },
        rankError: { confidence: 0.95 },
      },
    ]);
    expect(rows[0].rankError.ranks).toBeGreaterThan(1);
  });

  it.each([
    ["a number of winners", { k: 3 }, "-k applies to plans for winners"],
    ["a goal", { recall: "0.9" }, "--recall applies to plans for winners"],
    ["no range", { range: undefined }, "range must be given"],
    ["frequencies too", { frequencies: true }, "cannot be planned together"],
  ])("refuses %s", (_, change, says) => {
    const options = { ...QUANTILES, ...change } as Parameters<typeof numberPlanText>[0];
    expect(() => numberPlanText(options, PLAIN)).toThrow(says);
  });

  it("leaves out defaults of the configuration that it has no use for", () => {
    expect(numberPlanText({ ...QUANTILES, k: 3, defaults: ["k"] }, PLAIN)).toContain("ranks");
  });
});

describe("winnow plan --frequencies", () => {
  it("shows how many people noise adds, fewer for more ε", () => {
    const text = numberPlanText({ ...SHARED, frequencies: true }, PLAIN);
    expect(text).toMatch(/0\.1 +about 660\n +1 +about 6\n/);
    const { rows } = JSON.parse(numberPlanText({ ...SHARED, frequencies: true, json: true }, PLAIN));
    expect(rows[0].inventedPeople).toBeGreaterThan(rows[1].inventedPeople);
  });

  it("refuses a price in ρ", () => {
    expect(() => numberPlanText({ ...SHARED, rho: "1", frequencies: true }, PLAIN)).toThrow("--rho cannot");
  });
});
