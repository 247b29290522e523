/**
 * Texts and bytes that have broken readers: number forms that a sniffed type would make equal, quotes, separators, ends of
 * lines, spaces, encodings, formulas, and bytes that are no text.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { uniformBelow } from "winnow-dp/sample";

const NUMBERS = [
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
const WORDS = [
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
const SIGNS = [
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

export const HOSTILE_TEXTS: readonly string[] = [...NUMBERS, ...WORDS, ...SIGNS, "x".repeat(300)];

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
export function spoiled(bytes: Uint8Array, entropy: Entropy): Uint8Array {
  const result = [...bytes];
  for (let changes = 1 + uniformBelow(4, entropy); changes > 0; changes--) {
    const at = uniformBelow(result.length + 1, entropy);
    const removed = uniformBelow(3, entropy);
    result.splice(at, removed, ...(chance(4, entropy) ? [] : pick(HOSTILE_BYTES, entropy)));
  }
  return Uint8Array.from(result);
}
