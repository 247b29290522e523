/**
 * Two files that differ in one person's rows, as hostile as they come.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { shuffle, uniformBelow } from "winnow-dp/sample";
import { hostileLine } from "./hostile-line.js";
import { chance, HOSTILE_TEXTS, pick } from "./hostile-text.js";
import { type LineFormat, LineWriter, type Row } from "./line-writer.js";

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

const COLUMNS = [
  ["user", "item"],
  ["item", "user"],
  ["item", "other", "user"],
];
const BYTE_ORDER_MARK = "\uFEFF";
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
  const writer = new LineWriter({
    format,
    columns: pick(COLUMNS, entropy),
    dialect: { delimiter: format === "tsv" ? "\t" : ",", quote: '"' },
    roles: { item: "item", user: "user" },
  });
  const lines = [
    ...others.map((row) => ({ isPerson: false, bytes: hostileLine(row, writer, entropy) })),
    ...person.map((row) => ({ isPerson: true, bytes: hostileLine(row, writer, entropy) })),
  ];
  const start = [chance(8, entropy) ? BYTE_ORDER_MARK : "", writer.header(entropy)].map((text) =>
    Buffer.from(text),
  );
  const mixed = shuffle(lines, entropy);
  return {
    without: Buffer.concat([
      ...start,
      ...mixed.filter(({ isPerson }) => !isPerson).map(({ bytes }) => bytes),
    ]),
    with: Buffer.concat([...start, ...mixed.map(({ bytes }) => bytes)]),
  };
}
