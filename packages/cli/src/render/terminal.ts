/**
 * Output for terminals and for pipes.
 *
 * Colour appears only on a terminal that can show it, and never if NO_COLOR is set; piped output is plain. Text
 * wraps between words to fit the terminal. In a pipe or a log a remark stays on one line, which is easier to
 * search.
 *
 * Remarks for the curator go to standard error: what is about to happen, the remaining budget and, marked "not for
 * release", private facts.
 *
 * Writes to standard output are awaited, so a release that could not be written is a failure, not silence. A
 * reader that stops early (`winnow … | head`) isn't a failure: the answer is recorded and can be printed again.
 * @module
 */
import { constants, fstatSync, readFileSync, statSync } from "node:fs";
import type { WriteStream } from "node:tty";
import { Refusal, visible } from "winnow-release";
import { fileRefusal } from "../refusal.js";

export interface Style {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly accent: (text: string) => string;
  /** Whether the stream is a terminal. */
  readonly isTerminal: boolean;
  readonly columns: number;
}

const WIDTH_OF_PIPES = 100;

export function styleOf(stream: Pick<WriteStream, "isTTY" | "columns">, environment = process.env): Style {
  const isTerminal = stream.isTTY === true;
  const hasColour = isTerminal && !environment.NO_COLOR && environment.TERM !== "dumb";
  const paint = (open: number, close: number) => (text: string) =>
    hasColour ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    strong: paint(1, 22),
    faint: paint(2, 22),
    bad: paint(31, 39),
    good: paint(32, 39),
    accent: paint(36, 39),
    isTerminal,
    columns: isTerminal && stream.columns > 0 ? stream.columns : WIDTH_OF_PIPES,
  };
}

/** For files. */
export const PLAIN: Style = styleOf({ isTTY: false, columns: 0 });

/** For the release. */
export function outputStyle(): Style {
  return styleOf(process.stdout);
}

/** For the curator. */
export function errorStyle(): Style {
  return styleOf(process.stderr);
}

const INDENT = "  ";
/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST_LINE = 100;

/** "ε = 1" counts as one word. */
const WORDS = /(?<!=) (?!=)/;

/** The lines, without a newline at the end. */
export function wrap(text: string, { isTerminal, columns }: Pick<Style, "isTerminal" | "columns">): string {
  if (!isTerminal) return `${INDENT}${text}`;
  const room = Math.min(columns, WIDEST_LINE) - INDENT.length;
  const lines: string[] = [];
  for (const word of text.split(WORDS)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= room) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.map((line) => `${INDENT}${line}`).join("\n");
}

/** A remark made of public values. */
export function tell(text: string): void {
  const style = errorStyle();
  process.stderr.write(`${style.faint(wrap(visible(text), style))}\n`);
}

/** A remark that depends on private rows. */
export function tellPrivately(text: string): void {
  const style = errorStyle();
  process.stderr.write(`  ${style.bad("not for release:")} ${style.faint(visible(text))}\n`);
}

/** Prints text piece by piece, as fast as it is read; stops if the reader has closed the stream. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  let isClosed = false;
  for await (const piece of pieces) {
    await print(piece, () => {
      isClosed = true;
    });
    if (isClosed) return;
  }
}

/**
 * Node opens /dev/null for reading and writing in place of a standard output that is closed (`>&-`), and writes there succeed.
 * A shell opens /dev/null for writing alone. Only Linux tells the two apart.
 */
function wasClosedAtStart(): boolean {
  try {
    if (fstatSync(1).rdev !== statSync("/dev/null").rdev) return false;
    const [, flags = "0"] = /^flags:\s*(\d+)$/m.exec(readFileSync("/proc/self/fdinfo/1", "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & constants.O_RDWR) !== 0;
  } catch {
    return false;
  }
}

/** Calls `onClosed` if the reader has closed the stream. */
export function print(text: string, onClosed: () => void = () => {}): Promise<void> {
  if (wasClosedAtStart())
    return Promise.reject(new Refusal("not-written", "Standard output is closed, so nothing was printed."));
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      const isClosed = (error as NodeJS.ErrnoException | null | undefined)?.code === "EPIPE";
      if (isClosed) onClosed();
      if (!error || isClosed) resolve();
      else reject(fileRefusal("The stream", "standard output", error));
    });
  });
}
