/**
 * The folders whose files are mutated, and what the documents say about them, from scores.json: a table in docs/guide/checking.md
 * and a sentence in docs/limits.md. `mutate.js --write` writes both, and so does this file as a program; a test compares.
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
const GUIDE = here("../../docs/guide/checking.md");
const LIMITS = here("../../docs/limits.md");
const HEADER = "| files of the core | run | mutants | killed | explained |";

/** The sources of a folder, as scores.json names them. */
export function filesOf(folder) {
  return readdirSync(here(`../../packages/core/src/${folder}`))
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .map((name) => `${folder}/${name}`);
}

/** The table: a row for each folder, of which not all files may have a score yet. */
export function tableOf(scores) {
  const rows = Object.entries(FOLDERS).map(([folder, words]) => {
    const files = filesOf(folder);
    const run = files.filter((file) => scores[file] !== undefined);
    const sum = (field) => run.reduce((total, file) => total + scores[file][field], 0);
    return `| ${words} (\`${folder}\`) | ${run.length} of ${files.length} | ${sum("mutants")} | ${sum("killed")} | ${sum("explained")} |`;
  });
  return [HEADER, "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}

/** The sentence: where there are files without a score. */
export function sentenceOf(scores) {
  const open = Object.keys(FOLDERS).filter((folder) =>
    filesOf(folder).some((file) => scores[file] === undefined),
  );
  const folders = new Intl.ListFormat("en-GB").format(open.map((folder) => `\`${folder}\``));
  return open.length === 0 ? "All of their files have a score." : `Files without a score are in ${folders}.`;
}

/** Writes the table and the sentence, in place of those that are there. */
export function writeDocuments() {
  const scores = JSON.parse(readFileSync(here("scores.json"), "utf8"));
  const lines = readFileSync(GUIDE, "utf8").split("\n");
  const start = lines.indexOf(HEADER);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith("|"));
  lines.splice(start, end - start, tableOf(scores));
  writeFileSync(GUIDE, lines.join("\n"));
  const sentence = /^(All of their files have a score|Files without a score are in .*)\.$/m;
  writeFileSync(LIMITS, readFileSync(LIMITS, "utf8").replace(sentence, sentenceOf(scores)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocuments();
