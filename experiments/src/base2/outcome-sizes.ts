/**
 * Time against the number of outcomes: n outcomes with utilities 0, …, n − 1 [Ilv20, Figure 4].
 * @module
 */
import type { Section, Settings } from "../experiment.js";
import { medianTime } from "../stopwatch.js";
import { constantWork, naive, optimised, type Problem } from "./mechanisms.js";
import { type Times, timesSection } from "./times-chart.js";

const SIZES = [100, 1000, 10_000, 25_000, 50_000, 75_000];
/** Constant work does big-integer work for every outcome and every bit of its precision. */
const MOST_CONSTANT_WORK = 1000;

export function outcomeSizes({ trials }: Settings): Section {
  const measure = (name: string, run: (problem: Problem) => unknown, most = Infinity): Times => {
    console.error(`outcome sizes: ${name}`);
    const values = SIZES.map((size) =>
      size > most ? undefined : medianTime(Math.max(1, Math.round(trials / 10)), () => run(counting(size))),
    );
    return { name, values };
  };
  return timesSection(
    {
      title: "Outcome sizes",
      notes:
        "n outcomes with utilities 0 to n − 1. The paper reports about 10 seconds for n = 75,000 in Rust, and that the naive base-e version is orders of magnitude faster there.",
      file: "outcome-sizes",
      size: "outcomes",
    },
    SIZES.map(String),
    [
      measure("exact, optimised", optimised),
      measure("exact, constant work", constantWork, MOST_CONSTANT_WORK),
      measure("naive float (unsafe)", naive),
    ],
  );
}

function counting(size: number): Problem {
  return { utilities: Array.from({ length: size }, (_, i) => i), utilityMax: size };
}
