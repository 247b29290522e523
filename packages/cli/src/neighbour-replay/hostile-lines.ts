/**
 * Rows as lines of a file, written correctly in every possible way or corrupted in any way.
 *
 * A correct writer may quote fields whether or not they need it, put the members of an object in any order, and end
 * lines in any way. Hostile texts and bytes are those that have broken readers: number formats that type sniffing
 * would make equal, quotes, separators, line ends, spaces, encodings, formulas, and bytes that aren't text.
 *
 * A person is one value of the user column, so a readable line is about its writer. A corrupted line that would be about
 * someone else belongs to that other person, and is left out.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { uniformBelow } from "winnow-dp/sample";
import {
  type LineDialect,
  LineSplitter,
  LONGEST_LINE,
  parseDelimitedLine,
  parseJsonLine,
} from "winnow-release";

export type LineFormat = "csv" | "tsv" | "ndjson";

export interface Row {
  readonly user: string;
  readonly item: string;
}

export interface LineLayout {
  readonly format: LineFormat;
  /** The columns of the header, or the members of an object. */
  readonly columns: readonly string[];
  readonly dialect: LineDialect;
  /** Which columns hold the item and the user. */
  readonly roles: Row;
}

export class LineWriter {
  readonly #layout: LineLayout;

  constructor(layout: LineLayout) {
    this.#layout = layout;
  }

  /** The first line with its end, or nothing if the format has no header. */
  header(entropy: Entropy): string {
    const { format, columns, dialect } = this.#layout;
    return format === "ndjson" ? "" : `${columns.join(dialect.delimiter)}${lineEnd(entropy)}`;
  }

  /** The row, with anything in the other columns. */
  line({ user, item }: Row, entropy: Entropy): string {
    const { format, columns, dialect, roles } = this.#layout;
    const values = columns.map((column) =>
      column === roles.user ? user : column === roles.item ? item : pick(HOSTILE_TEXTS, entropy),
    );
    if (format !== "ndjson")
      return values.map((value) => field(value, dialect, entropy)).join(dialect.delimiter);
    return objectOf(
      columns.map((column, i) => [column, values[i]]),
      entropy,
    );
  }

  /**
   * Two lines of one person, with a bracket or a quote that the first opens and the second closes: a reader that doesn't
   * stop at the end of a line takes everything between them as part of the first.
   */
  reachingPair({ user, item }: Row, entropy: Entropy): readonly [opens: string, closes: string] {
    const { format, columns, dialect, roles } = this.#layout;
    const { delimiter, quote } = dialect;
    if (format !== "ndjson") {
      const values = columns.map((column) => (column === roles.user ? user : item).replaceAll(quote, ""));
      return [
        values.map((value, i) => (i === values.length - 1 ? quote : "") + value).join(delimiter),
        `x${quote}`,
      ];
    }
    const members = `{${JSON.stringify(roles.user)}:${JSON.stringify(user)},${JSON.stringify(roles.item)}:${JSON.stringify(item)},"x":`;
    const [opens, closes] = pick(
      [
        ["[0", "0]}"],
        ["{", "}}"],
        ["[[", "]]}"],
        ['"', '"}'],
      ] as const,
      entropy,
    );
    return [members + opens, closes];
  }

  /** The person and the item of a physical line by the grammar; undefined if the line is skipped. */
  read(line: string): Row | undefined {
    const { format, columns, dialect, roles } = this.#layout;
    if (format === "ndjson") return rowOf(parseJsonLine(line, [roles.user, roles.item]) ?? []);
    const fields = parseDelimitedLine(line, dialect);
    if (fields?.length !== columns.length) return undefined;
    return rowOf([roles.user, roles.item].map((column) => fields[columns.indexOf(column)]));
  }
}

function rowOf([user = "", item = ""]: readonly string[]): Row | undefined {
  return user === "" || item === "" ? undefined : { user, item };
}

function field(text: string, { delimiter, quote }: LineDialect, entropy: Entropy): string {
  const mustQuote = text.includes(quote) || text.includes(delimiter);
  return mustQuote || chance(4, entropy) ? quote + text.replaceAll(quote, quote + quote) + quote : text;
}

function objectOf(members: readonly (readonly [string, string])[], entropy: Entropy): string {
  const space = chance(3, entropy) ? " " : "";
  const inOrder = chance(3, entropy) ? [...members].reverse() : members;
  const texts = inOrder.map(
    ([name, value]) => `${JSON.stringify(name)}:${space}${memberText(value, entropy)}`,
  );
  return `{${space}${texts.join(`${space},`)}${space}}`;
}

