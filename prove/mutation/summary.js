/**
 * The folders whose files are mutated, and what the documents say about them, from scores.json and survivors.json: a table in
 * docs/guide/mutants.md and two sentences in docs/limits-unchecked.md. `mutate.js --write` writes both, and so does this file as a program; a test compares.
 * @module
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folders of packages/core/src, and the documents' words for them. */
export const FOLDERS = {
  exact: "exact arithmetic",
  accounting: "accounting",
  sample: "samplers",
  race: "engine",
  select: "selections",
  standout: "stable sets",
  discover: "unknown domains",
  numbers: "numbers",
  base2: "base-2 mechanisms",
};

const here = (path) => new URL(path, import.meta.url);
const GUIDE = here("../../docs/guide/mutants.md");
const LIMITS = here("../../docs/limits-unchecked.md");
const HEADER = "| files of the core | run | mutants | killed | explained | of these, only slower |";

/** The sources of a folder, as scores.json names them. */
export function filesOf(folder) {
  return readdirSync(here(`../../packages/core/src/${folder}`))
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .map((name) => `${folder}/${name}`);
}

/** A reason of a mutant that changes no answer, only how long it takes or how much memory. */
const ONLY_SLOWER = /only (slower|memory|more memory|the time differs)$/;

/** What became of the mutants of some files, as far as these have a score, in all. */
export function sumOf(files, { scores, survivors }) {
  const run = files.filter((file) => scores[file] !== undefined);
  const sum = (field) => run.reduce((total, file) => total + scores[file][field], 0);
  const slower = survivors.filter(
    ({ file, reason }) => run.includes(file) && ONLY_SLOWER.test(reason),
  ).length;
  const [mutants, killed, explained] = [sum("mutants"), sum("killed"), sum("explained")];
  return { files: files.length, run: run.length, mutants, killed, explained, slower };
}

const allFiles = () => Object.keys(FOLDERS).flatMap(filesOf);

/** The table: a row for each folder, of which not all files may have a score yet, and one for all. */
export function tableOf(results) {
  const row = (words, sum) =>
    `| ${words} | ${sum.run} of ${sum.files} | ${sum.mutants} | ${sum.killed} | ${sum.explained} | ${sum.slower} |`;
  const rows = Object.entries(FOLDERS).map(([folder, words]) =>
    row(`${words} (\`${folder}\`)`, sumOf(filesOf(folder), results)),
  );
  return [
    HEADER,
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    row("all", sumOf(allFiles(), results)),
  ].join("\n");
}

const HOW_MANY = /^Of \d+ files, \d+ have a score: .*$/m;
const WHERE = /^(All of them have one|Those without one are in .*)\.$/m;

/** The sentences: how many mutants are killed, and where there are files without a score. */
export function sentencesOf(results) {
  const { files, run, mutants, killed, slower } = sumOf(allFiles(), results);
  const inHundred = (all) => Math.floor((100 * killed) / all);
  const open = Object.keys(FOLDERS).filter((folder) =>
    filesOf(folder).some((file) => results.scores[file] === undefined),
  );
  const folders = new Intl.ListFormat("en-GB").format(open.map((folder) => `\`${folder}\``));
  return [
    `Of ${files} files, ${run} have a score: ${inHundred(mutants)} in 100 of their mutants are killed, and ${inHundred(mutants - slower)} in 100 of those that change more than time or memory.`,
    open.length === 0 ? "All of them have one." : `Those without one are in ${folders}.`,
  ];
}

/** What the runs found. */
export function readResults() {
  const [scores, survivors] = ["scores.json", "survivors.json"].map((name) =>
    JSON.parse(readFileSync(here(name), "utf8")),
  );
  return { scores, survivors };
}

/** Writes the table and the sentences, in place of those that are there. */
export function writeDocuments() {
  const results = readResults();
  const lines = readFileSync(GUIDE, "utf8").split("\n");
  const start = lines.indexOf(HEADER);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith("|"));
  lines.splice(start, end - start, tableOf(results));
  writeFileSync(GUIDE, lines.join("\n"));
  const [howMany, where] = sentencesOf(results);
  writeFileSync(LIMITS, readFileSync(LIMITS, "utf8").replace(HOW_MANY, howMany).replace(WHERE, where));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocuments();
