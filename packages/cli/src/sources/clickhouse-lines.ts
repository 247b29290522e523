/**
 * The lines in which ClickHouse sends its counts, `users TAB item`, from bytes. A name that is not valid UTF-8 is no text: it
 * counts for nobody, and would be mixed up with others if it were made one. When a query fails after its first row, old and
 * new servers write the error into the stream: a line that is not of our form ends the count, and is not looked at.
 * @module
 */
import { brokenStream } from "./clickhouse-refusal.js";
import type { Batch } from "./source.js";

const LINE = /^(\d{1,16})\t([^\t]*)$/;
const NEWLINE = 0x0a;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", r: "\r", n: "\n", t: "\t", "0": "\0" };

/** Reads whole lines as they arrive; `skip` is told how many names were no text. */
export async function* readCounts(
  chunks: AsyncIterable<Uint8Array>,
  skip: (names: number) => void,
): AsyncGenerator<Batch> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield readLines(bytes.subarray(0, end - 1), skip);
  }
  if (rest.length > 0) throw brokenStream();
}

function readLines(bytes: Uint8Array, skip: (names: number) => void): Batch {
  const items: string[] = [];
  const users: number[] = [];
  for (const line of decodeLines(bytes)) {
    if (line === undefined) {
      skip(1);
      continue;
    }
    const match = LINE.exec(line);
    if (match === null) throw brokenStream();
    users.push(Number(match[1]));
    items.push(unescapeField(match[2]));
  }
  return { items, users };
}

/** All at once; if that fails, line by line, and undefined for a count whose name is no text. */
function decodeLines(bytes: Uint8Array): (string | undefined)[] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes).split("\n");
  } catch {
    const lines: (string | undefined)[] = [];
    for (let start = 0; start <= bytes.length; ) {
      const next = bytes.indexOf(NEWLINE, start);
      const end = next < 0 ? bytes.length : next;
      lines.push(decodeLine(decoder, bytes.subarray(start, end)));
      start = end + 1;
    }
    return lines;
  }
}

function decodeLine(decoder: TextDecoder, line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    if (!LINE.test(Buffer.from(line).toString("latin1"))) throw brokenStream();
    return undefined;
  }
}

/** Undoes the escapes of tab-separated text. */
export function unescapeField(text: string): string {
  return text.includes("\\")
    ? text.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
    : text;
}
