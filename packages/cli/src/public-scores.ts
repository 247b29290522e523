/**
 * Scores that are public, to plan and to simulate with: one number on each line, or a CSV file with a header and the columns
 * `item` and `count` (or `score`). A number is a decimal or a fraction and is kept exactly.
 * @module
 */
import { type Rational, rational, WinnowError } from "winnow-dp";
import { parseDelimitedLine } from "winnow-release";
import { readPublicLines } from "./public-file.js";
import { readHeader } from "./public-header.js";
import { Refusal } from "./refusal.js";

export interface PublicScores {
  /** What the candidates are called, where the file says so. */
  readonly names?: readonly string[];
  readonly scores: readonly Rational[];
}

const WHAT = "The file of scores";
const NAMES = ["item", "name", "candidate"];
const SCORES = ["count", "score", "users", "value"];

export async function readScores(path: string): Promise<PublicScores> {
  const lines = (await readPublicLines(WHAT, path)).filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new Refusal("empty-source", `${WHAT} ${JSON.stringify(path)} is empty.`);
  const isPlain = asNumber(lines[0]) !== undefined;
  return isPlain ? { scores: lines.map((line, i) => numberAt(line, path, i + 1)) } : readTable(lines, path);
}

/** Counts for mechanisms that take whole numbers: what is no whole number is refused. */
export async function readCounts(path: string): Promise<{ names?: readonly string[]; counts: number[] }> {
  const { scores, ...rest } = await readScores(path);
  const counts = scores.map((score) => (score.isInteger() ? score.toNumber() : Number.NaN));
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0))
    throw new Refusal("usage", `${WHAT} ${JSON.stringify(path)} must be whole numbers >= 0.`);
  return { ...rest, counts };
}

function readTable([header, ...lines]: readonly string[], path: string): PublicScores {
  const { columns, ...dialect } = readHeader("the file of scores", path, header);
  const [name, score] = [NAMES, SCORES].map((known) => columns.findIndex((column) => known.includes(column)));
  if (score < 0)
    throw new Refusal(
      "unknown-column",
      `${WHAT} ${JSON.stringify(path)} must have a number on each line, or a header with the columns item and count.`,
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
    `Line ${line} of the scores in ${JSON.stringify(path)} must have a number in the column that counts.`,
  );
}
