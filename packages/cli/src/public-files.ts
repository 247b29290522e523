/**
 * Files and lists that are public as a whole: the configuration, lists of candidates, scores to plan and simulate
 * with, names of queries, teachers and labels. They are read whole, and messages may quote their text and their
 * line numbers. Text that isn't UTF-8 is refused, not repaired: a repair could make two spellings equal, and so
 * turn two candidates into one.
 *
 * The list of candidates has one candidate per line, or is a column of a CSV file, or the names of a release. It is fixed
 * before any row is read, so Winnow can promise pure ε over it. Duplicates count once, and empty lines are skipped.
 *
 * Scores are one number per line, or a CSV file with a header and the columns `item` and `count` (or `score`). A
 * number is a decimal or a fraction and is kept exactly.
 *
 * A list of names on the command line takes one of four forms:
 *
 *   250               0, 1, … 249
 *   t0..t249          t0, t1, … t249
 *   cat,dog,bird      these names
 *   labels.txt        one name per line of the file
 * @module
 */
import { readFile } from "node:fs/promises";
import { type Rational, rational, WinnowError } from "winnow-dp";
import {
  type Header,
  isLimitedColumn,
  ListError,
  listHeader,
  mustBe,
  parseDelimitedLine,
  readLabels as parseLabels,
  Refusal,
  readList,
  splitHeader,
} from "winnow-release";
import { fileRefusal } from "./refusal.js";

/** The text of a public file without its byte order mark. */
export async function readPublicFile(what: string, path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileRefusal(what, path, error);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("unreadable-source", `${what} ${JSON.stringify(path)} isn't UTF-8 text.`);
  }
}

/** Its lines, with any line ends; an empty last line doesn't count. */
async function readPublicLines(what: string, path: string): Promise<string[]> {
  const lines = (await readPublicFile(what, path)).split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export function readHeader(what: string, path: string, line: string): Header {
  try {
    return splitHeader(line);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal(
      "broken-header",
      `The header of ${what} ${JSON.stringify(path)} must be ${error.expected}.`,
    );
  }
}

export interface PublicScores {
  /** The names of the candidates, if the file has them. */
  readonly names?: readonly string[];
  readonly scores: readonly Rational[];
}

const SCORES_FILE = "The file of scores";
const NAME_COLUMNS = ["item", "name", "candidate"];
const SCORE_COLUMNS = ["count", "score", "users", "value"];

export async function readScores(path: string): Promise<PublicScores> {
  const lines = (await readPublicLines(SCORES_FILE, path)).filter((line) => line.trim() !== "");
  if (lines.length === 0)
    throw new Refusal("empty-source", `${SCORES_FILE} ${JSON.stringify(path)} is empty.`);
  const isPlain = asNumber(lines[0]) !== undefined;
  return isPlain ? { scores: lines.map((line, i) => numberAt(line, path, i + 1)) } : readTable(lines, path);
}

/** Counts for mechanisms that take whole numbers; other numbers are refused. */
export async function readCounts(path: string): Promise<{ names?: readonly string[]; counts: number[] }> {
  const { scores, ...rest } = await readScores(path);
  const counts = scores.map((score) => (score.isInteger() ? score.toNumber() : Number.NaN));
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0))
    throw new Refusal("usage", `${SCORES_FILE} ${JSON.stringify(path)} must be whole numbers >= 0.`);
  return { ...rest, counts };
}

function readTable([header, ...lines]: readonly string[], path: string): PublicScores {
  const { columns, ...dialect } = readHeader("the file of scores", path, header);
  const [name, score] = [NAME_COLUMNS, SCORE_COLUMNS].map((known) =>
    columns.findIndex((column) => known.includes(column)),
  );
  const limited = columns.find(isLimitedColumn);
  if (limited !== undefined)
    throw new Refusal(
      "usage",
      `${SCORES_FILE} ${JSON.stringify(path)} must have counts of all users of an item; its column ${JSON.stringify(limited)} counts each user for a limited number of items or values, so its numbers are too low.`,
    );
  if (score < 0)
    throw new Refusal(
      "unknown-column",
      `${SCORES_FILE} ${JSON.stringify(path)} must have one number per line, or a header with the columns item and count.`,
    );
  const rows = lines.map((line, i) => {
    const fields = parseDelimitedLine(line, dialect);
    if (fields?.length !== columns.length) throw badLine(path, i + 2);
    return fields;
  });
  return {
    ...(name >= 0 && { names: rows.map((fields) => fields[name]) }),
    scores: rows.map((fields, i) => numberAt(fields[score], path, i + 2)),
  };
}

