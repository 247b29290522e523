/**
 * A look at all bytes of a file before or while the engine reads its lines: how many lines no reader can use, because
 * they are too long or not UTF-8, and whether any quote stands in the file. The engine skips such lines silently,
 * and the lines of a file without quotes can be read in a faster way. This costs a fraction of what the engine needs
 * for the same bytes: whole stretches of lines are checked at once.
 *
 * A line is what `LineSplitter` calls one.
 * @module
 */
import { isUtf8 } from "node:buffer";
import { LONGEST_LINE } from "winnow-release";

const LF = 10;
const CR = 13;

export class LineSurvey {
  readonly #quote: number | undefined;
  /** Of a line whose end has not come yet, unless it is too long already. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Lines that are too long or no text. */
  unreadable = 0;
  hasQuote = false;

  /** The quote is one character, or "" if there is none. */
  constructor(quote: string) {
    const code = quote.codePointAt(0) ?? 0;
    this.#quote = quote === "" ? undefined : code;
    if (code > 127) this.hasQuote = true; // is not looked for
  }

  push(chunk: Uint8Array): void {
    if (this.#quote !== undefined) this.hasQuote ||= chunk.includes(this.#quote);
    const rest = this.#pendingBytes > 0 ? this.#finishPending(chunk) : chunk;
    this.#keep(rest.subarray(this.#check(rest)));
  }

  end(): void {
    if (this.#pendingBytes > 0) this.#finishPending(Uint8Array.of(LF));
  }

  /** What follows the line that began in an earlier chunk; nothing if that one goes on. */
  #finishPending(chunk: Uint8Array): Uint8Array {
    const end = firstEnd(chunk, 0);
    this.#keep(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) return chunk.subarray(chunk.length);
    if (this.#pendingBytes > LONGEST_LINE || !isUtf8(Buffer.concat(this.#pending))) this.unreadable++;
    this.#pending = [];
    this.#pendingBytes = 0;
    return chunk.subarray(end + 1);
  }

  #keep(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > LONGEST_LINE) this.#pending = [];
    else if (bytes.length > 0) this.#pending.push(bytes.slice());
  }

  /** Checks all lines that end here; gives where the last one begins, which does not. */
  #check(bytes: Uint8Array): number {
    let start = 0;
    while (start < bytes.length) {
      // All lines between here and the last end within reach are short enough; without an end there, this one is not.
      const reach = bytes.subarray(start, start + LONGEST_LINE + 1);
      const lines = lastEnd(reach) + 1;
      if (lines > 0) {
        this.#checkText(reach.subarray(0, lines));
        start += lines;
        continue;
      }
      const end = reach.length > LONGEST_LINE ? firstEnd(bytes, start) : -1;
      if (end < 0) return start;
      this.unreadable++;
      start = end + 1;
    }
    return start;
  }

  /** No end of a line is part of a longer character, so that lines are UTF-8 together if each of them is. */
  #checkText(lines: Uint8Array): void {
    if (isUtf8(lines)) return;
    for (let start = 0; start < lines.length; ) {
      const end = firstEnd(lines, start);
      if (!isUtf8(lines.subarray(start, end))) this.unreadable++;
      start = end + 1;
    }
  }
}

/** Where the next LF or CR stands, or −1. */
function firstEnd(bytes: Uint8Array, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const cr = bytes.subarray(from, lf < 0 ? bytes.length : lf).indexOf(CR);
  return cr < 0 ? lf : from + cr;
}

/** Where the last LF or CR stands, or −1. */
function lastEnd(bytes: Uint8Array): number {
  const lf = bytes.lastIndexOf(LF);
  const cr = bytes.subarray(lf + 1).lastIndexOf(CR);
  return cr < 0 ? lf : lf + 1 + cr;
}
