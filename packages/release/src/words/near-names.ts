/**
 * Remarks on names that resemble one another, by the library's distance of two words.
 * @module
 */
import { editDistance, nearest } from "winnow-dp";

/** ` Did you mean "visitor"?`, to append to a sentence; empty if no name is near. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const name = nearest(written, names);
  return name === undefined ? "" : ` Did you mean ${JSON.stringify(name)}?`;
}

/** The names, the nearest first. */
export function byDistance(written: string, names: readonly string[]): string[] {
  const distances = new Map(
    names.map((name) => [name, editDistance(written.toLowerCase(), name.toLowerCase())]),
  );
  return [...names].sort((a, b) => distances.get(a)! - distances.get(b)!);
}

/** The extensions of files of rows. */
const ENDINGS = /(\.(csv|tsv|tab|ndjson|jsonl|json|parquet|duckdb|db|ddb|gz|zst))+$/;

/**
 * Whether two names probably mean the same data set: equal except for the file extension, case and punctuation, or except for
 * one typo in a longer word. Names that differ only in numbers (2023, 2024) are different data sets.
 */
export function isNearName(one: string, other: string): boolean {
  if (one === other) return false;
  const [a, b] = [one, other].map((name) =>
    name
      .toLowerCase()
      .replace(ENDINGS, "")
      .replaceAll(/[^\p{L}\p{N}]+/gu, ""),
  );
  if (a === b) return true;
  if (a.replaceAll(/\d+/g, "0") === b.replaceAll(/\d+/g, "0")) return false;
  return Math.min(a.length, b.length) >= 5 && editDistance(a, b) === 1;
}