function numberAt(text: string, path: string, line: number): Rational {
  const number = asNumber(text);
  if (number === undefined) throw badLine(path, line);
  return number;
}

function asNumber(text: string): Rational | undefined {
  try {
    return rational(text.trim());
  } catch (error) {
    if (error instanceof WinnowError) return undefined;
    throw error;
  }
}

function badLine(path: string, line: number): Refusal {
  return new Refusal(
    "usage",
    `Line ${line} of the scores in ${JSON.stringify(path)} must have a number in its column of counts.`,
  );
}

const CANDIDATE_LIST = "The list of candidates";

/** The candidates, each once, in the order of the file; of a release or a CSV file of ours, the names that were published. */
export async function readDomain(path: string, column?: string): Promise<string[]> {
  if (NOT_A_LIST.test(path))
    throw new Refusal(
      "usage",
      mustBe(CANDIDATE_LIST, "text with one candidate per line, CSV, or a release (JSON)", path),
    );
  const text = await readPublicFile(CANDIDATE_LIST, path);
  try {
    if (column === undefined && DELIMITED.test(path)) throw columnNeeded(path, text);
    return wellFormed(readList(text, { name: path, column }));
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    throw new Refusal(error.code, `${CANDIDATE_LIST} ${JSON.stringify(path)} ${error.message}`);
  }
}

/** Judged by its name; the lines of such a file aren't names as a whole. */
const DELIMITED = /\.(csv|tsv|tab)$/i;
const NOT_A_LIST = /\.(ndjson|jsonl|parquet|duckdb|db|ddb|gz|zst)$/i;

function columnNeeded(path: string, text: string): Refusal {
  const { columns } = listHeader(text.split(/[\r\n]/, 1)[0]);
  const names = columns.slice(0, 12).map((name) => JSON.stringify(name));
  return new Refusal(
    "usage",
    `--domain-column must name the column of ${JSON.stringify(path)} that has the candidates; it has ${names.join(", ")}.`,
  );
}

/** No engine can have a row with half a surrogate pair; on the way to one it would become another name. */
function wellFormed(names: string[]): string[] {
  if (!names.some((name) => /\p{Surrogate}/u.test(name))) return names;
  throw new ListError("usage", "must have names of whole characters; one has half a surrogate pair.");
}

/** Labels by item: the first two columns of a public CSV file. The first line of an item counts. */
export async function readLabels(path: string): Promise<ReadonlyMap<string, string>> {
  const lines = await readPublicLines("The file of labels", path);
  try {
    return parseLabels(lines.join("\n"));
  } catch (error) {
    if (error instanceof ListError)
      throw new Refusal(error.code, `The file of labels ${JSON.stringify(path)} ${error.message}`);
    throw error;
  }
}

/** What replaces an item: the first two columns of a public CSV file. The first line of an item counts. */
export async function readMap(path: string): Promise<ReadonlyMap<string, string>> {
  const lines = await readPublicLines("The map of items", path);
  try {
    const map = parseLabels(lines.join("\n"));
    wellFormed([...map].flat());
    return map;
  } catch (error) {
    if (error instanceof ListError)
      throw new Refusal(error.code, `The map of items ${JSON.stringify(path)} ${error.message}`);
    throw error;
  }
}

const MOST_NAMES = 10_000_000;
const NAME_RANGE = /^(\D*)(\d+)\.\.(\D*)(\d+)$/;

export async function readNames(option: string, given: string | undefined): Promise<string[]> {
  if (given === undefined) throw new Refusal("usage", `--${option} must be ${NAME_FORMS}.`);
  const names = numbersOf(given) ?? (given.includes(",") ? given.split(",") : await namesIn(option, given));
  const isList = names.length > 0 && !names.includes("") && new Set(names).size === names.length;
  if (!isList) throw new Refusal("usage", `--${option} must be one or more distinct names.`);
  return names;
}

const NAME_FORMS =
  "a number, a range such as t0..t9, names separated by commas, or a file with one name per line";

/** The names of a number or a range; undefined if it is neither. */
function numbersOf(given: string): string[] | undefined {
  const range = /^\d+$/.test(given) ? ["", "", "0", "", String(Number(given) - 1)] : NAME_RANGE.exec(given);
  if (range === null || range[1] !== range[3]) return undefined;
  const [first, last] = [Number(range[2]), Number(range[4])];
  if (last - first >= MOST_NAMES)
    throw new Refusal("usage", mustBe("The number of names in a list", `at most ${MOST_NAMES}`, given));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => `${range[1]}${first + i}`);
}

async function namesIn(option: string, path: string): Promise<string[]> {
  return (await readPublicLines(`The list of ${option}`, path)).filter((line) => line !== "");
}
