/**
 * Two files that differ in one person's rows, as hostile as they come. A person is one value of the user column: what the
 * person writes may be malformed in any way, but a line of theirs that can be read is about them.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { shuffle, uniformBelow } from "winnow-dp/sample";
import { LineSplitter, LONGEST_LINE } from "winnow-release";
import { chance, HOSTILE_TEXTS, pick, spoiled } from "./hostile-text.js";
import { type LineFormat, LineWriter, lineEnd, type Row } from "./line-writer.js";

/** The public list of candidates of all generated files. */
export const CANDIDATES: readonly string[] = [
  "apple",
  "pear",
  "plum",
  "17",
  "17.0",
  " 17",
  "a,b",
  'a"b',
  "é",
  "e\u0301",
];

export interface RowPair {
  readonly others: readonly Row[];
  readonly person: readonly Row[];
}

export interface FilePair {
  readonly without: Uint8Array;
  readonly with: Uint8Array;
}

const MOST_PEOPLE = 12;
const MOST_ROWS = 4;

/** Rows of some people, and of one more. */
export function generateRows(entropy: Entropy): RowPair {
  const names = shuffle([...HOSTILE_TEXTS.filter((text) => text !== ""), "ada", "bob", "eve"], entropy);
  const people = names.slice(0, uniformBelow(MOST_PEOPLE, entropy));
  const rowsOf = (user: string): Row[] =>
    Array.from({ length: 1 + uniformBelow(MOST_ROWS, entropy) }, () => ({ user, item: anyItem(entropy) }));
  return { others: people.flatMap(rowsOf), person: rowsOf(names.at(-1)!) };
}

function anyItem(entropy: Entropy): string {
  return pick(chance(4, entropy) ? HOSTILE_TEXTS : CANDIDATES, entropy);
}

/** The rows as lines, some of them spoiled; the person's lie anywhere among the others'. */
export function generateFiles({ others, person }: RowPair, format: LineFormat, entropy: Entropy): FilePair {
  const writer = new LineWriter(format, entropy);
  const header = encode(writer.header(entropy));
  const lines = shuffle(
    [
      ...others.map((row) => ({ isPerson: false, bytes: lineOf(row, writer, entropy) })),
      ...person.map((row) => ({ isPerson: true, bytes: lineOf(row, writer, entropy) })),
    ],
    entropy,
  );
  const mark = chance(8, entropy) ? Uint8Array.of(0xef, 0xbb, 0xbf) : new Uint8Array();
  return {
    without: joined([mark, header, ...lines.filter(({ isPerson }) => !isPerson).map(({ bytes }) => bytes)]),
    with: joined([mark, header, ...lines.map(({ bytes }) => bytes)]),
  };
}

function lineOf(row: Row, writer: LineWriter, entropy: Entropy): Uint8Array {
  if (chance(2000, entropy)) return encode(`${"x".repeat(LONGEST_LINE)},y\n`);
  const whole = encode(writer.line(row, pick(HOSTILE_TEXTS, entropy), entropy));
  const changed = chance(2, entropy) ? spoiled(whole, entropy) : whole;
  const bytes = isAboutNobodyElse(changed, row.user, writer) ? changed : whole;
  return joined([bytes, encode(lineEnd(entropy))]);
}

/** An end of line in the middle makes two lines, and the second one might name somebody else. */
function isAboutNobodyElse(bytes: Uint8Array, user: string, writer: LineWriter): boolean {
  const splitter = new LineSplitter();
  const lines = [...splitter.push(Uint8Array.of(10)), ...splitter.push(bytes), ...splitter.end()];
  return lines.every((line) => line === undefined || ["", user].includes(writer.userOf(line)));
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