/** A number may also be unquoted, and missing values may be null. */
function memberText(text: string, entropy: Entropy): string {
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text);
  if (isNumber && chance(2, entropy)) return text;
  return text === "" && chance(2, entropy) ? "null" : JSON.stringify(text);
}

function lineEnd(entropy: Entropy): string {
  return pick(["\n", "\n", "\n", "\r\n", "\r"], entropy);
}

const HOSTILE_NUMBERS = [
  "17",
  "17.0",
  " 17",
  "17 ",
  "017",
  "+17",
  "1.7e1",
  "-0",
  "0",
  "1.5",
  "9007199254740993",
  "0x11",
  "１７",
];
const HOSTILE_WORDS = [
  "",
  " ",
  "null",
  "NULL",
  "NaN",
  "true",
  "\\N",
  "2020-01-01",
  "é",
  "e\u0301",
  "İ",
  "ß",
  "\uFEFFx",
  "\u202Eabc",
];
const HOSTILE_SIGNS = [
  '"',
  '""',
  'a"b',
  "a,b",
  "a\tb",
  "a;b",
  "\\",
  'a\\"b',
  "C:\\new",
  "#",
  "# x",
  "=1+1",
  "'; DROP TABLE counts; --",
  "a\u0000b",
  "{}",
];

export const HOSTILE_TEXTS: readonly string[] = [
  ...HOSTILE_NUMBERS,
  ...HOSTILE_WORDS,
  ...HOSTILE_SIGNS,
  "x".repeat(300),
];

const HOSTILE_BYTES: readonly (readonly number[])[] = [
  ...[...'""",,\t\n\n\r\0\\ ;#{}[]:1e.-'].map((sign) => [sign.charCodeAt(0)]),
  [0xff],
  [0xc3],
  [0xef, 0xbb, 0xbf],
  [0xed, 0xa0, 0x80],
  [13, 10],
];

export function pick<T>(values: readonly T[], entropy: Entropy): T {
  return values[uniformBelow(values.length, entropy)];
}

export function chance(oneIn: number, entropy: Entropy): boolean {
  return uniformBelow(oneIn, entropy) === 0;
}

/** The bytes with a few of them replaced, removed or followed by hostile ones. */
function spoiled(bytes: Uint8Array, entropy: Entropy): Uint8Array {
  const result = [...bytes];
  for (let changes = 1 + uniformBelow(4, entropy); changes > 0; changes--) {
    const at = uniformBelow(result.length + 1, entropy);
    const removed = uniformBelow(3, entropy);
    result.splice(at, removed, ...(chance(4, entropy) ? [] : pick(HOSTILE_BYTES, entropy)));
  }
  return Uint8Array.from(result);
}

/** With its end. */
export function hostileLine(row: Row, writer: LineWriter, entropy: Entropy): Uint8Array {
  if (chance(2000, entropy)) return Buffer.from(`${"x".repeat(LONGEST_LINE)},y\n`);
  const whole = Buffer.from(writer.line(row, entropy));
  const changed = chance(2, entropy) ? spoiled(whole, entropy) : whole;
  const bytes = isAboutNoOneElse(changed, row.user, writer) ? changed : whole;
  return Buffer.concat([bytes, Buffer.from(lineEnd(entropy))]);
}

/** Both lines with their ends. */
export function hostilePair(
  row: Row,
  writer: LineWriter,
  entropy: Entropy,
): readonly [Uint8Array, Uint8Array] {
  const [opens, closes] = writer.reachingPair(row, entropy);
  const whole = (line: string) => Buffer.from(line + lineEnd(entropy));
  return [whole(opens), whole(closes)];
}

/** A line end in the middle makes two lines, and the second one might name someone else. */
function isAboutNoOneElse(bytes: Uint8Array, user: string, writer: LineWriter): boolean {
  const isTheirs = (row: Row | undefined) => row === undefined || row.user === user;
  return [true, false].every((isFirst) =>
    linesOf(bytes, isFirst).every((line) => isTheirs(writer.read(line))),
  );
}

/** The readable lines in these bytes. A byte order mark is dropped in the first line of a file and is text elsewhere. */
export function linesOf(bytes: Uint8Array, isFirst: boolean): string[] {
  const splitter = new LineSplitter();
  const lines = [
    ...splitter.push(isFirst ? bytes : Buffer.concat([Buffer.from("\n"), bytes])),
    ...splitter.end(),
  ];
  return lines.filter((line) => line !== undefined);
}
