/**
 * What the precision rules of the paper ask for, and what that costs [Ilv20, Figure 5]. Winnow's sampler has no precision.
 * @module
 */
import type { Section, Settings } from "../experiment.js";
import { lineChart, powersOfTen } from "../line-chart.js";
import { medianTime, milliseconds } from "../stopwatch.js";
import { table } from "../table.js";
import { digitsBy, optimised, type Problem, published } from "./mechanisms.js";

const SIZES = [50, 100, 200, 400, 800];

export function precision({ trials }: Settings): Section {
  const runs = Math.max(1, Math.round(trials / 20));
  const measured = SIZES.map((size) => {
    console.error(`precision rules: ${size} outcomes`);
    const problem: Problem = { utilities: Array.from({ length: size }, (_, i) => i), utilityMax: size };
    const digits = (["analytic", "empirical", "corrected"] as const).map((rule) =>
      String(digitsBy(rule, size, size)),
    );
    const times = [
      () => published(problem, "analytic"),
      () => published(problem, "empirical"),
      () => optimised(problem),
    ].map((run) => medianTime(runs, run));
    return { size, digits, times };
  });
  return {
    title: "Precision rules",
    notes:
      "n outcomes with utilities 0 to n − 1. Digits by the paper's rule (Lemma 3.4), by its search (Algorithm 1), and what suffices; and the time of a draw as published with the first two, and without any precision. The paper finds the search worth its while in Python and not in Rust.",
    table: table(
      [
        "outcomes",
        "rule, digits",
        "search, digits",
        "enough, digits",
        "rule, ms",
        "search, ms",
        "base2Exponential, ms",
      ],
      measured.map(({ size, digits, times }) => [String(size), ...digits, ...times.map(milliseconds)]),
    ),
    chart: {
      name: "precision",
      svg: lineChart(
        { title: "Precision rules", x: "outcomes", y: "milliseconds" },
        SIZES.map(String),
        ["rule", "search", "base2Exponential"].map((name, i) => ({
          name,
          points: measured.map(({ times }) => ({ mean: times[i], deviation: 0 })),
        })),
        powersOfTen(measured.flatMap(({ times }) => times)),
      ),
    },
  };
}
