/**
 * The Laplace mechanism by the exponential one on a grid between −10 and 10 [Ilv20, Figures 7 and 8]: time against the
 * granularity, and the distribution against that of ideal Laplace noise on the same grid.
 * @module
 */

import { naiveExponentialMechanism } from "winnow-audit";
import { base2Exponential, clampedLaplace, eta, systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { barChart } from "../bar-chart.js";
import type { Section, Settings } from "../experiment.js";
import { medianTime } from "../stopwatch.js";
import { table } from "../table.js";
import { constantWork, digitsBy, optimised, published } from "./mechanisms.js";
import { timesSection } from "./times-chart.js";

const ETA = eta(1, 1, 1);
const EPSILON = 2 * Math.LN2;
const BOUND = 10;
const EXPONENTS = [2, 4, 6, 8];
const SAMPLES = 6000;

export function laplaceTimes({ trials }: Settings): Section {
  const runs = Math.max(1, Math.round(trials / 5));
  const measure = (name: string, run: (exponent: number) => unknown) => {
    console.error(`Laplace: ${name}`);
    return { name, values: EXPONENTS.map((exponent) => medianTime(runs, () => run(exponent))) };
  };
  return timesSection(
    {
      title: "[Ilv20, Figure 7a] Laplace noise by the exponential mechanism, time by granularity",
      notes:
        "Generated as in the paper, with our mechanisms: distances from 0 on the grid of 2^−g between −10 and 10 as utilities. clampedLaplace draws the same kind of noise without listing the grid; the paper lists it, and finds exact and naive in Python alike.",
      file: "laplace",
      size: "granularity 2^−g, g",
    },
    EXPONENTS.map(String),
    [
      measure("base2Exponential", (exponent) => {
        const options = {
          eta: ETA,
          lower: 0,
          upper: BOUND,
          maxCandidates: 2 * BOUND * 2 ** exponent + 1,
          mode: "optimised",
        } as const;
        return base2Exponential(grid(exponent), Math.abs, options);
      }),
      measure("clampedLaplace", (exponent) =>
        clampedLaplace(0, { eta: ETA, lower: -BOUND, upper: BOUND, step: `1/${2 ** exponent}` }),
      ),
      measure("naive float (unsafe)", (exponent) =>
        naiveExponentialMechanism(grid(exponent).map(Math.abs), EPSILON, systemEntropy()),
      ),
    ],
  );
}

const RULED = [1, 2, 3, 4, 5, 6];

/** Times with the digits of either rule [Ilv20, Figure 7b]. */
export function laplacePrecision({ trials }: Settings): Section {
  const runs = Math.max(1, Math.round(trials / 50));
  const problem = (exponent: number) => ({ utilities: grid(exponent).map(Math.abs), upper: BOUND });
  const digits = (rule: "analytic" | "empirical") =>
    RULED.map((exponent) => Number(digitsBy(rule, grid(exponent).length, BOUND)));
  const measure = (name: string, run: (exponent: number) => unknown) => {
    console.error(`Laplace by precision rules: ${name}`);
    return { name, values: RULED.map((exponent) => medianTime(runs, () => run(exponent))) };
  };
  const [rule, search] = [digits("analytic"), digits("empirical")];
  const byRule = measure("rule", (exponent) => published(problem(exponent)));
  const bySearch = measure("search", (exponent) =>
    published(problem(exponent), { empiricalPrecision: true }),
  );
  const gain = byRule.values.at(-1)! / bySearch.values.at(-1)!;
  return timesSection(
    {
      title: "[Ilv20, Figure 7b] Laplace noise by the published algorithm, time by the rule for digits",
      notes: `From ${grid(RULED[0]).length} to ${grid(RULED.at(-1)!).length} outcomes with utilities up to ${BOUND}. Lemma 3.4 asks for ${rule.join(", ")} digits, the search of Algorithm 1 for ${search.join(", ")}; base2Exponential has no precision. The rule adds a digit for every outcome; at the finest grid the published algorithm with the search, which is part of the time, takes ${gain.toFixed(1)} times less here. In the paper's Figure 7b the search wins, in Python and in Rust.`,
      file: "laplace-precision",
      size: "granularity 2^−g, g",
    },
    RULED.map(String),
    [
      byRule,
      bySearch,
      measure("base2Exponential", (exponent) => optimised(problem(exponent))),
      measure("constant work", (exponent) => constantWork(problem(exponent))),
    ],
  );
}

function grid(exponent: number): number[] {
  const steps = BOUND * 2 ** exponent;
  return Array.from({ length: 2 * steps + 1 }, (_, i) => (i - steps) / 2 ** exponent);
}

/** The Kolmogorov–Smirnov statistic between two samples. */
export function kolmogorovSmirnov(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [first, second].map((sample) => sample.toSorted((x, y) => x - y));
  let [i, j, widest] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i], b[j]);
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    widest = Math.max(widest, Math.abs(i / a.length - j / b.length));
  }
  return widest;
}

export function laplaceDistribution(): Section {
  const outcomes = Array.from({ length: 201 }, (_, i) => (i - 100) / 16);
  const exact = seededEntropy("randomised rounding");
  const float = seededEntropy("naive");
  const options = {
    eta: ETA,
    lower: 0,
    upper: 7,
    maxCandidates: outcomes.length,
    mode: "optimised",
    entropy: exact,
  } as const;
  const rounded = Array.from(
    { length: SAMPLES },
    () => base2Exponential(outcomes, Math.abs, options).outcome,
  );
  const distances = outcomes.map(Math.abs);
  const naive = Array.from(
    { length: SAMPLES },
    () => outcomes[naiveExponentialMechanism(distances, EPSILON, float)],
  );
  const moments = (sample: readonly number[]) => [
    mean(sample).toFixed(3),
    mean(sample.map(Math.abs)).toFixed(3),
    Math.sqrt(mean(sample.map((value) => value * value))).toFixed(3),
  ];
  return {
    title: "[Ilv20, Figure 8] The distribution with randomised rounding",
    notes: `${SAMPLES} draws each, ε = 2 ln 2, grid 2^−4, 100 points on either side. Kolmogorov–Smirnov statistic ${kolmogorovSmirnov(rounded, naive).toFixed(3)}; the paper has 0.02 [Ilv20, Figure 8].`,
    table: table(
      ["mechanism", "mean", "mean distance", "root mean square"],
      [
        ["base2Exponential", ...moments(rounded)],
        ["naive float (unsafe)", ...moments(naive)],
      ],
    ),
    chart: {
      name: "laplace-distribution",
      svg: barChart(
        { title: "[Ilv20, Figure 8] Draws with and without randomised rounding", x: "outcome", y: "draws" },
        BINS.map(String),
        [
          { name: "base2Exponential", values: binned(rounded) },
          { name: "naive float (unsafe)", values: binned(naive) },
        ],
      ),
    },
  };
}

const BINS = Array.from({ length: 17 }, (_, i) => (i - 8) / 2);

/** How many are within 1/4 of each bin's middle; on the grid a border belongs to the bin above. */
function binned(sample: readonly number[]): number[] {
  return BINS.map((middle) => sample.filter((x) => x >= middle - 0.25 && x < middle + 0.25).length);
}

function mean(sample: readonly number[]): number {
  return sample.reduce((sum, value) => sum + value, 0) / sample.length;
}
