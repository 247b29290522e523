/**
 * The opening of the page: what the tables below it say, on one screen, with a picture. It is made from the tables as they
 * are written on the page, so the two cannot disagree; `npm run bench -- --summary` makes it again without measuring.
 * @module
 */

export interface Row {
  readonly suite: string;
  readonly work: string;
  readonly rival: string;
  readonly goal: number | undefined;
  /** Our time divided by the rival's. */
  readonly ratio: { readonly lower: number; readonly median: number; readonly upper: number };
  /** In nanoseconds, each per `unit`. */
  readonly ours: number;
  readonly theirs: number;
  readonly unit: string;
}

export interface Headline {
  readonly name: string;
  readonly work: string;
  readonly rival: string;
}

/** What a reader asks first: noise, selections of several sizes, and where Winnow is slower. */
export const HEADLINES: readonly Headline[] = [
  ["Laplace noise", "discreteLaplace, scale 10, one by one", "float, 53 bits"],
  ["Gaussian noise", "discreteGaussian, σ 10, one by one", "Box–Muller, 53 bits"],
  ["Top 100 of 1,000", "topKWithGap, Zipf shuffled, n = 1,000, k = 100", "float top-k with gap, 53 bits"],
  ["Top 25 of 41,270", "topKWithGap, Zipf shuffled, n = 41,270, k = 25", "float top-k with gap, 53 bits"],
  ["Top 800 of 41,270", "topKWithGap, Zipf shuffled, n = 41,270, k = 800", "float top-k with gap, 53 bits"],
  [
    "Top 100 of 10 million",
    "topKWithGap, Zipf shuffled, n = 10,000,000, k = 100",
    "float top-k with gap, 53 bits",
  ],
  [
    "One of 75,000, base 2",
    "base2Exponential, 75,000 outcomes, whole costs, η (1023, 10, 1)",
    "float softmax",
  ],
  [
    "Names of 1 million",
    "selectPartitions, optimal, 1,000,000 names, Zipf shuffled",
    "float Laplace noise and a threshold, 53 bits",
  ],
  ["Median of 10 million", "quantile, 10,000,000 values on 10^9 points", "sorting"],
  [
    "CSV of 10 million rows",
    "winnow top, 10,000,000 rows of CSV, Zipf, 100,000 items, 1,000,000 users, no field quoted",
    "GROUP BY, each line on its own",
  ],
  [
    "First call, 1,000 scores",
    "import and first call of topKWithGap in a fresh process, n = 1,000, k = 10",
    "float top-k with gap, 53 bits",
  ],
].map(([name, work, rival]) => ({ name, work, rival }));

const TABLE_ROW =
  /^\| (?<work>.+?) +\| (?<rival>.+?) +\| (?:(?<goal>[\d.]+) ×)? *\| (?:\*\*)?(?<median>[\d.]+) \((?<lower>[\d.]+)–(?<upper>[\d.]+)\)(?:\*\*)? +\| (?<ours>[\d.]+) ns\/(?<unit>\S+) +\| (?<theirs>[\d.]+) ns\//;

/** The rows of the tables of races on a page. */
export function rowsIn(page: string): Row[] {
  return page.split(/^## /m).flatMap((section) => {
    const [suite, ...lines] = section.split("\n");
    return lines.flatMap((line) => {
      const cells = TABLE_ROW.exec(line)?.groups;
      if (cells === undefined) return [];
      const { work, rival, goal, unit } = cells;
      const [lower, median, upper, ours, theirs] = ["lower", "median", "upper", "ours", "theirs"].map(
        (name) => Number(cells[name]),
      );
      const ratio = { lower, median, upper };
      return [{ suite, work, rival, goal: goal ? Number(goal) : undefined, ratio, ours, theirs, unit }];
    });
  });
}

interface Shown extends Row {
  readonly name: string;
}

function headlinesIn(rows: readonly Row[]): Shown[] {
  return HEADLINES.flatMap(({ name, work, rival }) => {
    const row = rows.find((one) => one.work === work && one.rival === rival);
    return row === undefined ? [] : [{ ...row, name }];
  });
}

const TITLE = "# Benchmarks\n";
/** The heading after the summary. */
export const DETAILS = "## How it is measured\n";
export const PICTURE = "figures/benchmarks.svg";

