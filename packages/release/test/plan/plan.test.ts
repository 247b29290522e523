import { describe, expect, it } from "vitest";
import { lossToJson } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  epsilonForRecall,
  expectedUtility,
  lossOf,
  type PlanRow,
  plan,
  questionsAt,
} from "../../src/index.js";
import { EPSILON_SERIES } from "../../src/plan/plan.js";
import { listed, UNIT, UNKNOWN } from "../support/ask.js";

const SCORES = Array.from({ length: 100 }, (_, index) => Math.floor(2000 / (index + 1)));
const INPUT = { k: 5, domain: listed(100), unit: UNIT };

describe("a plan", () => {
  it("has a row for each mechanism that can answer, at each ε", async () => {
    const seen: PlanRow[] = [];
    const options = { epsilons: ["0.1", 1], runs: 20, onRow: (row: PlanRow) => seen.push(row) };
    const rows = await plan({ ...INPUT, delta: "1e-6" }, SCORES, options);
    expect(rows.map(({ mechanism, epsilon }) => `${mechanism} ${epsilon}`)).toEqual([
      "top-k-with-gap 0.1",
      "top-k 0.1",
      "stable-top-k-fixed 0.1",
      "top-k-with-gap 1",
      "top-k 1",
      "stable-top-k-fixed 1",
    ]);
    expect(seen).toEqual(rows);
    expect(rows.every(({ utility }) => utility.runs === 20)).toBe(true);
  });

  it("shows that more ε buys more", async () => {
    const rows = await plan(INPUT, SCORES, {
      epsilons: ["0.02", "0.2", 2],
      mechanisms: ["top-k-with-gap"],
      runs: 200,
      entropy: seededEntropy("more"),
    });
    const recalls = rows.map(({ utility }) => utility.recall.mean);
    expect(recalls[0]).toBeLessThan(recalls[1]);
    expect(recalls[1]).toBeLessThan(recalls[2]);
    const errors = rows.map(({ utility }) => utility.gapError?.mean ?? 0);
    expect(errors[0]).toBeGreaterThan(errors[2]);
  });
});

describe("the mechanisms that can answer", () => {
  const names = (input: Parameters<typeof questionsAt>[0]) =>
    questionsAt(input, 1).map(({ mechanism }) => mechanism);

  it("depend on the domain, on δ and on the number of winners", () => {
    expect(names(INPUT)).toEqual(["top-k-with-gap", "top-k"]);
    expect(names({ ...INPUT, k: 1 })).toEqual(["top-k-with-gap", "top-k", "permute-and-flip"]);
    expect(names({ ...INPUT, k: 100 })).toEqual(["top-k"]);
    expect(names({ ...INPUT, domain: UNKNOWN, delta: "1e-6" })).toEqual([
      "limited-top-k",
      "stable-top-k-fixed",
    ]);
    expect(names({ ...INPUT, domain: UNKNOWN, delta: "1e-6", maxItemsPerUser: 2, k: 9 })).toEqual([
      "limited-top-k",
      "threshold-top-k",
      "stable-top-k-fixed",
    ]);
    expect(names({ ...INPUT, kind: "adaptive", delta: "1e-6" })).toEqual(["stable-top-k"]);
  });

  it("spend δ over a public list where that buys less noise", () => {
    const [leads, exponential] = questionsAt({ ...INPUT, k: 6, delta: "1e-6" }, 1);
    expect([leads.delta, exponential.delta]).toEqual([undefined, undefined]);
    const [, gumbel] = questionsAt({ ...INPUT, k: 7, delta: "1e-6" }, 1);
    expect(lossToJson(lossOf(gumbel))).toEqual({ measure: "approx", epsilon: "1", delta: "0.000001" });
  });

  it("are none where the question cannot be asked, which is said", () => {
    expect(() => names({ ...INPUT, domain: UNKNOWN })).toThrow("delta must be");
    expect(() => names({ ...INPUT, k: 101 })).toThrow("k must be");
    expect(() => names({ ...INPUT, delta: 2 })).toThrow("delta must be");
    expect(() => questionsAt(INPUT, -1)).toThrow("epsilon must be");
  });
});

describe("from a goal to ε", () => {
  it("finds an ε that reaches it, and the step before does not", async () => {
    const options = { runs: 300, entropy: seededEntropy("goal") };
    const { epsilon = "", recall, runs } = await epsilonForRecall(INPUT, 0.9, SCORES, options);
    expect(recall.mean).toBeGreaterThanOrEqual(0.9);
    expect(runs).toBe(1200);
    const below = EPSILON_SERIES[EPSILON_SERIES.indexOf(epsilon) - 3]; // three steps are a third
    const [question] = questionsAt(INPUT, below);
    const less = await expectedUtility(question, SCORES, { runs: 1200, entropy: seededEntropy("below") });
    expect(less.recall.mean).toBeLessThan(0.9);
  });

  it("says so where no ε reaches it", async () => {
    const flat = Array.from({ length: 8 }, () => 20);
    const input = { kind: "adaptive", k: 4, domain: UNKNOWN, delta: "1e-9", unit: UNIT } as const;
    const options = { runs: 10, entropy: seededEntropy("flat") };
    const { epsilon, recall } = await epsilonForRecall(input, 0.99, flat, options);
    expect(epsilon).toBeUndefined();
    expect(recall.mean).toBeLessThan(0.99);
  });

  it("refuses goals that are none", async () => {
    for (const goal of [0, 1.5, Number.NaN])
      await expect(epsilonForRecall(INPUT, goal, SCORES)).rejects.toThrow("recall must be");
  });

  it("searches a series of rising steps of about a tenth", () => {
    const values = EPSILON_SERIES.map(Number);
    const steps = values.slice(1).map((value, index) => value / values[index]);
    expect([values[0], values[values.length - 1]]).toEqual([0.001, 100]);
    expect(Math.min(...steps)).toBeGreaterThan(1.06);
    expect(Math.max(...steps)).toBeLessThan(1.16);
  });
});
