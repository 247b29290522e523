/**
 * Time against the range of utilities, for 1000 outcomes: utility 0 and n, n + 1, … [Ilv20, Figure 6].
 * @module
 */
import type { Section, Settings } from "../experiment.js";
import { medianTime } from "../stopwatch.js";
import { constantWork, naive, optimised, type Problem, published } from "./mechanisms.js";
import { type Times, timesSection } from "./times-chart.js";

const OUTCOMES = 1000;
const RANGES = [0, 1000, 2000, 4000, 8000];

export function utilityRanges({ trials }: Settings): Section {
  const measure = (name: string, run: (problem: Problem) => unknown): Times => {
    console.error(`utility ranges: ${name}`);
    const runs = Math.max(1, Math.round(trials / 20));
    return { name, values: RANGES.map((range) => medianTime(runs, () => run(shifted(range)))) };
  };
  return timesSection(
    {
      title: "[Ilv20, Figure 6] Time by the range of utilities",
      notes: `Generated as in the paper: ${OUTCOMES} outcomes, one of utility 0 and the others from n on. The paper finds the time of its algorithm linear in n, the cost of more digits; "published" is that algorithm in our transcription. Ours, optimised, looks at far utilities only when it must. The naive weights are all zero but one from n = 1075 on.`,
      file: "utility-ranges",
      size: "n",
    },
    RANGES.map(String),
    [
      measure("published", published),
      measure("published, early stop", (problem) => published(problem, { optimise: true })),
      measure("ours, optimised", optimised),
      measure("ours, constant work", constantWork),
      measure("naive float (unsafe)", naive),
    ],
  );
}

function shifted(range: number): Problem {
  const utilities = [0, ...Array.from({ length: OUTCOMES - 1 }, (_, i) => i + range)];
  return { utilities, upper: OUTCOMES + range };
}
