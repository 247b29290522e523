/**
 * The name that was probably meant: of a public list, the one that needs the fewest letters inserted, removed, replaced or swapped
 * with their neighbour, in any case.
 * @module
 */

/**
 * The nearest of the names, or `undefined` if none is near.
 *
 * @example
 * ```ts
 * import { nearest } from "winnow-dp";
 *
 * nearest("epislon", ["epsilon", "delta"]); // → "epsilon"
 * nearest("quantity", ["epsilon", "delta"]); // → undefined
 * ```
 */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const edits = editDistance(written.toLowerCase(), name.toLowerCase());
    if (edits < least && edits <= mostEdits(written, name)) [best, least] = [name, edits];
  }
  return best;
}

/** Two typos in a short word make another word; in a long one they are still typos. One letter of the name must remain. */
function mostEdits(written: string, name: string): number {
  const few = Math.max(1, Math.floor(Math.max(written.length, name.length) / 3));
  return Math.min(few, name.length - 1);
}

/**
 * The distance of Damerau and Levenshtein in which no letter is edited twice.
 *
 * @example
 * ```ts
 * import { editDistance } from "winnow-dp";
 *
 * editDistance("aera", "area"); // → 1
 * ```
 */
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
