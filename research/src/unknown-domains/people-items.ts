/**
 * People and their items: public data where they are present, and generated ones always. The public files are never part
 * of the project.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { seededEntropy } from "winnow-dp/testing";

export interface PeopleItems {
  readonly name: string;
  readonly people: number;
  /** A person and an item each, every pair once. */
  readonly rows: readonly (readonly [person: string, item: string])[];
  /** How many people have each item, most first. */
  readonly counts: ReadonlyMap<string, number>;
}

const FILES = [
  { name: "web", file: "msweb_user_item_pairs.csv.gz", read: pairs },
  { name: "retail", file: "retail.dat.gz", read: baskets },
  { name: "Kosarak (prefix)", file: "kosarak_PREFIX36682.dat.gz", read: baskets },
];

/** The data sets that can be had. */
export function peopleItems(folder: string): PeopleItems[] {
  const present = FILES.filter(({ file }) => existsSync(join(folder, file)));
  const read = present.map(({ name, file, read }) => {
    const lines = gunzipSync(readFileSync(join(folder, file)))
      .toString("utf8")
      .trimEnd()
      .split(/\r?\n/);
    return counted(name, read(lines));
  });
  return [...read, generated()];
}

/** A person and an item in each line after the header. */
function pairs([, ...lines]: readonly string[]): [string, string][] {
  return lines.map((line) => line.split(",") as [string, string]);
}

/** One person's items in each line. */
function baskets(lines: readonly string[]): [string, string][] {
  return lines.flatMap((line, person) =>
    [...new Set(line.split(" "))]
      .filter((item) => item !== "")
      .map((item): [string, string] => [String(person), item]),
  );
}

/** 4,000 people, each with up to 16 items; the item of rank r is drawn about 1/r as often as the first. */
function generated(): PeopleItems {
  const entropy = seededEntropy("people and items");
  const ranks = Array.from({ length: 2_000 }, (_, rank) => 1 / (rank + 1));
  const sums = ranks.map(
    (
      (sum) => (weight: number) =>
        (sum += weight)
    )(0),
  );
  const drawn = () => {
    const at = (entropy.bits(32) / 2 ** 32) * sums[sums.length - 1];
    return String(sums.findIndex((sum) => sum > at));
  };
  const rows = Array.from({ length: 4_000 }, (_, person) => {
    const items = new Set(Array.from({ length: 1 + entropy.bits(4) }, drawn));
    return [...items].map((item): [string, string] => [String(person), item]);
  });
  return counted("generated (Zipf)", rows.flat());
}

function counted(name: string, rows: PeopleItems["rows"]): PeopleItems {
  const counts = new Map<string, number>();
  for (const [, item] of rows) counts.set(item, (counts.get(item) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return { name, people: new Set(rows.map(([person]) => person)).size, rows, counts: new Map(sorted) };
}
