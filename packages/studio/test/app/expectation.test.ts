import { describe, expect, it } from "vitest";
import { MECHANISMS } from "winnow-release";
import {
  betterChoices,
  betterNumbers,
  detailsInWords,
  epsilonForGoal,
  expectedInWords,
  fallsIn,
  numberOutlook,
  verdictOf,
} from "../../src/app/state/expectation.js";
import type { Alternative, NumberPlan, PlanPoint } from "../../src/worker/api.js";

function point(more: Partial<PlanPoint>): PlanPoint {
  return {
    mechanism: "limited-top-k",
    epsilon: "1",
    recall: 0,
    recallError: 0,
    length: 0,
    right: 0,
    nothing: 0,
    ...more,
  };
}

const TOP = { kind: "top", k: 10, domain: "unknown" } as const;
const TWENTY = { kind: "top", k: 20, domain: "unknown" } as const;
const ADAPTIVE = { kind: "adaptive", k: 30 } as const;
const NAMES = { kind: "names" } as const;

describe("what a plan says in words", () => {
  it.each([
    ["all right", TOP, { length: 10, right: 9.2 }, "good"],
    ["a third wrong", TOP, { length: 10, right: 6.5 }, "usable"],
    ["mostly wrong", TOP, { length: 10, right: 4 }, "useless"],
    ["mostly nothing", TOP, { length: 10, right: 9, nothing: 0.6 }, "useless"],
    ["five of twenty, all right", TWENTY, { length: 5.2, right: 5.2 }, "short"],
    ["two that stand out", ADAPTIVE, { length: 2, right: 2 }, "short"],
    ["six that stand out", ADAPTIVE, { length: 6, right: 6, nothing: 0.02 }, "good"],
    ["often nothing", ADAPTIVE, { length: 6, right: 6, nothing: 0.3 }, "usable"],
    ["never anything", NAMES, { length: 0, nothing: 0.99 }, "useless"],
    ["people who are cut", NAMES, { length: 50, right: 50, countError: 300, kept: 0.4 }, "usable"],
    ["a list of strangers", TOP, { length: 10, right: 0, recall: 1, real: 0 }, "useless"],
  ] as const)("is a verdict: %s", (_, question, more, verdict) => {
    expect(verdictOf(point(more), question)).toBe(verdict);
  });

  it("never calls the same names useless for one kind of question and good for another", () => {
    for (const length of [0, 1, 2, 3, 5, 8, 10, 20, 30])
      for (const share of [0, 0.2, 0.45, 0.6, 0.79, 0.8, 0.95, 1])
        for (const nothing of [0, 0.05, 0.2, 0.6]) {
          const same = point({ length, right: length * share, nothing });
          const verdicts = [TOP, TWENTY, ADAPTIVE, NAMES].map((question) => verdictOf(same, question));
          if (verdicts.includes("good")) expect(verdicts).not.toContain("useless");
          if (verdicts.includes("useless")) expect(new Set(verdicts).size).toBe(1);
        }
  });

  it.each([
    [TOP, { length: 10, right: 9.12 }, "a list of about 10 names, about 9.1 of them in the true top 10"],
    [TWENTY, { length: 5.2, right: 5.2 }, "a list of about 5 names, all of them in the true top 20"],
    [
      TOP,
      { length: 0.1, right: 0.1, nothing: 0.98 },
      "a list of about 1 name, which is in the true top 10; 98 of 100 runs name no item",
    ],
    [TOP, { nothing: 1 }, "every run names no item"],
    [
      ADAPTIVE,
      { length: 5.6, right: 5.6, nothing: 0.01 },
      "a list of about 6 names, all of them right; 1 of 100 runs names no item",
    ],
    [
      TOP,
      { length: 10, right: 0, real: 0 },
      "a list of about 10 names, none of them in the true top 10; no candidate has people in your rows, and the other places are filled at random",
    ],
    [
      NAMES,
      { length: 50, right: 50, countError: 300, kept: 0.4 },
      "a list of about 50 names, all of them right; counts leave out 60\u{a0}% of people’s items",
    ],
  ] as const)("is what to expect: %j %j", (question, more, words) => {
    expect(expectedInWords(point(more), question)).toBe(words);
  });

  it("is how far numbers are off and what is charged on average", () => {
    expect(detailsInWords(point({ countError: 23.7, charged: 0.42 }), "2")).toBe(
      "A count is off by about 24 people. On average ε = 0.84 is charged (42\u{a0}%), at most all of it.",
    );
    expect(detailsInWords(point({ countError: 23.7, kept: 0.5 }), "2")).toBe(
      "A count is off by about 24 people from the true number.",
    );
    expect(detailsInWords(point({ countError: 18, nothing: 0.99 }), "1")).toBe("");
    expect(detailsInWords(point({ gapError: 0.3, charged: 1 }), "2")).toBe(
      "A lead is off by about 1 person.",
    );
  });
});

