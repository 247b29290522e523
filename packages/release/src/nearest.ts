/**
 * The name that was probably meant: the one in a public list that needs the fewest letters inserted, removed, replaced or
 * swapped with their neighbour.
 * @module
 */

/** The nearest of the names, or undefined if none is near. Ignores case. */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance <= mostEdits(written, name) && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
}

/** The names, the nearest first. */
export function byDistance(written: string, names: readonly string[]): string[] {
  const distances = new Map(
    names.map((name) => [name, editDistance(written.toLowerCase(), name.toLowerCase())]),
  );
  return [...names].sort((a, b) => distances.get(a)! - distances.get(b)!);
}

/** ` Did you mean "visitor"?`, to append to a sentence; empty if no name is near. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const name = nearest(written, names);
  return name === undefined ? "" : ` Did you mean ${JSON.stringify(name)}?`;
}

/** Two typos in a short word make another word; in a long one they are still typos. */
function mostEdits(written: string, name: string): number {
  return Math.max(1, Math.floor(Math.max(written.length, name.length) / 3));
}

/** The distance of Damerau and Levenshtein in which no letter is edited twice. */
export function editDistance(a: string, b: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length];
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
