import { describe, expect, it } from "vitest";
import { base2 } from "../src/base2/index.js";
import { kolmogorovSmirnov } from "../src/base2/laplace.js";
import { boundsOf } from "../src/base2/rounding-bounds.js";

describe("the experiments on the base-2 exponential mechanism", () => {
  const sections = [...base2({ trials: 1, data: "missing" })];

  it("are those of the paper's figures", () => {
    expect(sections.map(({ title }) => title)).toEqual([
      "Outcome sizes",
      "Precision rules",
      "Utility ranges",
      "Laplace on a grid",
      "The distribution with randomised rounding",
      "Bounds on what randomised rounding changes",
      "Probabilities between their bounds",
    ]);
  });

  it("draw what they measure", () => {
    const charts = sections.flatMap(({ chart }) => chart?.name ?? []);
    expect(charts).toEqual(["outcome-sizes", "utility-ranges", "laplace", "rounding-bounds"]);
    for (const { chart } of sections) if (chart) expect(chart.svg).not.toContain("NaN");
  });

  it("find the distributions with and without rounding alike", () => {
    const [, statistic] = /statistic (\d\.\d+)/.exec(sections[4].notes)!;
    expect(Number(statistic)).toBeLessThan(0.03);
  });
});

describe("the bounds on randomised rounding", () => {
  it("hold nothing back where nothing is rounded", () => {
    const { unrounded, lower, slack } = boundsOf([0, 1, 2]);
    expect(slack).toBeCloseTo(0, 12);
    for (const [i, bound] of lower.entries()) expect(bound).toBeCloseTo(unrounded[i], 12);
  });

  it("enclose the probability of two outcomes, one rounded by a coin", () => {
    // Utilities 0 and 1/2: the second is 0 or 1, each with probability 1/2, so it wins with (1/2 + 1/3)/2.
    const { lower, slack } = boundsOf([0, 0.5]);
    const exact = (1 / 2 + 1 / 3) / 2;
    expect(lower[1]).toBeLessThanOrEqual(exact + 1e-12);
    expect(lower[1] + slack).toBeGreaterThanOrEqual(exact - 1e-12);
    expect(lower[0]).toBeLessThanOrEqual(1 - exact);
    expect(lower[0] + slack).toBeGreaterThanOrEqual(1 - exact - 1e-12);
  });
});

describe("the Kolmogorov–Smirnov statistic", () => {
  it("is 0 for the same sample in another order, and 1 for samples apart", () => {
    expect(kolmogorovSmirnov([3, 1, 2, 2], [2, 2, 1, 3])).toBe(0);
    expect(kolmogorovSmirnov([1, 2], [3, 4])).toBe(1);
    expect(kolmogorovSmirnov([1, 2, 3, 4], [3, 4, 5, 6])).toBe(0.5);
  });
});
