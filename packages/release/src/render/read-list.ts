/**
 * A public list of candidates, read from text: one on each line, a column of CSV, or the names of a release of Winnow's
 * (`release.json`), which come back exactly. Each candidate counts once, and empty ones are skipped.
 *
 * A CSV file of Winnow's own has its names in a column `item`, or `item_escaped` if spreadsheets made escapes necessary.
 * Asked for `item`, the reader takes either, and undoes the escapes of the latter exactly. In a column of any other name
 * nothing is changed. A field of `item_escaped` that Winnow wouldn't have written is refused, because someone may have
 * changed the file.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { readRelease } from "../document/read-release.js";
import { kindOf } from "../kinds/kinds.js";
import { type Header, parseDelimitedLine, splitHeader } from "../lines/parse-line.js";
import { didYouMean } from "../words/near-names.js";
import { fromSpreadsheet } from "../words/neutralise.js";
import { ESCAPED_ITEMS, ITEMS } from "./data-files.js";

/**
 * How a list of names is read.
 *
 * @inline
 */
export interface ListOptions {
  /** The name of the file, whose end tells what it is. */
  readonly name: string;
  /** The column of a CSV file; without one, each line is a name. */
  readonly column?: string | undefined;
}

/** Why a list can't be read. The message goes on after the name of the list: "has no column …". */
export class ListError extends Error {
  override readonly name = "ListError";
  readonly code: "broken-header" | "unknown-column" | "usage";

  constructor(code: ListError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** The candidates, each once, in the order of the file. */
export function readList(text: string, { name, column }: ListOptions): string[] {
  const names = RELEASE.test(name) ? namesOfRelease(text, column) : namesOfText(text, column);
  const items = [...new Set(names)].filter((item) => item !== "");
  if (items.length === 0) throw new ListError("usage", "has no candidates.");
  return items;
}

const RELEASE = /\.json$/i;

function namesOfRelease(text: string, column: string | undefined): string[] {
  if (column !== undefined)
    throw new ListError("usage", "is JSON, which has no columns: leave the column out.");
  const { question, answer } = releaseIn(text);
  if (kindOf(question).shape !== "winners")
    throw new ListError("usage", "must be a release that names items; this one has numbers.");
  return answer.winners.map(({ item }) => item);
}

function releaseIn(text: string) {
  try {
    return readRelease(text);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new ListError(
      "usage",
      "must be text with one candidate per line, CSV, or a release as Winnow writes it (--json).",
    );
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/;

function namesOfText(text: string, column: string | undefined): string[] {
  const lines = text.replace(BYTE_ORDER_MARK, "").split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return column === undefined ? lines : namesInColumn(lines, column);
}

function namesInColumn([first = "", ...lines]: readonly string[], column: string): string[] {
  const { columns, ...dialect } = listHeader(first);
  const own = column === ITEMS && !columns.includes(ITEMS) ? ESCAPED_ITEMS : column;
  const place = columns.indexOf(own);
  if (place < 0)
    throw new ListError(
      "unknown-column",
      `has no column ${JSON.stringify(column)}.${didYouMean(column, columns)}`,
    );
  const read = own === ESCAPED_ITEMS ? fromSpreadsheet : (field: string) => field;
  return lines.map((line, i) => {
    const fields = parseDelimitedLine(line, dialect);
    // The list is public, so the message may say which line is wrong.
    if (fields?.length !== columns.length) throw new ListError("usage", `can't be parsed at line ${i + 2}.`);
    const name = read(fields[place]);
    if (name === undefined)
      throw new ListError(
        "usage",
        `has a name at line ${i + 2} that Winnow would have escaped in another way: the file was changed. Use the release as JSON, which has the exact names.`,
      );
    return name;
  });
}

/** The columns of a list, from its first line. */
export function listHeader(line: string): Header {
  try {
    return splitHeader(line);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new ListError("broken-header", `must have a header that is ${error.expected}.`);
  }
}
