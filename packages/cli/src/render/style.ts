/**
 * Colour where a person looks: on a terminal that can show it, unless NO_COLOR asks for none. Piped output is plain.
 * @module
 */
import type { WriteStream } from "node:tty";

export interface Style {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly accent: (text: string) => string;
  /** Whether a person looks at the stream. */
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
