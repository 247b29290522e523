/**
 * What the precision rules of the paper ask for, and whether the search for a smaller precision is worth its time [Ilv20,
 * Figure 5]. Winnow's sampler has no precision, so the question doesn't arise for it.
 * @module
 */
import type { Section, Settings } from "../experiment.js";
import { lineChart, powersOfTen } from "../line-chart.js";
import { medianTime, milliseconds } from "../stopwatch.js";
import { table } from "../table.js";
import { digitsBy, optimised, type Problem, published, search } from "./mechanisms.js";

const SIZES = [50, 100, 200, 400, 800];

export function precision({ trials }: Settings): Section {
  const runs = Math.max(1, Math.round(trials / 20));
  const measured = SIZES.map((size) => {
    console.error(`precision rules: ${size} outcomes`);
    const problem: Problem = { utilities: Array.from({ length: size }, (_, i) => i), upper: size };
    const digits = (["analytic", "empirical", "corrected"] as const).map((rule) =>
      String(digitsBy(rule, size, size)),
    );
    const times = [
      () => published(problem),
      () => published(problem, { empiricalPrecision: true }),
      () => search(problem),
      () => optimised(problem),
    ].map((run) => medianTime(runs, run));
    return { size, digits, times };
  });
  const [byRule, bySearch] = measured.at(-1)!.times;
  const verdict = bySearch < byRule ? "is worth its time" : "costs more than it saves";
  return {
    title: "[Ilv20, Figure 5] Time by the rule for digits",
    notes: `Generated as in the paper: n outcomes with utilities 0 to n − 1. Digits by the paper's formula [Ilv20, Lemma 3.4] [Ilv20p, Lemma 5.3], by its search [Ilv20, Algorithm 1] [Ilv20p, Lemma 5.2 and Algorithm 3], and what suffices [Ilv20p, Theorem 5.4]. Then the time of the published algorithm in our transcription, from its parameters to an answer: with the formula, and with the search, which is part of that time and also shown alone. The paper finds the search worth its time in Python and not in Rust; in this run, at ${SIZES.at(-1)} outcomes, it ${verdict} (${(bySearch / byRule).toFixed(2)} times the formula's). base2Exponential has no precision to choose.`,
    table: table(
      [
        "outcomes",
        "formula, digits",
        "search, digits",
        "enough, digits",
        "with the formula, ms",
        "with the search, ms",
        "the search alone, ms",
        "base2Exponential, ms",
      ],
      measured.map(({ size, digits, times }) => [String(size), ...digits, ...times.map(milliseconds)]),
    ),
    chart: {
      name: "precision",
      svg: lineChart(
        { title: "[Ilv20, Figure 5] Time by the rule for digits", x: "outcomes", y: "milliseconds" },
        SIZES.map(String),
        ["with the formula", "with the search", "the search alone", "base2Exponential"].map((name, i) => ({
          name,
          points: measured.map(({ times }) => ({ mean: times[i], deviation: 0 })),
        })),
        powersOfTen(measured.flatMap(({ times }) => times)),
      ),
    },
  };
}
