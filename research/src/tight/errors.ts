/**
 * The error of `winnow top` against ε on eight data sets, before and after: the share of the true winners that isn't named, with a public
 * list and δ = 10⁻⁶ on offer. Before, a δ beside a list was refused, and exponential noise for ε alone was the only noise. Now the
 * mechanism is chosen on a true guess: the public counts themselves.
 * @module
 */
import { join } from "node:path";
import { topK } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { choose, mechanismFor, type Question } from "winnow-release";
import {
  casesByDay,
  checkInStandIns,
  type Dataset,
  datasets,
  generatedCases,
  itemCounts,
} from "../datasets.js";
import type { Section } from "../experiment.js";
import { lineChart } from "../line-chart.js";
import { largest, type Spread, spreadOf } from "../statistics.js";
import { table } from "../table.js";

const EPSILONS = [0.01, 0.03, 0.1, 0.3, 1];
const K = 25;

type Counted = Pick<Dataset, "name" | "counts">;

/** Public ones where they are, generated ones always. */
function* eight(folder: string): Generator<Counted> {
  yield* datasets(folder);
  const partial = itemCounts(join(folder, "T40I10D100K_item_counts_PARTIAL_ge1000.csv"));
  if (partial !== undefined) yield { name: "T40I10D100K (counts from 1,000 on)", counts: partial };
  const cases = casesByDay(folder);
  yield {
    name: cases === undefined ? "cases by state (generated)" : "cases by state",
    counts: sumOf(cases ?? generatedCases()),
  };
  yield checkInStandIns()[1] as Dataset;
}

function sumOf(days: readonly Float64Array[]): Float64Array {
  return (days[0] as Float64Array).map((_, state) => days.reduce((sum, day) => sum + (day[state] ?? 0), 0));
}

export function* errorsBySet(folder: string, trials: number): Generator<Section> {
  for (const set of eight(folder)) yield errorsOf(set, trials);
}

function errorsOf({ name, counts }: Counted, trials: number): Section {
  const k = Math.min(K, Math.floor(counts.length / 5));
  const truth = largest(counts, k);
  const least = Math.min(...[...truth].map((index) => counts[index] as number));
  // Equal counts at the end are equally right.
  const errorOf = (found: readonly number[]) =>
    1 - found.filter((index) => (counts[index] as number) >= least).length / k;
  const guess = { counts, origin: "the counts themselves", limits: [], bounded: () => undefined };
  const at = EPSILONS.map((epsilon) => {
    console.error(`${name}: ε = ${epsilon}`);
    const before = spreadOf(trials, (trial) => {
      const entropy = seededEntropy(`${name} ${epsilon} before ${trial}`);
      return errorOf(
        topK(counts, { k, epsilon, monotone: true, entropy }).winners.map(({ candidate }) => candidate),
      );
    });
    const domain = { kind: "integers", below: counts.length } as const;
    const { question } = choose({ k, domain, epsilon, delta: "1e-6", unit: "one person" }, { guess }).chosen;
    const run = runOf(question, counts);
    const after = spreadOf(trials, (trial) =>
      errorOf(run(seededEntropy(`${name} ${epsilon} after ${trial}`)).winners),
    );
    return { epsilon, before, after, mechanism: noiseOf(question) };
  });
  const error = ({ deviation }: Spread) => deviation / Math.sqrt(trials);
  const rows = at.map(({ epsilon, before, after, mechanism }) => {
    const isWorse = after.mean - before.mean > 2 * Math.hypot(error(before), error(after));
    return [
      String(epsilon),
      ...[before, after].map((spread) => `${spread.mean.toFixed(3)} ± ${error(spread).toFixed(3)}`),
      ...[mechanism, isWorse ? "worse" : "no"],
    ];
  });
  const title = `${name}: the share of the true ${k} that isn't named`;
  return {
    title,
    notes: `${counts.length.toLocaleString("en")} candidates on a public list, δ = 10^−6, mean of ${trials} trials with its standard error, people added or removed. Before: exponential noise for ε alone. After: the mechanism that is chosen when the guess is true. The last column says whether it is worse by more than two standard errors.`,
    table: table(["ε", "before", "after", "taken", "worse"], rows),
    chart: {
      name: `error-${name
        .replace(/ \(.*\)/, "")
        .toLowerCase()
        .replace(/[^a-z\d]+/g, "-")
        .replace(/^-|-$/g, "")}`,
      svg: lineChart({ title, x: "ε", y: "not named" }, EPSILONS.map(String), [
        { name: "before: for ε alone", points: at.map(({ before }) => before) },
        { name: "after: chosen", points: at.map(({ after }) => after) },
      ]),
    },
  };
}

/** The mechanism itself, on counts in their own order. */
function runOf(question: Question, counts: Float64Array) {
  const { prepare } = mechanismFor(question);
  if (prepare === undefined) throw new Error("a mechanism that names items has a preparation");
  return prepare(question, counts);
}

function noiseOf({ mechanism, delta }: Question): string {
  return `${mechanism}${delta === undefined ? "" : " (ε, δ)"}`;
}
