/**
 * Which mechanism finds the true top k where no one has a list of the names: recall by data set, k and ε, beside what a
 * simulation found; how much of a reservation is charged; and charts of recall against ε.
 * @module
 */
import type { Experiment, Section } from "../experiment.js";
import { lineChart } from "../line-chart.js";
import { type Spread, spreadOf } from "../statistics.js";
import { table } from "../table.js";
import { DELTA, type Method, MOST_ITEMS, methodsOn } from "./namings.js";
import { type PeopleItems, peopleItems } from "./people-items.js";
import { COLUMNS, type Column, SIMULATION_ERROR, simulated } from "./simulated.js";

const SIZES = [10, 25, 100];
const EPSILONS = [0.1, 0.3, 1, 3, 10];
/** Those that were simulated. */
const TABLE_EPSILONS = [0.3, 1, 3];

/** What belongs to a column: the better of these on average. */
const KINDS: Readonly<Record<Column, readonly string[]>> = {
  stable: ["stable"],
  "limited, Gumbel": ["limited, Gumbel"],
  "limited, exponential": ["limited, exponential"],
  threshold: ["threshold, Gaussian", "threshold, Laplace"],
  public: ["public, Gumbel", "public, exponential"],
};

interface Found {
  readonly data: string;
  readonly k: number;
  readonly epsilon: number;
  readonly recall: Readonly<Record<Column, Spread>>;
  /** Mean rounds that are charged, by noise. */
  readonly rounds: Readonly<Record<string, number>>;
}

export const unknownDomains: Experiment = function* ({ trials, data }) {
  const found = peopleItems(data).flatMap((set) => onData(set, trials).sort((a, b) => a.k - b.k));
  yield recallTable(found, trials);
  yield roundsTable(found, trials);
  for (const k of SIZES) yield chartFor(k, found, trials);
};

function onData(set: PeopleItems, trials: number): Found[] {
  const methods = methodsOn(set);
  return EPSILONS.flatMap((epsilon) => {
    console.error(`${set.name}: ε = ${epsilon}`);
    const runs = Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [name, runAll(set, name, method, epsilon, trials)]),
    );
    return SIZES.map((k, i): Found => {
      const best = (column: Column) =>
        KINDS[column].map((name) => runs[name][i]).reduce((a, b) => (b.recall.mean > a.recall.mean ? b : a));
      return {
        ...{ data: set.name, k, epsilon },
        recall: Object.fromEntries(
          COLUMNS.map((column) => [column, best(column).recall]),
        ) as unknown as Found["recall"],
        rounds: Object.fromEntries(
          Object.entries(runs).flatMap(([name, one]) => {
            const rounds = one[i].rounds;
            return rounds === undefined ? [] : [[name, rounds]];
          }),
        ),
      };
    });
  });
}

/** Recall and mean rounds for each k. */
function runAll(
  { name: data, counts }: PeopleItems,
  name: string,
  method: Method,
  epsilon: number,
  trials: number,
): { recall: Spread; rounds: number | undefined }[] {
  const answers = Array.from({ length: trials }, (_, trial) =>
    method(epsilon, SIZES, `${data} ${name} ${epsilon} ${trial}`, trial),
  );
  const sorted = [...counts.values()];
  return SIZES.map((k, i) => {
    const least = sorted[Math.min(k, sorted.length) - 1];
    const isTrue = (item: string) => (counts.get(item) ?? 0) >= least; // equal counts are equally right
    const recall = spreadOf(trials, (trial) => answers[trial].names[i].filter(isTrue).length / k);
    const rounds = answers[0].rounds && spreadOf(trials, (trial) => answers[trial].rounds![i]).mean;
    return { recall, rounds };
  });
}

function recallTable(found: readonly Found[], trials: number): Section {
  let [compared, within] = [0, 0];
  const rows = found
    .filter(({ epsilon }) => TABLE_EPSILONS.includes(epsilon))
    .map(({ data, k, epsilon, recall }) => [
      ...[data, String(k), String(epsilon)],
      ...COLUMNS.map((column) => {
        const { mean, deviation } = recall[column];
        const before = simulated(data, k, epsilon, column);
        if (before === undefined) return mean.toFixed(3);
        const error = SIMULATION_ERROR + (2 * deviation) / Math.sqrt(trials);
        const isWithin = Math.abs(mean - before) <= error;
        compared++;
        if (isWithin) within++;
        const off = (mean - before)
          .toFixed(2)
          .replace(/^-0\.00$/, "0.00")
          .replace("-", "−");
        return `${mean.toFixed(3)} (${off}${isWithin ? "" : ", outside"})`;
      }),
    ]);
  return {
    title: "Names without a list: recall of the true top k",
    notes: `Mean of ${trials} trials, δ = ${DELTA}, one person more or less; equal counts are equally right. Limited: of the max(1000, 10k) largest counts. Threshold: each person cut to ${MOST_ITEMS} items, the k largest of what is published, the better of Gaussian and bounded Laplace noise. Public: the list of names is given, the better of Gumbel and exponential noise. In brackets the difference from a simulation with floating-point noise, and "outside" if it is more than that simulation's error of ${SIMULATION_ERROR} and two standard errors of ours: ${within} of ${compared} are within.`,
    table: table(["data", "k", "ε", ...COLUMNS], rows),
  };
}

function roundsTable(found: readonly Found[], trials: number): Section {
  const noises = Object.keys(found[0].rounds);
  const rows = found
    .filter(({ epsilon }) => TABLE_EPSILONS.includes(epsilon))
    .map(({ data, k, epsilon, rounds }) => [
      ...[data, String(k), String(epsilon)],
      ...noises.map((noise) => `${rounds[noise].toFixed(1)} (${((100 * rounds[noise]) / k).toFixed(0)} %)`),
    ]);
  return {
    title: "Pay for what you get: rounds that are charged",
    notes: `Mean rounds of ${trials} trials, one for each name and one for the ⊥ that ended the list, and their share of the k rounds that are reserved.`,
    table: table(["data", "k", "ε", ...noises], rows),
  };
}

/** The mean over the data sets; those that are not public only where there are no others. */
function chartFor(k: number, found: readonly Found[], trials: number): Section {
  const known = found.filter(({ data }) => simulated(data, k, 1, "stable") !== undefined);
  const shown = (known.length > 0 ? known : found).filter((one) => one.k === k);
  const sets = [...new Set(shown.map(({ data }) => data))];
  const names: Readonly<Record<string, Column>> = {
    "stable set": "stable",
    "limited domain": "limited, Gumbel",
    threshold: "threshold",
    "public list": "public",
  };
  const series = Object.entries(names).map(([name, column]) => ({
    name,
    points: EPSILONS.map((epsilon) => {
      const at = shown.filter((one) => one.epsilon === epsilon).map(({ recall }) => recall[column]);
      return { mean: at.reduce((sum, { mean }) => sum + mean, 0) / at.length, deviation: 0 };
    }),
  }));
  const title = `Recall of the true top ${k}, δ = 10^−6, mean over ${sets.join(", ")}`;
  return {
    title,
    notes: `Mean of ${trials} trials on each data set; the threshold cuts each person to ${MOST_ITEMS} items.`,
    table: table(
      ["method", ...EPSILONS.map((epsilon) => `ε ${epsilon}`)],
      series.map(({ name, points }) => [name, ...points.map(({ mean }) => mean.toFixed(3))]),
    ),
    chart: {
      name: `recall-${k}`,
      svg: lineChart({ title, x: "ε", y: "recall" }, EPSILONS.map(String), series),
    },
  };
}
