import { describe, expect, it } from "vitest";
import { exponentialTopKLaw } from "winnow-audit";
import {
  type MeasureCountsOptions,
  makeNoisyTopK,
  measureCounts,
  selectPartitions,
  stableTopK,
  stableTopKFixed,
} from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { type Estimate, expectedUtility } from "../../src/index.js";
import { countsOf, mechanismFor } from "../../src/mechanisms/of-question.js";
import { partitionOptions } from "../../src/parts/above-threshold.js";
import { prepareRun } from "../../src/plan/prepare-run.js";
import { ask, listed, UNKNOWN } from "../support/ask.js";

const RUNS = 4_000;

function expectNear({ mean, standardError }: Estimate, truth: number): void {
  expect(Math.abs(mean - truth)).toBeLessThan(5 * standardError + 1e-12);
}

describe("the expected recall", () => {
  it("is that of the closed form", async () => {
    const scores = [5, 4, 3, 1];
    const question = ask({ k: 2, domain: listed(4), epsilon: 1, mechanism: "top-k" });
    const law = exponentialTopKLaw(scores, { k: 2, scale: scaleOf(question) });
    const truth = [...law].reduce((sum, [order, p]) => {
      const found = order.split(",").filter((index) => Number(index) < 2).length;
      return sum + (p.lower().toNumber() * found) / 2;
    }, 0);
    const { recall } = await expectedUtility(question, scores, { runs: RUNS, entropy: seededEntropy(1) });
    expectNear(recall, truth);
    expect(Math.abs(recall.mean - truth - 0.1)).toBeGreaterThan(5 * recall.standardError); // 0.1 off would be seen
  });

  it("does not depend on the order of the scores, and gaps change nothing in it", async () => {
    const options = { runs: 300, entropy: seededEntropy(2) };
    const domain = listed(6);
    const [a, b] = [
      [9, 1, 7, 3, 5, 0],
      [0, 1, 3, 5, 7, 9],
    ];
    const one = await expectedUtility(ask({ k: 3, domain, epsilon: 1 }), a, {
      ...options,
      entropy: seededEntropy(2),
    });
    const other = await expectedUtility(ask({ k: 3, domain, epsilon: 1 }), b, {
      ...options,
      entropy: seededEntropy(2),
    });
    expect(other).toEqual(one);
    const plain = await expectedUtility(ask({ k: 3, domain, epsilon: 1, mechanism: "top-k" }), a, {
      runs: RUNS,
      entropy: seededEntropy(4),
    });
    const gaps = await expectedUtility(ask({ k: 3, domain, epsilon: 1 }), a, {
      runs: RUNS,
      entropy: seededEntropy(5),
    });
    expect(Math.abs(plain.recall.mean - gaps.recall.mean)).toBeLessThan(
      5 * (plain.recall.standardError + gaps.recall.standardError),
    );
  });

  it("counts any of equals at the end, as many as there is room for", async () => {
    const scores = [1000, 500, 500, 500, 0];
    const { recall } = await expectedUtility(ask({ k: 2, domain: listed(5), epsilon: 10 }), scores, {
      runs: 50,
    });
    expect(recall).toEqual({ mean: 1, standardError: 0, standardDeviation: 0 });
    const all = await expectedUtility(ask({ k: 4, domain: listed(5), epsilon: 10 }), scores, { runs: 50 });
    expect(all.recall.mean).toBe(1);
  });

  it("is the share of those that there are, where they are fewer than asked for", async () => {
    const question = ask({ k: 6, domain: UNKNOWN, rho: 10, delta: "1e-6", mechanism: "stable-top-k-fixed" });
    const { recall, winners } = await expectedUtility(question, [900, 800, 700, 0, 0], {
      runs: 100,
      entropy: seededEntropy(6),
    });
    expect(recall.mean).toBeCloseTo(winners.mean / 3, 12);
    expect(recall.mean).toBeGreaterThan(0.8);
    expect((await expectedUtility(question, [], { runs: 5 })).recall.mean).toBe(1);
  });

  it("sees candidates without a score as zeros", async () => {
    const few = await expectedUtility(
      ask({ k: 2, domain: listed(4), epsilon: 1, mechanism: "top-k" }),
      [3, 2],
      { runs: RUNS, entropy: seededEntropy(7) },
    );
    const many = await expectedUtility(
      ask({ k: 2, domain: listed(4), epsilon: 1, mechanism: "top-k" }),
      [3, 2, 0, 0],
      { runs: RUNS, entropy: seededEntropy(8) },
    );
    expect(Math.abs(few.recall.mean - many.recall.mean)).toBeLessThan(
      5 * (few.recall.standardError + many.recall.standardError),
    );
  });
});

