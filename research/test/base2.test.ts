import { describe, expect, it } from "vitest";
import { base2ExponentialLaw } from "winnow-audit";
import { eta } from "winnow-dp";
import { base2 } from "../src/base2/index.js";
import { kolmogorovSmirnov } from "../src/base2/laplace.js";
import { roundedLaw } from "../src/base2/rounded-law.js";
import { boundsOf, distances } from "../src/base2/rounding-bounds.js";
import { largestRatio, ratioBound } from "../src/base2/rounding-ratio.js";
import { bitsLookedAt, retrySweep } from "../src/base2/timing-channels.js";

const cells = (table: string) =>
  table
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));

describe("the experiments on the base-2 exponential mechanism", () => {
  const sections = [...base2({ trials: 1, data: "missing" })];

  it("are those of the paper's figures", () => {
    expect(sections.map(({ title }) => title)).toEqual([
      "[Ilv20, Figure 4] Time by the number of outcomes",
      "[Ilv20, Figure 5] Time by the rule for digits",
      "[Ilv20, Figure 6] Time by the range of utilities",
      "[Ilv20, Figure 7a] Laplace noise by the exponential mechanism, time by granularity",
      "[Ilv20, Figure 7b] Laplace noise by the published algorithm, time by the rule for digits",
      "[Ilv20, Figure 8] The distribution with randomised rounding",
      "[Ilv20, Figure 9] Rejected draws by the minimum of retries",
      "[Ilv20, Figure 10] Bounds on what randomised rounding changes",
      "[Ilv20, Figure 11] Probabilities between their bounds",
      "[Ilv20, Proposition 3.6] The largest ratio that randomised rounding makes",
      "[Ilv20, Lemma 3.7] Bits looked at before one outcome is left",
    ]);
  });

  it("time every configuration of Table 1, and say which are the paper's algorithm", () => {
    const header = sections[0].table.split("\n", 1)[0];
    for (const name of [
      "published",
      "published, early stop",
      "published, bit by bit",
      "ours, optimised",
      "ours, constant work",
      "naive float (unsafe)",
    ])
      expect(header).toContain(`| ${name}, ms`);
    expect(sections[1].table).toContain(
      "| with the formula, ms | with the search, ms | the search alone, ms |",
    );
    for (const row of [cells(sections[0].table)[0], ...cells(sections[1].table)])
      for (const time of row.slice(5, -1)) expect(Number(time.replaceAll(",", ""))).toBeGreaterThan(0);
  });

  it("say in the title of every chart which figure or claim of the paper it is", () => {
    for (const { chart } of sections)
      if (chart) expect(chart.svg).toMatch(/\[Ilv20, (Figure|Proposition|Lemma) /);
  });

  it("draw what they measure", () => {
    const charts = sections.flatMap(({ chart }) => chart?.name ?? []);
    expect(charts).toEqual([
      ...["outcome-sizes", "precision", "utility-ranges", "laplace", "laplace-precision"],
      ...["laplace-distribution", "retries", "rounding-bounds", "rounding-profile", "rounding-ratio"],
      "bits-looked-at",
    ]);
    for (const { chart } of sections) if (chart) expect(chart.svg).not.toContain("NaN");
  });

  it("find the distributions with and without rounding alike", () => {
    const [, statistic] = /statistic (\d\.\d+)/.exec(sections[5].notes)!;
    expect(Number(statistic)).toBeLessThan(0.03);
  });
});

describe("the timing channels of the published samplers", () => {
  const [retries, bits] = [retrySweep, bitsLookedAt].map((of) =>
    cells(of({ trials: 20, data: "missing" }).table),
  );

  it("are closed by a minimum of retries: half as many bits more without it, none with ten", () => {
    const ratios = retries.map((row) => Number(row[2]));
    expect(ratios[0]).toBeGreaterThan(1.6);
    expect(ratios.at(-1)).toBeLessThan(1.02);
    for (const row of retries.slice(-2)) expect(Number(row[4])).toBeCloseTo(1, 1);
  });

  it("are open where bits are looked at one by one: neighbours have other histograms", () => {
    expect(bits[0].slice(2, 7)).toEqual(["0.000", "0.000", "1.000", "0.000", "0.000"]);
    expect(bits[1].slice(2, 7)).not.toEqual(bits[0].slice(2, 7));
  });
});

describe("the ratio that randomised rounding makes", () => {
  it("is below 2 ln M, which is below ε²/4, and near it", () => {
    expect(ratioBound(1)).toBeCloseTo(0.2466, 4);
    expect(ratioBound(2)).toBeCloseTo(0.94895, 5);
    for (const rate of [0.5, 1, 2]) {
      expect(largestRatio(rate)).toBeLessThan(ratioBound(rate));
      expect(largestRatio(rate)).toBeGreaterThan(0.7 * ratioBound(rate));
      expect(ratioBound(rate)).toBeLessThan((rate * rate) / 4);
    }
  });
});

describe("the bounds on randomised rounding", () => {
  it("have the digits of the reference values: A, and the largest A + |B|", () => {
    for (const [exponent, slack, worst] of [
      [1, 0.0041456042741, 0.009054985417],
      [3, 0.0014812895161, 0.0031106963717],
    ]) {
      const found = boundsOf(distances(exponent));
      const sums = found.lower.map((bound, i) => found.slack + Math.abs(found.unrounded[i] - bound));
      expect(found.slack).toBeCloseTo(slack, 12);
      expect(Math.max(...sums)).toBeCloseTo(worst, 12);
    }
  });

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

describe("the law with randomised rounding", () => {
  it("is exact for two outcomes, and without rounding that of the weights", () => {
    const [first, second] = roundedLaw([0, 0.5]);
    expect(first).toBeCloseTo(7 / 12, 8);
    expect(second).toBeCloseTo(5 / 12, 8);
    for (const [i, p] of roundedLaw([0, 1, 2]).entries()) expect(p).toBeCloseTo([4 / 7, 2 / 7, 1 / 7][i], 8);
  });

  it("is the law that is audited", () => {
    const utilities = ["1/4", "3/2", "9/5", "2"];
    const audited = base2ExponentialLaw(utilities, { eta: eta(1, 1, 1), lower: 0, upper: 3 });
    for (const [i, p] of roundedLaw([0.25, 1.5, 1.8, 2]).entries())
      expect(p).toBeCloseTo(audited.get(String(i))!.toNumber("down"), 8);
  });

  it("is between the bounds on a grid, and does not stay there if nothing is rounded", () => {
    const utilities = Array.from({ length: 81 }, (_, i) => Math.abs(i - 40) / 4);
    const { unrounded, lower, slack } = boundsOf(utilities);
    const law = roundedLaw(utilities);
    expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 8);
    const isInside = (p: number, i: number) => p >= lower[i] - 1e-8 && p <= lower[i] + slack + 1e-8;
    expect(law.every(isInside)).toBe(true);
    expect(unrounded.every(isInside)).toBe(false);
  });
});

describe("the Kolmogorov–Smirnov statistic", () => {
  it("is 0 for the same sample in another order, and 1 for samples apart", () => {
    expect(kolmogorovSmirnov([3, 1, 2, 2], [2, 2, 1, 3])).toBe(0);
    expect(kolmogorovSmirnov([1, 2], [3, 4])).toBe(1);
    expect(kolmogorovSmirnov([1, 2, 3, 4], [3, 4, 5, 6])).toBe(0.5);
  });
});
