/**
 * One physical line at a time, as CSV, TSV or NDJSON. Each line stands alone, so nothing in it can affect the next one.
 *
 * CSV and TSV:
 *
 *   line   = field { delimiter field }
 *   field  = plain | quote { any character except the quote | quote quote } quote
 *   plain  = { any character except the delimiter and the quote }
 *
 * A line outside this grammar (an unclosed quote, a quote inside a plain field, text after a closing quote) is
 * skipped. Fields are the exact text: nothing is trimmed, and neither numbers nor upper and lower case are made equal.
 *
 * The dialect is public and fixed before the first row is read: it comes from the caller or from the header line,
 * never from rows. The header is public too. An invalid header refuses the file, because every later row would be read
 * by a guess.
 *
 * NDJSON: one JSON object on one line (RFC 8259), of which some members are wanted.
 *
 *   a string        its text, with escapes resolved
 *   a number        as written: 17, 17.0 and 1.7e1 are three values, and a long number keeps every digit
 *   true, false     as text
 *   null, missing   absent, like the empty string
 *
 * If a name occurs twice, its last value counts. A line is skipped if it isn't a JSON object, or if a wanted member is
 * an object, an array or text with half a surrogate pair.
 * @module
 */
import { invalidParameter } from "winnow-dp";

/** The first line of a file with its dialect. */
export interface Header extends LineDialect {
  /** Distinct and not empty. */
  readonly columns: readonly string[];
}

const BYTE_ORDER_MARK = "\uFEFF";
/** No name of a column has a control character: text that has one isn't a header but the start of another format. */
const CONTROL = /[\p{Cc}\p{Surrogate}]/u;

/** Reads a header line; what is not given of the dialect is taken from it. */
export function splitHeader(line: string, given: Partial<LineDialect> = {}): Header {
  const text = line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
  const dialect = dialectOf(text, given);
  const columns = parseDelimitedLine(text, dialect);
  if (columns === undefined)
    throw invalidParameter("header", "a line in which every quote is closed at the end of its field");
  checkNames(columns);
  return { ...dialect, columns };
}

function checkNames(columns: readonly string[]): void {
  if (columns.some((name) => name === ""))
    throw invalidParameter("header", "a line with a name for each column");
  if (columns.some((name) => CONTROL.test(name)))
    throw invalidParameter("header", "a line of names without control characters");
  if (new Set(columns).size < columns.length) throw invalidParameter("header", "a line of distinct names");
  if (columns.length > MOST_COLUMNS)
    throw invalidParameter("header", `a line of at most ${MOST_COLUMNS} columns`);
}

/** The fields, or undefined where the line is malformed. An empty field stands for a value that is absent. */
export function parseDelimitedLine(line: string, { delimiter, quote }: LineDialect): string[] | undefined {
  if (quote === "" || !line.includes(quote)) return line.split(delimiter);
  const fields: string[] = [];
  for (let start = 0; ; ) {
    const end = line[start] === quote ? endOfQuoted(line, start, quote) : endOfPlain(line, start, delimiter);
    const isEnd = end === line.length;
    if (end < 0 || !(isEnd || line.startsWith(delimiter, end))) return undefined;
    const field = fieldText(line.slice(start, end), quote);
    if (field === undefined) return undefined;
    fields.push(field);
    if (isEnd) return fields;
    start = end + delimiter.length;
  }
}

/** Behind the closing quote, or −1 if there is none. */
function endOfQuoted(line: string, start: number, quote: string): number {
  for (let from = start + 1; ; from += 2) {
    from = line.indexOf(quote, from);
    if (from < 0) return -1;
    if (line[from + 1] !== quote) return from + 1;
  }
}

function endOfPlain(line: string, start: number, delimiter: string): number {
  const end = line.indexOf(delimiter, start);
  return end < 0 ? line.length : end;
}

function fieldText(field: string, quote: string): string | undefined {
  if (field.startsWith(quote)) return field.slice(1, -1).replaceAll(quote + quote, quote);
  return field.includes(quote) ? undefined : field;
}

/** How lines are separated into fields. */
export interface LineDialect {
  /** One character between two fields. */
  readonly delimiter: string;
  /** One character around a field that holds delimiters or quotes; none if it is empty. */
  readonly quote: string;
}

/** What a header may be separated by when it isn't given; the first wins where two occur equally often. */
const DELIMITERS = [",", "\t", ";", "|"];

/** A file with more columns is refused: reading one line must stay cheap. */
export const MOST_COLUMNS = 1000;

/** The dialect as given, completed from the header line. */
function dialectOf(header: string, given: Partial<LineDialect> = {}): LineDialect {
  const dialect = { delimiter: given.delimiter ?? guessDelimiter(header), quote: given.quote ?? '"' };
  checkDialect(dialect);
  return dialect;
}

function checkDialect({ delimiter, quote }: LineDialect): void {
  if (!isOneCharacter(delimiter))
    throw invalidParameter("delimiter", "one character that ends no line, such as , or ;", delimiter);
  if (quote !== "" && !isOneCharacter(quote))
    throw invalidParameter("quote", 'one character that ends no line, such as ", or nothing', quote);
  if (quote === delimiter) throw invalidParameter("quote", "another character than the delimiter", quote);
}

function isOneCharacter(text: string): boolean {
  return /^[^\r\n\p{Surrogate}]$/u.test(text);
}

function guessDelimiter(header: string): string {
  const occurrences = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[occurrences.indexOf(Math.max(...occurrences))]!;
}

/** The texts in the order of the names, "" where absent; undefined if the line is skipped. */
export function parseJsonLine(line: string, names: readonly string[]): string[] | undefined {
  const members = objectIn(line);
  if (members === undefined) return undefined;
  const texts: string[] = [];
  for (const name of names) {
    const text = memberText(Object.hasOwn(members, name) ? members[name] : null, line, name);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

type Members = Readonly<Record<string, unknown>>;

function objectIn(line: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
}

function memberText(value: unknown, line: string, name: string): string | undefined {
  switch (typeof value) {
    case "string":
      return /\p{Surrogate}/u.test(value) ? undefined : value;
    case "number":
      return numberAsWritten(line, name);
    case "boolean":
      return String(value);
    default:
      return value === null ? "" : undefined;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s,:{}[\]"]+/g;

/** The last number of that name in a line that is known to be a JSON object. */
function numberAsWritten(line: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let written: string | undefined;
  for (const [token] of line.matchAll(TOKEN)) {
    if (token === "}" || token === "]") depth--;
    else {
      if (depth === 1 && key === undefined) key = token;
      else if (depth === 1) {
        if (JSON.parse(key!) === name) written = token;
        key = undefined;
      }
      if (token === "{" || token === "[") depth++;
    }
  }
  return written;
}
