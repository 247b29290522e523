/**
 * Rows that are easily read wrong, what their histogram is, and how to get one from a source.
 * @module
 */
import type { Predicate } from "winnow-release";
import type { Candidates, ContributionBound, Source } from "../../../src/sources/source.js";

export type Row = readonly [user: string | undefined, item: string | undefined];

/** Texts that trimming, numbers, quoting, escaping, cases, collations or Unicode normal forms would change or mix up. */
export const TRICKY = [
  "17",
  "017",
  "17.0",
  " 17",
  "1e3",
  "9007199254740993",
  "9007199254740992",
  "a",
  "A",
  "á",
  "a\u0301",
  "ß",
  "ss",
  "日本",
  "😀",
  "it's",
  'say "hi"',
  "back\\slash",
  "\\N",
  "semi;colon",
  "100%",
  "-- comment",
  "'); DROP TABLE visits; --",
  "NULL",
  "tab\there",
  "\u202eright",
  "trailing ",
];

/** Every item with as many users as its place says, some of them on several rows, and rows that count for nobody. */
export function trickyRows(): Row[] {
  const rows: Row[] = [];
  for (const [place, item] of TRICKY.entries())
    for (let user = 0; user <= place; user++) {
      const name = `${TRICKY[user]}${user % 3 === 0 ? "" : user}`;
      rows.push([name, item]);
      if ((user + place) % 2 === 0) rows.push([name, item]);
    }
  rows.push(["", "a"], [undefined, "a"], ["nobody", ""], ["nobody", undefined], [undefined, undefined]);
  return rows;
}

/** The histogram by definition: distinct users of each item, empty and missing ones left out. */
export function countHere(rows: Iterable<Row>): Map<string, number> {
  const users = new Map<string, Set<string>>();
  for (const [user, item] of rows) {
    if (!user || !item) continue;
    const known = users.get(item) ?? new Set();
    users.set(item, known.add(user));
  }
  return new Map([...users].map(([item, those]) => [item, those.size]));
}

/** Row for row, by item. */
export function sorted(histogram: Iterable<readonly [string, number]>): [string, number][] {
  return [...histogram]
    .map(([item, users]): [string, number] => [item, users])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** All pairs of a source in the order in which they come. */
export async function collect(
  source: Source,
  candidates: Candidates,
  columns = { item: "item", user: "user" },
  bound?: ContributionBound,
  where?: Predicate,
): Promise<[string, number][]> {
  const pairs: [string, number][] = [];
  for await (const { items, users } of source.histogram({ ...columns, candidates, bound, where }))
    items.forEach((item, place) => {
      pairs.push([item, users[place]]);
    });
  return pairs;
}
