/**
 * The header line: the names of the columns, and with them the dialect of all lines that follow. The header is public. What
 * is wrong with it refuses the file, for every reading of the rows would rest on a guess.
 * @module
 */
import { refused } from "../refused.js";
import { dialectOf, type LineDialect, MOST_COLUMNS } from "./line-dialect.js";
import { parseDelimitedLine } from "./parse-delimited-line.js";

export interface Header extends LineDialect {
  /** Distinct and not empty. */
  readonly columns: readonly string[];
}

const BYTE_ORDER_MARK = "\uFEFF";
/** No name of a column has a control character: text that has one is no header but the start of another format. */
const CONTROL = /[\p{Cc}\p{Surrogate}]/u;

/** Reads a header line; what is not given of the dialect is taken from it. */
export function splitHeader(line: string, given: Partial<LineDialect> = {}): Header {
  const text = line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
  const dialect = dialectOf(text, given);
  const columns = parseDelimitedLine(text, dialect);
  if (columns === undefined)
    throw refused("header", "a line in which every quote is closed at the end of its field");
  checkNames(columns);
  return { ...dialect, columns };
}

function checkNames(columns: readonly string[]): void {
  if (columns.some((name) => name === "")) throw refused("header", "a line with a name for each column");
  if (columns.some((name) => CONTROL.test(name)))
    throw refused("header", "a line of names without control characters");
  if (new Set(columns).size < columns.length) throw refused("header", "a line of distinct names");
  if (columns.length > MOST_COLUMNS) throw refused("header", `a line of at most ${MOST_COLUMNS} columns`);
}
