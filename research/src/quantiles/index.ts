/**
 * Quantiles at equal ε: `quantile` and `quantiles` beside the floating-point versions of Python's libraries, on real columns and generated
 * incomes. The error is in ranks: how many people are between the answer and the quantile.
 * @module
 */
import { type Entropy, quantile, quantiles } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import type { Experiment, Section } from "../experiment.js";
import { spreadOf } from "../statistics.js";
import { median, milliseconds } from "../stopwatch.js";
import { table } from "../table.js";
import { type Column, columns } from "./columns.js";
import { type PythonAnswers, pythonQuantiles } from "./python-quantiles.js";

interface Question {
  readonly ps: readonly number[];
  readonly epsilon: number;
}

const QUESTIONS: readonly Question[] = [
  { ps: [0.5], epsilon: 0.1 },
  { ps: [0.5], epsilon: 1 },
  { ps: [0.9], epsilon: 0.1 },
  { ps: [0.9], epsilon: 1 },
  { ps: [0.1, 0.25, 0.5, 0.75, 0.9], epsilon: 1 },
];

/** The others take a hundred times as long. */
const RIVAL_TRIALS = 10;

/** How far p·n is from the ranks that a value covers, in people. */
export function rankDistance(sorted: Float64Array, p: number, value: number): number {
  const goal = p * sorted.length;
  return Math.max(0, goal - countUpTo(sorted, value), countBelow(sorted, value) - goal);
}

function countBelow(sorted: Float64Array, value: number): number {
  return firstThat(sorted, (one) => one >= value);
}

function countUpTo(sorted: Float64Array, value: number): number {
  return firstThat(sorted, (one) => one > value);
}

/** The first place of which this is true, as it is of all that follow. */
function firstThat(sorted: Float64Array, isTrue: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(sorted[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

function ours({ values, lower, upper }: Column, { ps, epsilon }: Question, entropy: Entropy): number[] {
  const settings = { lower, upper, epsilon, entropy };
  if (ps.length === 1) return [quantile(values, { ...settings, quantile: ps[0] }).value.toNumber()];
  const answer = quantiles(values, { ...settings, quantiles: ps, atMost: values.length });
  return answer.values.map((value) => value.toNumber());
}

function runOurs(column: Column, question: Question, trials: number): PythonAnswers {
  const entropy = seededEntropy(`${column.name} ${question.ps} ${question.epsilon}`);
  const times: number[] = [];
  const answers = Array.from({ length: trials }, () => {
    const start = performance.now();
    const answer = ours(column, question, entropy);
    times.push(performance.now() - start);
    return answer;
  });
  return { name: question.ps.length === 1 ? "quantile" : "quantiles", answers, milliseconds: median(times) };
}

function sectionOf(column: Column, trials: number): Section {
  const sorted = column.values.toSorted();
  const rivals = new Set<string>();
  const rows = QUESTIONS.flatMap((question) => {
    console.error(`${column.name}: p = ${question.ps.join(", ")}, ε = ${question.epsilon}`);
    const theirs = pythonQuantiles(column, question.ps, question.epsilon, Math.min(trials, RIVAL_TRIALS));
    for (const { name } of theirs) rivals.add(name);
    return [runOurs(column, question, trials), ...theirs].map(
      ({ name, failed, answers, milliseconds: time }) => {
        const asked = `p = ${question.ps.join(", ")}; ε = ${question.epsilon}`;
        if (failed !== undefined) return [asked, name, `failed: ${failed}`, "", ""];
        const errors = spreadOf(answers.length, (run) => {
          const distances = question.ps.map((p, i) => rankDistance(sorted, p, Math.round(answers[run][i])));
          return distances.reduce((sum, one) => sum + one, 0) / distances.length;
        });
        return [
          asked,
          name,
          `${errors.mean.toFixed(1)} ± ${errors.deviation.toFixed(1)}`,
          `${((100 * errors.mean) / sorted.length).toFixed(3)} %`,
          milliseconds(time),
        ];
      },
    );
  });
  const absent =
    "Python's diffprivlib and OpenDP are not installed here (PYTHON names the interpreter that has them). ";
  return {
    title: `Quantiles of ${column.name}`,
    notes: `${column.values.length.toLocaleString("en")} values from ${column.lower} to ${column.upper}, one a person, ${trials} trials (${RIVAL_TRIALS} at most for the others). Mean distance in people between the ranks that an answer covers and p·n, its standard deviation, the same as a share of all people, and the median time of an answer; ε is for all quantiles of a question together. ${rivals.size === 0 ? absent : "diffprivlib's ε is for a person who is replaced and takes the number of people for public; OpenDP's and ours are for one who is added or removed, whose number stays private. Both others compute in floating point; their answers are rounded to whole numbers, as the values are; OpenDP is given its candidates as a list. "}Times include sorting.`,
    table: table(["question", "library", "ranks off", "share", "ms"], rows),
  };
}

export const quantileComparison: Experiment = function* ({ trials, data }) {
  for (const column of columns(data)) yield sectionOf(column, trials);
};