describe("what would do better", () => {
  const points = [
    point({ length: 10, right: 1 }),
    point({ epsilon: "2", length: 10, right: 7 }),
    point({ epsilon: "10", length: 10, right: 10 }),
    point({ epsilon: "5", length: 10, right: 8.5 }),
    point({ mechanism: "stable-top-k-fixed", length: 4, right: 4 }),
  ];
  const listed = (right: number): Alternative => ({
    change: { domain: "listed" },
    point: point({ length: 10, right }),
  });
  const others: readonly Alternative[] = [
    { change: { k: 5 }, point: point({ length: 5, right: 4.5 }) },
    { change: { k: 3 }, point: point({ length: 3, right: 3 }) },
    { change: { maxItemsPerUser: 1, mechanism: "threshold-top-k" }, point: point({ length: 7, right: 7 }) },
    { change: { maxItemsPerUser: 3, mechanism: "threshold-top-k" }, point: point({ length: 8, right: 8 }) },
  ];

  it("is a limit per person, a better mechanism, fewer names, and last a larger ε", () => {
    expect(epsilonForGoal(points, "limited-top-k", TOP)?.epsilon).toBe("5");
    expect(betterChoices(points, points[0]!, TOP, others).map(({ change }) => change)).toEqual([
      { maxItemsPerUser: 3, mechanism: "threshold-top-k" },
      { mechanism: "stable-top-k-fixed" },
      { k: 5 },
      { epsilon: "5" },
    ]);
  });

  it("is a public list only where the best one would do better", () => {
    const changes = (right: number) =>
      betterChoices([points[1]!], points[1]!, TOP, [listed(right)]).map(({ change }) => change);
    expect(changes(9)).toEqual([{ domain: "listed" }]);
    expect(changes(7.2)).toEqual([]);
  });

  it("is nothing where the answer is good", () => {
    expect(betterChoices(points, points[2]!, TOP, others)).toEqual([]);
  });
});

describe("frequencies", () => {
  const limits = [
    { limit: 1, counted: 8_000, error: 100 },
    { limit: 10, counted: 60_000, error: 1_000 },
    { limit: 50, counted: 90_000, error: 5_000 },
  ];
  const here = { epsilon: "1", error: 100, share: 0, words: "noise alone adds about 100", limits };
  const plan = (counted: number): NumberPlan => ({
    points: [here],
    counted,
    all: 100_000,
  });

  it("say which share of the pairs is counted, and are never good when most were cut", () => {
    const cut = numberOutlook(here, plan(8_000), "frequencies");
    expect(cut.verdict).toBe("useless");
    expect(cut.words).toContain(
      "8.0\u{a0}% of your 100,000 pairs of a person and an item are counted, so true numbers are higher",
    );
    expect(numberOutlook(here, plan(50_000), "frequencies").verdict).toBe("usable");
    expect(numberOutlook(here, plan(95_000), "frequencies").verdict).toBe("good");
  });

  it("propose the smallest limit that counts most pairs with little noise", () => {
    expect(betterNumbers(here, plan(8_000), "frequencies")[0]?.change).toEqual({ maxItemsPerUser: 50 });
  });
});

describe("a curve", () => {
  const curve = (...heights: number[]) => heights.map((height, i) => ({ epsilon: String(i + 1), height }));

  it("falls where it loses more than chance from its highest point so far, in the order of ε", () => {
    expect(fallsIn(curve(0.26, 0.22))).toBe(true);
    expect(fallsIn(curve(0.1, 0.5, 0.49, 0.48, 0.46))).toBe(true);
    expect(fallsIn(curve(0.22, 0.26).reverse())).toBe(false);
    expect(fallsIn(curve(0.5, 0.49, 0.9))).toBe(false);
    expect(fallsIn([])).toBe(false);
  });

  it("that may fall has a reason, which its mechanism tells", () => {
    const told = MECHANISMS.filter(({ words }) => words.falls !== undefined);
    expect(told.map(({ words }) => words.title)).toEqual(expect.arrayContaining(["Stable top k"]));
    for (const { words } of told) expect(words.falls).toContain("A larger ε");
  });
});
