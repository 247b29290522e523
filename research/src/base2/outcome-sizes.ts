/**
 * Time against the number of outcomes: n outcomes with utilities 0, …, n − 1 [Ilv20, Figure 4].
 * @module
 */
import type { Section, Settings } from "../experiment.js";
import { medianTime } from "../stopwatch.js";
import { bitByBit, constantWork, naive, optimised, type Problem, published } from "./mechanisms.js";
import { type Times, timesSection } from "./times-chart.js";

const SIZES = [100, 1000, 10_000, 25_000, 50_000, 75_000];
/** These do big-integer work for every outcome and every bit of its precision, and take seconds beyond. */
const MOST_BIG_INTEGERS = 1000;

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
      title: "[Ilv20, Figure 4] Time by the number of outcomes",
      notes: `Generated as in the paper: n outcomes with utilities 0 to n − 1. The configurations are those of [Ilv20, Table 1], in one language. "Published" is the paper's algorithm [Ilv20, Algorithm 3] as it was programmed [Ilv20p, Algorithms 1 and 2], in our transcription, which computes with big integers and was run up to n = ${MOST_BIG_INTEGERS}; "ours" is base2Exponential, another algorithm for the same law. The paper reports about 10 seconds for n = 75,000 in Rust, and that the naive base-e version is orders of magnitude faster there.`,
      file: "outcome-sizes",
      size: "outcomes",
    },
    SIZES.map(String),
    [
      measure("published", published, MOST_BIG_INTEGERS),
      measure(
        "published, early stop",
        (problem) => published(problem, { optimise: true }),
        MOST_BIG_INTEGERS,
      ),
      measure("published, bit by bit", bitByBit, MOST_BIG_INTEGERS),
      measure("ours, optimised", optimised),
      measure("ours, constant work", constantWork, MOST_BIG_INTEGERS),
      measure("naive float (unsafe)", naive),
    ],
  );
}

function counting(size: number): Problem {
  return { utilities: Array.from({ length: size }, (_, i) => i), upper: size };
}
