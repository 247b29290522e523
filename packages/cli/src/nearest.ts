/**
 * The name that was probably meant: the one of a public list that is nearest to what was written, by the fewest letters
 * inserted, left out, replaced or swapped with their neighbour.
 * @module
 */

/** The nearest of the names, or undefined where none is near. Upper and lower case are one letter. */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance <= mostEdits(written, name) && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
}

/** ` Did you mean "visitor"?`, to be put behind a sentence; nothing where no name is near. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const name = nearest(written, names);
  return name === undefined ? "" : ` Did you mean ${JSON.stringify(name)}?`;
}

/** Two slips in a short word make another word; in a long one they are still slips. */
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

/** What ends the name of a file of rows. */
const ENDINGS = /(\.(csv|tsv|tab|ndjson|jsonl|json|parquet|duckdb|db|ddb|gz|zst))+$/;

/**
 * Whether one data set is probably called by two names: equal but for the ending of a file, case and signs, or for one
 * slip in a longer word. Names that differ in numbers only (2023, 2024) are two.
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
