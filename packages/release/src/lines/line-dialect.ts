/**
 * How the fields of a line are told apart. A dialect is public and fixed before the first row is read: it comes from the
 * caller or from the header line, never from rows.
 * @module
 */
import { refused } from "../refused.js";

export interface LineDialect {
  /** One character between two fields. */
  readonly delimiter: string;
  /** One character around a field that holds delimiters or quotes; none if it is empty. */
  readonly quote: string;
}

/** What a header may be separated by when nobody says it; the first wins where two occur equally often. */
const DELIMITERS = [",", "\t", ";", "|"];

/** A file with more columns is refused: reading one line must stay cheap. */
export const MOST_COLUMNS = 1000;

/** The dialect as given, completed from the header line. */
export function dialectOf(header: string, given: Partial<LineDialect> = {}): LineDialect {
  const dialect = { delimiter: given.delimiter ?? guessDelimiter(header), quote: given.quote ?? '"' };
  checkDialect(dialect);
  return dialect;
}

export function checkDialect({ delimiter, quote }: LineDialect): void {
  if (!isOneCharacter(delimiter))
    throw refused("delimiter", "one character that ends no line, such as , or ;", delimiter);
  if (quote !== "" && !isOneCharacter(quote))
    throw refused("quote", 'one character that ends no line, such as ", or nothing', quote);
  if (quote === delimiter) throw refused("quote", "another character than the delimiter", quote);
}

function isOneCharacter(text: string): boolean {
  return /^[^\r\n\p{Surrogate}]$/u.test(text);
}

function guessDelimiter(header: string): string {
  const occurrences = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[occurrences.indexOf(Math.max(...occurrences))]!;
}
