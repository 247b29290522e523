/**
 * The public list of candidates: one on each line, or a column of a CSV file. It is fixed before a row is read, so a pure ε
 * may be promised over it. A candidate that is listed twice counts once; an empty line is none.
 * @module
 */
import { parseDelimitedLine } from "winnow-release";
import { didYouMean } from "./nearest.js";
import { readPublicLines } from "./public-file.js";
import { readHeader } from "./public-header.js";
import { Refusal } from "./refusal.js";

const WHAT = "The list of candidates";

/** The candidates, each once, in the order of the file. */
export async function readDomain(path: string, column?: string): Promise<string[]> {
  const lines = await readPublicLines(WHAT, path);
  const listed = column === undefined ? lines : columnOf(lines, path, column);
  const items = [...new Set(listed)].filter((item) => item !== "");
  if (items.length === 0) throw new Refusal("usage", `${WHAT} ${JSON.stringify(path)} has no candidate.`);
  return items;
}

function columnOf([header = "", ...lines]: readonly string[], path: string, column: string): string[] {
  const { columns, delimiter, quote } = readHeader("the list of candidates", path, header);
  const place = columns.indexOf(column);
  if (place < 0)
    throw new Refusal(
      "unknown-column",
      `${WHAT} ${JSON.stringify(path)} has no column ${JSON.stringify(column)}.${didYouMean(column, columns)}`,
    );
  return lines.map((line, i) => {
    const fields = parseDelimitedLine(line, { delimiter, quote });
    // The list is public, so its author may be told which line is wrong.
    if (fields?.length !== columns.length)
      throw new Refusal(
        "usage",
        `Line ${i + 2} of the list of candidates ${JSON.stringify(path)} cannot be read.`,
      );
    return fields[place];
  });
}
