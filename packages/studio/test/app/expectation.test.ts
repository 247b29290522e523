import { describe, expect, it } from "vitest";
import {
  betterChoices,
  detailsInWords,
  epsilonForGoal,
  expectedInWords,
  verdictOf,
} from "../../src/app/state/expectation.js";
import type { PlanPoint } from "../../src/worker/api.js";

function point(more: Partial<PlanPoint>): PlanPoint {
  return {
    mechanism: "limited-top-k",
    epsilon: "1",
    recall: 0,
    recallError: 0,
    length: 0,
    nothing: 0,
    ...more,
  };
}

const TOP = { kind: "top", k: 10, domain: "unknown" } as const;

describe("what a plan says in words", () => {
  it.each([
    ["top", { recall: 0.92 }, "good"],
    ["top", { recall: 0.5 }, "usable"],
    ["top", { recall: 0.2 }, "useless"],
    ["top", { recall: 0.9, nothing: 0.6 }, "useless"],
    ["adaptive", { recall: 0.1, length: 3, nothing: 0.02 }, "good"],
    ["adaptive", { recall: 0.1, length: 3, nothing: 0.3 }, "usable"],
    ["names", { length: 0, nothing: 0.99 }, "useless"],
  ] as const)("is a verdict: %s %j is %s", (kind, more, verdict) => {
    expect(verdictOf(point(more), kind)).toBe(verdict);
  });

  it.each([
    [TOP, { recall: 0.912 }, "about 9.1 of the true top 10"],
    [TOP, { recall: 0, nothing: 0.994 }, "about 0 of the true top 10; 99 of 100 runs name no item"],
    [TOP, { recall: 0, nothing: 1 }, "about 0 of the true top 10; every run names no item"],
    [
      { kind: "adaptive", k: 30 },
      { length: 5.6, nothing: 0.01 },
      "a list of about 6 names; 1 of 100 runs names no item",
    ],
  ] as const)("is what to expect: %j %j", (question, more, words) => {
    expect(expectedInWords(point(more), question)).toBe(words);
  });

  it("is how far numbers are off and what is charged on average", () => {
    expect(detailsInWords(point({ countError: 23.7, charged: 0.42 }), "2")).toBe(
      "A count is off by about 24 people. On average ε = 0.84 is charged (42\u{a0}%), at most all of it.",
    );
    expect(detailsInWords(point({ countError: 18, nothing: 0.99 }), "1")).toBe("");
    expect(detailsInWords(point({ gapError: 0.3, charged: 1 }), "2")).toBe(
      "A lead is off by about 1 person.",
    );
  });
});

describe("what would do better", () => {
  const points = [
    point({ recall: 0.1 }),
    point({ epsilon: "2", recall: 0.7 }),
    point({ epsilon: "10", recall: 1 }),
    point({ epsilon: "5", recall: 0.85 }),
    point({ mechanism: "stable-top-k-fixed", recall: 0.4 }),
  ];

  it("is the smallest ε that reaches the goal, a better mechanism, and a public list", () => {
    expect(epsilonForGoal(points, "limited-top-k", "top")?.epsilon).toBe("5");
    expect(betterChoices(points, points[0]!, TOP).map(({ change }) => change)).toEqual([
      { epsilon: "5" },
      { mechanism: "stable-top-k-fixed" },
      { domain: "listed" },
    ]);
  });

  it("is nothing where the answer is good, and no list where there is one", () => {
    expect(betterChoices(points, points[2]!, TOP)).toEqual([]);
    expect(betterChoices(points.slice(0, 1), points[0]!, { ...TOP, domain: "listed" })).toEqual([]);
  });
});