/** The page with its summary made from its own tables; `rest` starts with `DETAILS`. */
export function withSummary(rest: string): string {
  const rows = rowsIn(rest);
  const shown = headlinesIn(rows);
  const inFloats = rows.filter(({ rival }) => /53 bits|softmax/.test(rival));
  const faster = inFloats.filter(({ ratio }) => ratio.median < 1);
  const withGoal = rows.filter(({ goal }) => goal !== undefined);
  const missed = withGoal.filter(({ goal, ratio }) => ratio.median > goal!);
  const [, machine] = /^(Measured on .*?\.) \d+ of \d+ goals met\.$/m.exec(rest) ?? [];
  const python = [...rest.matchAll(PYTHON_ROW)].map(({ groups }) => groups!);
  return `${TITLE}
Exact sampling doesn't have to be slow. This page compares Winnow with floating-point code written for speed, which is *not* private, and with the plain work that a question needs anyway, such as sorting or a \`GROUP BY\`.${machine === undefined ? "" : ` ${machine}`}

![How many times faster or slower than its rival each piece of work is](./public/${PICTURE})

| work | Winnow | rival | rival's time | Winnow is |
|---|---|---|---|---|
${shown.map((row) => `| ${row.name} | ${time(row.ours, row.unit)} | ${row.rival.replace(/, 53 bits$/, "")} | ${time(row.theirs, row.unit)} | ${speed(row.ratio.median)} |`).join("\n")}

- Winnow is faster in ${faster.length} of ${inFloats.length} comparisons with floating-point code.
- ${withGoal.length - missed.length} of ${withGoal.length} goals are met. The missed ones are in ${listed([...new Set(missed.map(({ suite }) => suite))])}, in bold in the tables.
${python.map(({ rival, k, theirs, name, ours }) => `- ${rival}, k = ${k}: ${theirs}. \`${name}\`: ${ours}.\n`).join("")}
${rest}`;
}

/** The page as it was written before: the same details under a new summary. */
export function summarised(page: string): string {
  return withSummary(page.slice(page.indexOf(DETAILS)));
}

/** Rivals in Python that are private, as `pythonTable` writes them. */
const PYTHON_ROW =
  /^\| (?<rival>(?:OpenDP|diffprivlib), [^|]*?) +\| [\d.]+ +\| (?<k>\d+) +\| (?<theirs>[\d.]+ ms) +\| (?<name>\w+) +\| (?<ours>[\d.]+ ms) +\|/gm;

function time(nanoseconds: number, unit: string): string {
  const [value, name] =
    nanoseconds < 1e3
      ? [nanoseconds, "ns"]
      : nanoseconds < 1e6
        ? [nanoseconds / 1e3, "µs"]
        : [nanoseconds / 1e6, "ms"];
  return `${Number(value.toPrecision(2))} ${name} per ${unit}`;
}

/** "2.0 × faster", "1.6 × slower". */
export function speed(ratio: number): string {
  const times = ratio < 1 ? 1 / ratio : ratio;
  const shown = times < 10 ? times.toFixed(1) : times.toFixed(0);
  if (shown === "1.0") return "as fast";
  return `${shown} × ${ratio < 1 ? "faster" : "slower"}`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const WIDTH = 600;
const LINE = 30;
const PLOT = { left: 182, right: 488, top: 62 };
const [LOW, HIGH] = [0.02, 8];
const TICKS: readonly [number, string][] = [
  [1 / 30, "30 ×"],
  [0.1, "10 ×"],
  [1 / 3, "3 ×"],
  [1, "equal"],
  [3, "3 ×"],
];

/** The headlines as dots on a scale of ratios, with their quartiles. Drawn on white, like all figures. */
export function summaryPicture(page: string): string {
  const shown = headlinesIn(rowsIn(page));
  const bottom = PLOT.top + LINE * shown.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 16}" font-family="sans-serif" font-size="14" role="img">`,
    "<title>Winnow's speed against its rivals</title>",
    `<rect width="${WIDTH}" height="${bottom + 16}" fill="white"/>`,
    `<rect x="${PLOT.left}" y="${PLOT.top - 8}" width="${(at(1) - PLOT.left).toFixed(1)}" height="${bottom - PLOT.top + 8}" fill="#e8f3ec"/>`,
    text(PLOT.left, 22, "Winnow is faster", 'font-weight="bold" fill="#1f6b3a"'),
    text(PLOT.right, 22, "slower", 'font-weight="bold" fill="#a34700" text-anchor="end"'),
    ...TICKS.map(([ratio, name]) => tick(at(ratio), name, bottom)),
    ...shown.map((row, i) => dot(row, PLOT.top + LINE * (i + 0.5))),
    "</svg>\n",
  ].join("\n");
}

function at(ratio: number): number {
  const share = Math.log(Math.min(Math.max(ratio, LOW), HIGH) / LOW) / Math.log(HIGH / LOW);
  return PLOT.left + (PLOT.right - PLOT.left) * share;
}

function tick(x: number, name: string, bottom: number): string {
  const line = `<path stroke="${name === "equal" ? "#555" : "#ccc"}" d="M${x.toFixed(1)} ${PLOT.top - 8}V${bottom}"/>`;
  return line + text(x, PLOT.top - 16, name, 'text-anchor="middle" font-size="12" fill="#444"');
}

function dot({ name, ratio }: Shown, y: number): string {
  const colour = ratio.median < 1 ? "#1f6b3a" : "#a34700";
  const spread = `<path stroke="${colour}" stroke-width="3" d="M${at(ratio.lower).toFixed(1)} ${y}H${at(ratio.upper).toFixed(1)}"/>`;
  const mark = `<circle fill="${colour}" cx="${at(ratio.median).toFixed(1)}" cy="${y}" r="5"/>`;
  return `${text(PLOT.left - 12, y + 4, name, 'text-anchor="end"')}${spread}${mark}${text(PLOT.right + 12, y + 4, speed(ratio.median), `fill="${colour}"`)}`;
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${content}</text>`;
}
