/**
 * Rows of people who have more items than they may count for, under names that engines sort, compare or hash in different
 * ways; and what the library counts in them.
 * @module
 */
import { boundContributions, boundValues } from "winnow-dp";
import type { ContributionBound } from "../../src/sources/source.js";

export type Pair = readonly [user: string, item: string];

/** In the order of their bytes; a collation, UTF-16 or trimming has another one, or makes some of them equal. */
export const NAMES_BY_BYTES = [
  " ",
  " a",
  "A",
  "B",
  "Z",
  "a",
  "a ",
  "a  ",
  "aB",
  "ab",
  "b",
  "e",
  "e\u0301",
  "É",
  "ß",
  "é",
  "\u00ff",
  "\u2028",
  "日本",
  "\ud7ff",
  "\ue000",
  "\ufb00",
  "\ufeff",
  "\uffff",
  "\u{10000}",
  "😀",
  "\u{10ffff}",
];

const LONG = "long \u{1f600} ".repeat(100);

/** Each person with shared items and some of their own, so that counts tell which ones were kept. */
export function crowdedRows(): Pair[] {
  const people = [...NAMES_BY_BYTES, LONG, "1", "1:", "11"];
  return people.flatMap((user, place) => {
    const shared = [...NAMES_BY_BYTES, LONG].filter((_, i) => (i * 7 + place * 3) % 5 < 2);
    return [...shared, `${user} only`, `${user}:`, `1:${user}`].map((item): Pair => [user, item]);
  });
}

/** Texts that are numbers in every engine, and texts that are numbers in none, though some parsers take them. */
export const NUMBERS = ["0", "-0", "7", "+7", "007", "7.", ".5", "-12.250", "1e3", "1E-2", "9".repeat(40)];
export const WORDS = [
  "NaN",
  "inf",
  "Infinity",
  "-Infinity",
  "1e",
  "1e1000",
  "0x1F",
  "1_000",
  " 7",
  "7 ",
  "٧",
  "n/a",
  "--1",
  ".",
  "1.5.2",
  "9".repeat(41),
];

/** Each person with words and numbers, some of them several times. */
export function numericRows(): Pair[] {
  return Array.from({ length: 40 }, (_, i) => `user ${i}`).flatMap((user, i) =>
    [...WORDS, ...NUMBERS].flatMap((item, j) =>
      Array.from({ length: (i + j) % 3 }, (): Pair => [user, item]),
    ),
  );
}

/** The same rows, some of them twice, in another order. */
export function shuffledRows(rows: readonly Pair[]): Pair[] {
  const key = (place: number) => (place * 7919 + 13) % 104_729;
  return [...rows, ...rows.filter((_, i) => i % 3 === 0)]
    .map((row, place) => ({ row, order: key(place) }))
    .sort((a, b) => a.order - b.order)
    .map(({ row }) => row);
}

/** Bounds that cut everybody, most people and nobody, under two keys. */
export const BOUNDS: readonly ContributionBound[] = [
  { itemsPerUser: 1, key: new Uint8Array(32) },
  { itemsPerUser: 4, key: Uint8Array.from({ length: 32 }, (_, i) => 255 - 7 * i) },
  { itemsPerUser: 1000, key: Uint8Array.from({ length: 32 }, (_, i) => i) },
];

/** By count and bytes, as an engine gives them. */
export function boundedHere(
  rows: Iterable<Pair>,
  { itemsPerUser, key }: ContributionBound,
): [string, number][] {
  return byCountAndBytes(boundContributions(rows, { maxItemsPerUser: itemsPerUser, key }));
}

/** The same of values, which weigh as often as a person has them. */
export function boundedValuesHere(
  rows: Iterable<Pair>,
  { itemsPerUser, key }: ContributionBound,
): [string, number][] {
  return byCountAndBytes(boundValues(rows, { maxValuesPerUser: itemsPerUser, key }));
}

export function byCountAndBytes(counts: Iterable<readonly [string, number]>): [string, number][] {
  return [...counts]
    .map(([item, users]): [string, number] => [item, users])
    .sort(([a, m], [b, n]) => n - m || Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
