/**
 * The fields of one physical line of a CSV or TSV file. The line stands alone: whatever is in it cannot reach the next one.
 *
 *   line   = field { delimiter field }
 *   field  = plain | quote { any character but the quote | quote quote } quote
 *   plain  = { any character but the delimiter and the quote }
 *
 * A line outside this grammar (a quote that is not closed, a quote inside a plain field, text after a closing quote) has no
 * fields and counts for nobody. Fields are the exact text: nothing is trimmed, no number and no case is made equal.
 * @module
 */
import type { LineDialect } from "./line-dialect.js";

/** The fields, or undefined where the line is malformed. An empty field stands for a value that is absent. */
export function parseDelimitedLine(line: string, { delimiter, quote }: LineDialect): string[] | undefined {
  if (quote === "" || !line.includes(quote)) return line.split(delimiter);
  const fields: string[] = [];
  for (let start = 0; ; ) {
    const end = line[start] === quote ? endOfQuoted(line, start, quote) : endOfPlain(line, start, delimiter);
    const isEnd = end === line.length;
    if (end < 0 || !(isEnd || line.startsWith(delimiter, end))) return undefined;
    const field = textOf(line.slice(start, end), quote);
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

function textOf(field: string, quote: string): string | undefined {
  if (field.startsWith(quote)) return field.slice(1, -1).replaceAll(quote + quote, quote);
  return field.includes(quote) ? undefined : field;
}
