/**
 * From bytes to physical lines, one chunk at a time, in memory bounded by the longest line. A line ends with LF, CR LF
 * or CR, or at the end of the file. Each line is decoded as UTF-8 on its own, so invalid bytes spoil only their own
 * line. Empty lines are dropped, except the first: the header is the first line, whatever it holds. A byte order mark
 * at the start of the file is dropped.
 * @module
 */

/** In bytes. A longer line is skipped, so that no line can use up the memory. Public, the same for every reader. */
export const LONGEST_LINE = 65_536;

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = "\uFEFF";
const LINE_END = /\r\n|\n|\r/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A line, or undefined for one that is skipped because it isn't UTF-8 or is too long. */
export type PhysicalLine = string | undefined;

/** Splits bytes into lines, each on its own. */
export class LineSplitter {
  #isFirst = true;
  /** The pieces of a line whose end has not come yet. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): PhysicalLine[] {
    const first = endOfLine(chunk, 0);
    if (first < 0) {
      this.#keep(chunk);
      return [];
    }
    this.#keep(chunk.subarray(0, first));
    const lines = this.#finishPending();
    const last = 1 + Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR));
    if (last > first + 1) this.#add(lines, linesOf(chunk.subarray(first + 1, last - 1)));
    this.#keep(chunk.subarray(last));
    return lines;
  }

  /** The last line, if nothing ended it. */
  end(): PhysicalLine[] {
    return this.#pendingBytes > 0 ? this.#finishPending() : [];
  }

  #keep(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > LONGEST_LINE) this.#pending = [];
    else if (bytes.length > 0) this.#pending.push(bytes.slice());
  }

  #finishPending(): PhysicalLine[] {
    const lines: PhysicalLine[] = [];
    const line =
      this.#pendingBytes > LONGEST_LINE ? undefined : decode(joined(this.#pending, this.#pendingBytes));
    this.#add(lines, [line]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return lines;
  }

  #add(lines: PhysicalLine[], more: readonly PhysicalLine[]): void {
    for (const line of more) {
      if (this.#isFirst) lines.push(line?.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
      else if (line !== "") lines.push(line);
      this.#isFirst = false;
    }
  }
}

/** Whole lines without the end of the last one. Mostly all of them are UTF-8: then they are decoded in one go. */
function linesOf(bytes: Uint8Array): PhysicalLine[] {
  const text = decode(bytes);
  if (text !== undefined) return text.split(LINE_END).map((line) => (isTooLong(line) ? undefined : line));
  const lines: PhysicalLine[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = endOfLine(bytes, start);
    const end = found < 0 ? bytes.length : found;
    lines.push(end - start > LONGEST_LINE ? undefined : decode(bytes.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}

function decode(bytes: Uint8Array): PhysicalLine {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** In bytes, of which a UTF-16 unit is worth one to three. */
function isTooLong(line: string): boolean {
  if (line.length * 3 <= LONGEST_LINE) return false;
  return line.length > LONGEST_LINE || new TextEncoder().encode(line).length > LONGEST_LINE;
}

/** Where the next LF or CR stands, or −1. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const cr = (lf < 0 ? bytes : bytes.subarray(0, lf)).indexOf(CR, from);
  return cr < 0 ? lf : cr;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
