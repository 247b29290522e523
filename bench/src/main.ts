/**
 * `npm run bench`: races Winnow against float code and writes the table on standard output, its
 * progress on standard error.
 *
 *     npm run bench                      everything
 *     npm run bench -- laplace gaussian  what has one of the words in its suite or name
 *     npm run bench -- --quick           a short look
 *     npm run bench -- --json            everything measured, for a program
 *     npm run bench -- --write           everything, into docs/benchmarks.md and its pictures
 *     npm run bench -- --python          only rivals in Python, as far as they are installed
 *     npm run bench -- --summary         only the opening of docs/benchmarks.md and its picture, from the tables of the page
 *     npm run bench -- --bits            only the random bits that samplers use, with the entropy of their laws
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { growthCharts } from "./growth.js";
import { machine } from "./machine.js";
import { pythonRivals } from "./python-rivals.js";
import { type Pace, run } from "./race.js";
import { bitsUsed } from "./random-bits.js";
import { bitsTable, goals, page, pythonTable, type Result, table } from "./report.js";
import type { Suite, Work } from "./suite.js";
import { adaptive } from "./suites/adaptive.js";
import { base2 } from "./suites/base2.js";
import { cold } from "./suites/cold.js";
import { control } from "./suites/control.js";
import { imports } from "./suites/import.js";
import { noise } from "./suites/noise.js";
import { partition } from "./suites/partition.js";
import { quantileSuite } from "./suites/quantile.js";
import { sample } from "./suites/sample.js";
import { select } from "./suites/select.js";
import { threshold } from "./suites/threshold.js";
import { top } from "./suites/top.js";
import { unknown } from "./suites/unknown.js";
import { workers } from "./suites/workers.js";
import { PICTURE, summarised, summaryPicture } from "./summary.js";

const SUITES: readonly Suite[] = [
  ...[control, imports, cold, sample, select, base2, adaptive],
  ...[unknown, noise, threshold, quantileSuite, partition, workers, top],
];
const THOROUGH: Pace = { rounds: 41, milliseconds: 10 };
const QUICK: Pace = { rounds: 7, milliseconds: 4 };
const PAGE = new URL("../../docs/benchmarks.md", import.meta.url);
const PICTURES = new URL("../../docs/public/", import.meta.url);
const PYTHON_RUNS = 5;

interface Chosen {
  readonly suite: string;
  readonly work: Work;
}

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean" },
    json: { type: "boolean" },
    write: { type: "boolean" },
    python: { type: "boolean" },
    bits: { type: "boolean" },
    summary: { type: "boolean" },
  },
});
if (options.write && (options.quick || words.length > 0)) {
  console.error("--write measures everything thoroughly: leave out --quick and the words");
  process.exit(2);
}
if (options.python) {
  console.log(pythonTable(pythonRivals(PYTHON_RUNS)));
  process.exit(0);
}
if (options.bits) {
  console.log(bitsTable(bitsUsed()));
  process.exit(0);
}
if (options.summary) {
  writePage(summarised(readFileSync(PAGE, "utf8")));
  process.exit(0);
}
const chosen = choose(words);
if (chosen.length === 0) {
  console.error(`nothing has "${words.join('" or "')}" in its name`);
  process.exit(2);
}
const results = await runAll(chosen, options.quick ? QUICK : THOROUGH);
console.log(options.json ? JSON.stringify({ machine: machine(), results }, null, 2) : table(results));
if (options.write) write(results);
const { met, all } = goals(results);
console.error(`${met} of ${all} goals met`);

/** The page and its pictures. */
function write(results: readonly Result[]): void {
  const pictures = growthCharts(results);
  mkdirSync(PICTURES, { recursive: true });
  for (const { name, svg } of pictures) writeFileSync(new URL(`${name}.svg`, PICTURES), svg);
  console.error("rivals in Python");
  const python = pythonRivals(PYTHON_RUNS);
  writePage(page(results, machine(), { pictures, python }));
}

/** The page with the picture of its summary. */
function writePage(text: string): void {
  writeFileSync(PAGE, text);
  writeFileSync(new URL(PICTURE, PICTURES), summaryPicture(text));
}

function choose(words: readonly string[]): Chosen[] {
  const matches = (text: string) =>
    words.length === 0 || words.some((word) => text.includes(word.toLowerCase()));
  return SUITES.flatMap((suite) =>
    suite.works
      .filter((work) => matches(`${suite.name} ${work.name}`.toLowerCase()))
      .map((work) => ({ suite: suite.name, work })),
  );
}

async function runAll(chosen: readonly Chosen[], pace: Pace): Promise<Result[]> {
  const results: Result[] = [];
  for (const [i, { suite, work }] of chosen.entries()) {
    console.error(`[${i + 1}/${chosen.length}] ${suite}: ${work.name}`);
    const outcome = "measure" in work ? await work.measure(pace === QUICK) : await run(work.prepare(), pace);
    results.push({ suite, name: work.name, ...outcome });
  }
  return results;
}
