/**
 * Histograms of people per item: public data where they are present, one's own, and generated ones always. The files are
 * never part of the project.
 *
 * Data of one's own go into the folder of `--data` as `NAME.PEOPLE.counts.csv`, such as `brightkite.51406.counts.csv`: a header line
 * and a line for each item, fields separated by commas and without quotes, the last one being how many of the PEOPLE have the item.
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { seededEntropy } from "winnow-dp/testing";

export interface Dataset {
  readonly name: string;
  /** How many people there are. */
  readonly people: number;
  /** How many of them have each item. */
  readonly counts: Float64Array;
}

/** The data sets that can be had. */
export function datasets(folder: string): Dataset[] {
  const present = [
    { name: "retail", people: 88_162, file: "retail_item_counts.csv" },
    { name: "Kosarak (prefix)", people: 36_682, file: "kosarak_PREFIX36682_item_counts.csv" },
    { name: "web", people: 32_710, file: "msweb_item_user_counts.csv" },
    { name: "T10I4D100K", people: 100_000, file: "T10I4D100K_item_counts.csv" },
    ...ownFiles(folder),
  ].flatMap(({ name, people, file }) => {
    const counts = itemCounts(join(folder, file));
    return counts === undefined ? [] : [{ name, people, counts }];
  });
  return [...present, generated()];
}

const OWN = /^(.+)\.([1-9]\d*)\.counts\.csv$/;

function ownFiles(folder: string): { name: string; people: number; file: string }[] {
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return files.flatMap((file) => {
    const [, name, people] = OWN.exec(file) ?? [];
    return name === undefined ? [] : [{ name, people: Number(people), file }];
  });
}

/**
 * As many people and places as the two data sets of check-ins in [ZW22, Table 1] have, which are not to be had. Counts fall as
 * 1/rank; how fast the real ones fall is a guess.
 */
export function checkInStandIns(): Dataset[] {
  return [
    { name: "BrightKite (generated stand-in)", people: 100_000, places: 1_280_000, first: 5000 },
    { name: "Foursquare (generated stand-in)", people: 2293, places: 100_000, first: 1100 },
  ].map(({ name, people, places, first }) => ({
    name,
    people,
    counts: Float64Array.from({ length: places }, (_, rank) => Math.max(1, Math.floor(first / (rank + 1)))),
  }));
}

/** The last column of a file of items and their counts, or undefined if it is not there. */
export function itemCounts(file: string): Float64Array | undefined {
  const rows = readRows(file);
  return rows === undefined ? undefined : lastColumn(rows);
}

/** Zipf's law as in many item counts: 100,000 people, and the item of rank r has 60,000/r of them. */
export function generated(): Dataset {
  const counts = Float64Array.from({ length: 20_000 }, (_, rank) => Math.floor(60_000 / (rank + 1)));
  return { name: "generated (Zipf)", people: 100_000, counts };
}

/** New cases on each day for each state, or undefined if the file is not there. */
export function casesByDay(folder: string): Float64Array[] | undefined {
  const rows = readRows(join(folder, "covid19_us_states_new_cases_2020-03-12_2020-05-12.csv"));
  if (rows === undefined) return undefined;
  const dates = [...new Set(rows.map(([date]) => date))].sort();
  return dates.map((date) => lastColumn(rows.filter((row) => row[0] === date)));
}

/**
 * What new cases look like where the file isn't there: 62 days and 55 jurisdictions as in the file, 400 cases at first and up to 28,000 a
 * day within three weeks, of which the r-th jurisdiction has a share that falls as r^−1.2, give or take half a factor of e each day.
 */
export function generatedCases(): Float64Array[] {
  const bits = seededEntropy("generated cases");
  const shares = Array.from({ length: 55 }, (_, rank) => (rank + 1) ** -1.2);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return Array.from({ length: 62 }, (_, day) => {
    const cases = 28_000 / (1 + 70 * Math.exp(-0.35 * day));
    return Float64Array.from(shares, (share) => {
      const factor = Math.exp(bits.bits(30) / 2 ** 30 - 0.5);
      return Math.floor((cases * share * factor) / whole);
    });
  });
}

/** Corrections of earlier days can make a count negative; it is then 0. */
function lastColumn(rows: readonly string[][]): Float64Array {
  return Float64Array.from(rows, (row) => Math.max(0, Number(row.at(-1))));
}

/** The rows after the header. No field of these files has a quote or a comma in it. */
function readRows(file: string): string[][] | undefined {
  if (!existsSync(file)) return undefined;
  const [, ...lines] = readFileSync(file, "utf8").trimEnd().split(/\r?\n/);
  return lines.map((line) => line.split(","));
}