describe("the expected gap error", () => {
  it("is the scale of the noise where candidates are far apart: the mean of |X − Y| for two exponentials", async () => {
    const question = ask({ k: 2, domain: listed(4), epsilon: "1/2", resolution: "1/64" });
    const { gapError } = await expectedUtility(question, [9000, 6000, 3000, 0], {
      runs: RUNS,
      entropy: seededEntropy(3),
    });
    if (gapError === undefined) throw new Error("gaps were expected");
    expectNear(gapError, 4); // k/ε
    expect(gapError.standardDeviation).toBeGreaterThan(gapError.standardError);
  });

  it("is not given where there are no gaps", async () => {
    expect(
      "gapError" in (await expectedUtility(ask({ k: 1, domain: listed(2), rho: 1 }), [2, 1], { runs: 2 })),
    ).toBe(false);
  });
});

describe("a prepared mechanism gives core's answers, bit for bit:", () => {
  const scores = Float64Array.from([300, 280, 150, 40, 38, 5, 0]);

  it.each(["add-remove", "replace"] as const)("stableTopK, %s", (neighbours) => {
    const budget = { epsilon: 2, delta: "1e-4" };
    const run = prepareRun(ask({ kind: "adaptive", k: 4, domain: UNKNOWN, ...budget, neighbours }), scores);
    for (let seed = 0; seed < 40; seed++) {
      const monotone = neighbours === "add-remove";
      const core = stableTopK(scores, { ...budget, maxK: 4, monotone, entropy: seededEntropy(seed) });
      expect(run(seededEntropy(seed)).winners).toEqual(core.released ? core.candidates : []);
    }
  });

  it.each(["unknown", "public"] as const)("stableTopKFixed, %s candidates", (domain) => {
    const budget = { epsilon: 2, delta: "1e-4" };
    const question = ask({
      k: 3,
      domain: domain === "public" ? listed(7) : UNKNOWN,
      ...budget,
      mechanism: "stable-top-k-fixed",
    });
    const run = prepareRun(question, scores);
    for (let seed = 0; seed < 40; seed++) {
      const core = stableTopKFixed(scores, {
        ...budget,
        k: 3,
        domain,
        monotone: true,
        entropy: seededEntropy(seed),
      });
      expect(run(seededEntropy(seed)).winners).toEqual(core.candidates);
    }
  });

  it.each([
    ["all", "optimal", { kind: "names", counts: false }],
    ["all", "laplace", { kind: "names", counts: true }],
    ["all", "gaussian", { kind: "names", counts: true, maxItemsPerUser: 9 }],
    ["the best", "laplace", { k: 2, counts: true, mechanism: "threshold-top-k" }],
  ] as const)("selectPartitions, %s, %s", (_, method, asked) => {
    const question = ask({ maxItemsPerUser: 2, domain: UNKNOWN, epsilon: 1, delta: "1e-3", ...asked });
    const run = prepareRun(question, scores, scores);
    const rows = Array.from(scores, (count, index): [string, number] => [`${index}`, count]);
    for (let seed = 0; seed < 40; seed++) {
      const entropy = seededEntropy(seed);
      const core = selectPartitions(rows, { ...partitionOptions(question), entropy });
      expect(core.method).toBe(method);
      const count = (of: (typeof core.winners)[number]) => of.count?.toNumber() ?? 1;
      const told = core.winners.toSorted((a, b) => ("k" in asked ? count(b) - count(a) : 0));
      const shown = told.slice(0, "k" in asked ? asked.k : undefined);
      expect(run(seededEntropy(seed))).toEqual({
        winners: shown.map(({ candidate }) => Number(candidate)),
        ...(asked.counts && { counts: shown.map(count) }),
      });
    }
  });

  it.each([
    ["gaussian", { rho: "1/2" }],
    ["laplace", { epsilon: 1 }],
  ] as const)("measureCounts, %s", (law, budget) => {
    const question = ask({ k: 2, domain: listed(7), counts: true, ...budget });
    const plan = countsOf(question);
    expect(plan?.law).toBe(law);
    const run = prepareRun(question, scores);
    for (let seed = 0; seed < 40; seed++) {
      const entropy = seededEntropy(seed);
      const { winners, counts } = run(seededEntropy(seed));
      const { resolution } = question;
      makeNoisyTopK({
        ...{ k: 2, measure: question.rho === undefined ? "pure" : "zcdp", scale: scaleOf(question) },
        ...{ monotone: true, resolution, domain: { size: 7 } },
      }).invoke(scores, entropy);
      const rows = winners.map((index): [string, number] => [`${index}`, scores[index] as number]);
      const names = rows.map(([name]) => name);
      const core = measureCounts(rows, names, { ...(plan?.options as MeasureCountsOptions), entropy });
      expect(counts).toEqual(core.counts.map(({ count }) => count.toNumber()));
    }
  });
});

