/**
 * Example data: people who visit areas of a web site, some areas far more often than others, by Zipf's law. A seed
 * generates everything, so the data are the same for everyone and describe no real person. They are never private: use
 * them to try things, to plan and to measure.
 *
 * Rank r comes up with probability proportional to 1/r, to within 2^−32. The generator uses only sums and quotients of
 * doubles, which are the same on every platform, so a seed gives the same ranks everywhere.
 * @module
 */

import type { Entropy } from "winnow-dp";
import { invalidParameter } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";

/** How many visits are generated, and by which law. */
export interface VisitsOptions {
  /** How many rows. Default 20,000. */
  readonly rows?: number | undefined;
  /** How many areas there are; the least visited may have no row. Default 24. */
  readonly items?: number | undefined;
  /** How many people there are at most. Default 5,000. */
  readonly users?: number | undefined;
  /** Equal seeds give equal data. Default "winnow". */
  readonly seed?: string | undefined;
}

/**
 * A person who visited an area.
 *
 * @inline
 */
export interface Visit {
  readonly user: string;
  readonly item: string;
}

const LARGEST_TEXT = 65_536;

/** The public list of candidates, by name: it says nothing about who is popular. */
export function candidatesOf({ items = 24 }: VisitsOptions = {}): string[] {
  return areaNames(count("items", items)).sort();
}

/** The rows, one at a time: memory does not grow with their number. */
export function* generateVisits(options: VisitsOptions = {}): Generator<Visit, void> {
  const { rows, names, draw } = visitsOf(options);
  for (let row = 0; row < rows; row++) {
    const item = names[draw.area()];
    yield { user: `u${draw.person()}`, item };
  }
}

/** How many rows there are, and how each is drawn: an area, by its place among the names, and then a person. */
function visitsOf({ rows = 20_000, items = 24, users = 5_000, seed = "winnow" }: VisitsOptions) {
  const names = areaNames(count("items", items));
  const areas = new Zipf(names.length);
  const people = count("users", users);
  const entropy = seededEntropy(seed);
  const draw = { area: () => areas.draw(entropy), person: () => personOf(entropy.word(), people) };
  return { rows: count("rows", rows), names, draw };
}

/** The rows as CSV with the header `user,area`, in pieces of about 64 KiB. */
export function* generateCsv(options: VisitsOptions = {}): Generator<string, void> {
  let text = "user,area\n";
  for (const { user, item } of generateVisits(options)) {
    text += `${user},${item}\n`;
    if (text.length < LARGEST_TEXT) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

/** How many people visited each candidate, in the order of `candidatesOf`. */
export function countVisitors(options: VisitsOptions = {}): { items: string[]; users: number[] } {
  const { rows, names, draw } = visitsOf(options);
  const areas = new Uint32Array(rows);
  const people = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    areas[row] = draw.area();
    people[row] = draw.person();
  }
  const visitors = new Map(
    distinctIn(areas, people, names.length).map((users, area) => [names[area], users]),
  );
  const items = candidatesOf(options);
  return { items, users: items.map((item) => visitors.get(item) ?? 0) };
}

/** How many different values stand beside each group, sorted into one list, group after group. */
function distinctIn(groups: Uint32Array, values: Float64Array, size: number): number[] {
  const ends = new Uint32Array(size + 1);
  for (const group of groups) ends[group + 1]++;
  for (let group = 0; group < size; group++) ends[group + 1] += ends[group];
  const sorted = new Float64Array(values.length);
  const next = ends.slice();
  for (let i = 0; i < values.length; i++) sorted[next[groups[i]]++] = values[i];
  return Array.from({ length: size }, (_, group) => {
    const members = sorted.subarray(ends[group], ends[group + 1]).sort();
    let distinct = 0;
    for (let i = 0; i < members.length; i++) if (i === 0 || members[i] !== members[i - 1]) distinct++;
    return distinct;
  });
}

/** Nearly uniform: a person more or less in 2^32 does not matter here. */
function personOf(word: number, people: number): number {
  return Math.floor((word / 2 ** 32) * people);
}

function count(field: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw invalidParameter(field, "an integer >= 1", value);
  return value;
}

const AREAS = [
  "search",
  "news",
  "maps",
  "mail",
  "sports",
  "weather",
  "games",
  "jobs",
  "travel",
  "health",
  "music",
  "recipes",
  "movies",
  "finance",
  "books",
  "photos",
  "science",
  "events",
  "fashion",
  "gardens",
  "radio",
  "crafts",
  "pets",
  "history",
  "languages",
  "cycling",
  "astronomy",
  "chess",
  "museums",
  "podcasts",
  "help",
  "about",
];

/** `count` distinct names, the popular ones first. */
function areaNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => AREAS[index] ?? `area-${index + 1}`);
}

const GUIDES = 4096;
const WORDS = 2 ** 32;

export class Zipf {
  /** Rank r is drawn by words from the bound before it up to its own. */
  readonly #bounds: Float64Array;
  /** The first rank that a word with these leading bits can draw. */
  readonly #guide: Uint32Array;

  constructor(ranks: number) {
    this.#bounds = boundsOf(ranks);
    this.#guide = new Uint32Array(GUIDES);
    for (let i = 0, rank = 0; i < GUIDES; i++) {
      while (this.#bounds[rank] <= (i / GUIDES) * WORDS) rank++;
      this.#guide[i] = rank;
    }
  }

  /** A rank from 0; one word of the entropy. */
  draw(entropy: Entropy): number {
    const word = entropy.word();
    let rank = this.#guide[word >>> 20];
    while (this.#bounds[rank] <= word) rank++;
    return rank;
  }
}

function boundsOf(ranks: number): Float64Array {
  const bounds = new Float64Array(ranks);
  let sum = 0;
  for (let rank = 0; rank < ranks; rank++) {
    sum += 1 / (rank + 1);
    bounds[rank] = sum;
  }
  for (let rank = 0; rank < ranks; rank++) bounds[rank] = (bounds[rank] / sum) * WORDS;
  bounds[ranks - 1] = WORDS;
  return bounds;
}
