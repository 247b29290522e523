/**
 * The results as a Markdown table that also reads well in a terminal, and the page built around it.
 * @module
 */
import type { Picture } from "./growth.js";
import type { Machine } from "./machine.js";
import type { PythonRival } from "./python-rivals.js";
import type { Spread } from "./quartiles.js";
import type { Outcome } from "./race.js";
import type { BitsUsed } from "./random-bits.js";
import { DETAILS, withSummary } from "./summary.js";

export interface Result extends Outcome {
  readonly suite: string;
  readonly name: string;
}

const HEADER = ["work", "against", "goal", "ratio (quartiles)", "time", "rival's time", "allocated"];

/** One row for each rival. */
export function table(results: readonly Result[]): string {
  return aligned(HEADER, results.flatMap(rowsOf));
}

function aligned(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column])].map(width)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => pad(cell, widths[i])).join(" | ")} |`;
  return [
    line(header),
    `|${widths.map((length) => "-".repeat(length + 2)).join("|")}|`,
    ...rows.map(line),
  ].join("\n");
}

/** How many goals there are, and how many were reached. */
export function goals(results: readonly Result[]): { met: number; all: number } {
  const withGoal = results.flatMap(({ rivals }) => rivals).filter(({ goal }) => goal !== undefined);
  return { met: withGoal.filter(isMet).length, all: withGoal.length };
}

/** What the page shows besides the tables of the races. */
export interface Extras {
  readonly pictures: readonly Picture[];
  readonly python: readonly PythonRival[];
}

/** The page docs/benchmarks.md. */
export function page(results: readonly Result[], machine: Machine, { pictures, python }: Extras): string {
  const suites = [...new Set(results.map(({ suite }) => suite))];
  const tables = suites.map((suite) =>
    section(
      suite,
      results.filter((r) => r.suite === suite),
    ),
  );
  const { met, all } = goals(results);
  return withSummary(`${INTRODUCTION}
Measured on ${machine.date}: ${machine.processor}, ${machine.cores} cores, ${machine.system}, Node ${machine.node} (V8 ${machine.v8}). ${met} of ${all} goals met.

${tables.join("\n")}
## Growth

${pictures.map(({ name, alt }) => `![${alt}](./public/${name}.svg)`).join("\n\n")}

## Other languages

${pythonTable(python)}
`);
}

/** A suite in one line, and its table for readers who ask for it. */
function section(suite: string, results: readonly Result[]): string {
  const { met, all } = goals(results);
  const reached = all === 0 ? "no goals" : `${met} of ${all} goals met`;
  return `## ${suite}

<details>
<summary>${counted(results.length, "piece")} of work, ${reached}</summary>

${table(results)}

</details>
`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Wall-clock times of libraries that run in processes of their own. */
export function pythonTable(rivals: readonly PythonRival[]): string {
  if (rivals.length === 0) return "Python, or all of OpenDP, NumPy and diffprivlib, are absent.";
  const header = ["rival", "version", "k", "rival's time", "ours", "our time", "ratio"];
  const rows = rivals.map(({ name, version, k, milliseconds, subject }) => [
    name,
    version,
    String(k),
    `${digits(milliseconds)} ms`,
    subject.name,
    `${digits(subject.milliseconds)} ms`,
    Number((subject.milliseconds / milliseconds).toPrecision(2)).toString(),
  ]);
  return aligned(header, rows);
}

/** Random bits per draw. */
export function bitsTable(samplers: readonly BitsUsed[]): string {
  const header = ["sampler", "entropy", "bits per draw, words of 1 bit", "bits per draw, words of 32 bits"];
  const rows = samplers.map(({ sampler, entropy, single, words }) => [
    sampler,
    ...[entropy, single, words].map(digits),
  ]);
  return aligned(header, rows);
}

const INTRODUCTION = `${DETAILS}
\`npm run bench -- --write\` measures everything and writes this page. \`npm run bench -- laplace\` runs the work with "laplace" in its name, \`--quick\` takes fewer rounds, \`--json\` prints everything for a program, and \`--summary\` writes the summary above again from the tables.

Each ratio is our time divided by the rival's: below 1, Winnow is faster. Both run in one process on the same cryptographic bits, warm, in turn, for many short rounds. The ratio of their processor times is taken within each round, and the table shows its median and quartiles over the rounds. The answers are checked. The rivals are floating-point code as a careful engineer writes it for speed. They are *not* private, however much noise they add: "53 bits" samples uniform doubles as textbooks do, "32 bits" is cheaper. The goals are our own; a ratio that misses its goal is in bold. Allocated memory is that of our work, on the heap and in array buffers. [What takes the time](benchmarks-notes.md) has what other commands measure, and what was tried.
`;

function rowsOf({ name, unit, subject, rivals }: Result): string[][] {
  return rivals.map((rival) => [
    name,
    rival.name,
    rival.goal === undefined ? "" : `${rival.goal} ×`,
    isMet(rival) ? spread(rival.ratio) : `**${spread(rival.ratio)}**`,
    `${digits(subject.nanoseconds)} ns/${unit}`,
    `${digits(rival.nanoseconds)} ns/${unit}`,
    `${digits(subject.bytes)} B/${unit}`,
  ]);
}

function isMet({ goal, ratio }: { goal?: number | undefined; ratio: Spread }): boolean {
  return goal === undefined || ratio.median <= goal;
}

function spread({ lower, median, upper }: Spread): string {
  return `${digits(median)} (${digits(lower)}–${digits(upper)})`;
}

/** Three significant digits, at most three after the point. */
function digits(value: number): string {
  if (Number.isNaN(value)) return "?";
  return value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 1
        ? value.toFixed(2)
        : value.toFixed(3);
}

/** Columns a text takes: all our signs are one wide. */
function width(text: string): number {
  return [...text].length;
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(columns - width(text));
}