describe("stable sets", () => {
  it("are released with a probability, and their size counts into recall", async () => {
    const question = ask({
      k: 4,
      domain: UNKNOWN,
      rho: 1,
      delta: "1e-6",
      mechanism: "stable-top-k-fixed",
    });
    const clear = await expectedUtility(question, [900, 880, 870, 860, 3], {
      runs: 200,
      entropy: seededEntropy(9),
    });
    expect(clear.released.mean).toBe(1);
    expect(clear.recall.mean).toBeGreaterThan(0.95);
    // Seeded, for each run may name them all the same with probability up to δ.
    const flat = await expectedUtility(question, [30, 30, 30, 30, 30], {
      runs: 200,
      entropy: seededEntropy(10),
    });
    expect(flat).toMatchObject({ released: { mean: 0 }, winners: { mean: 0 }, recall: { mean: 0 } });
  });
});

describe("a simulation", () => {
  const question = ask({ k: 1, domain: listed(2), epsilon: 1 });

  it("refuses runs and scores that are none", async () => {
    for (const runs of [0, 1.5, Number.NaN])
      await expect(expectedUtility(question, [1, 2], { runs })).rejects.toThrow("runs must be");
    for (const scores of [
      [-1, 1],
      [0.5, 1],
      [Number.NaN, 1],
      [1, 2, 3],
    ])
      await expect(expectedUtility(question, scores)).rejects.toThrow("scores must be");
  });

  it("lets others have their turn, and ends when told to", async () => {
    const controller = new AbortController();
    let turns = 0;
    const others = setInterval(() => {
      if (++turns === 3) controller.abort(new Error("enough"));
    }, 1);
    const endless = expectedUtility(question, [1, 2], { runs: 1e9, signal: controller.signal });
    await expect(endless).rejects.toThrow("enough");
    clearInterval(others);
    await expect(expectedUtility(question, [1, 2], { signal: controller.signal })).rejects.toThrow("enough");
  });
});

/** Of the noise on each count. */
function scaleOf(question: ReturnType<typeof ask>): string {
  return mechanismFor(question).parameters(question).scale;
}
