/**
 * Histograms whose candidates are names that no one listed beforehand: a `Map`, a plain object, or pairs of name and
 * count from anywhere. `LargestRows` keeps the first rows of one, ordered by falling count and, where counts are equal,
 * by the bytes of the name in UTF-8: an order that doesn't depend on the data, on the engine or on the shard.
 *
 * Memory: about twice the rows that are kept, whatever the number of names. Proof: limited-top-k.proof.md, 1.
 * @module
 */
import { invalidData, WinnowError } from "../errors.js";
import { byBytes, isPlain, type NamedCount, type NamedCounts } from "../race/candidates.js";
import { nthLargest } from "../race/nth-largest.js";
import { toDouble } from "../race/scores.js";

/** The pairs of a histogram, each still to be checked. */
export function pairsOf(histogram: NamedCounts): Iterable<NamedCount> {
  if (typeof histogram !== "object" || histogram === null) throw invalidHistogram();
  if (Symbol.iterator in histogram) return histogram as Iterable<NamedCount>;
  if (!isPlain(histogram) || Symbol.asyncIterator in histogram) throw invalidHistogram();
  return Object.entries(histogram as Readonly<Record<string, number | bigint>>);
}

/** Whether no name can come twice, because of what holds them. */
export function hasUniqueNames(histogram: NamedCounts): boolean {
  return Object.getPrototypeOf(histogram) === Map.prototype || !(Symbol.iterator in histogram);
}

/** The name of a pair, checked. */
export function nameOf(pair: NamedCount): string {
  const name = typeof pair === "object" && pair !== null ? pair[0] : undefined; // once: it may be computed
  if (typeof name !== "string") throw invalidHistogram();
  return name;
}

/** A count, checked: a number while it is a safe integer, else a bigint. */
export function countOf(count: number | bigint): number | bigint {
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  if (typeof count !== "bigint" || count < 0n) throw invalidHistogram();
  return count <= Number.MAX_SAFE_INTEGER ? Number(count) : count;
}

/** All counts by name; throws if it isn't a histogram. */
export function readHistogram(histogram: NamedCounts): Map<string, number | bigint> {
  const counts = new Map<string, number | bigint>();
  for (const pair of pairsOf(histogram)) {
    const [name, count] = [nameOf(pair), countOf(pair[1])];
    if (counts.has(name)) throw invalidHistogram();
    counts.set(name, count);
  }
  return counts;
}

/** Whether each name is there once, with an integer count ≥ 0. */
export function isHistogram(histogram: NamedCounts): boolean {
  try {
    readHistogram(histogram);
    return true;
  } catch (error) {
    if (error instanceof WinnowError) return false;
    throw error;
  }
}

/** The refusal of a name or a count, which says nothing about it: both are private. */
export function invalidHistogram(): WinnowError {
  const expected =
    "a Map, a plain object or an iterable of [name, count], with each name once and integers >= 0 (bigints above 2^53)";
  return invalidData("histogram", expected);
}

/** Counts in a unit of which sensitivity and threshold are multiples, unless they leave the doubles, by which they are scanned. */
export function refuseLarge(counts: bigint[]): bigint[] {
  const expected = "counts up to 1.79e308 in a unit of which sensitivity and threshold are multiples";
  for (const count of counts) toDouble(count, () => invalidData("histogram", expected));
  return counts;
}

/** The first rows of a histogram, and the count of the row after them. */
export interface Leaders {
  /** At most as many as were asked for, in no particular order. */
  readonly names: readonly string[];
  readonly counts: readonly (number | bigint)[];
  /** The count of the next row; 0 if there is none. */
  readonly next: number | bigint;
}

export class LargestRows {
  /** One more than the rows to keep: the count of the next one matters too. */
  readonly #places: number;
  readonly #room: number;
  #names: string[] = [];
  #counts: (number | bigint)[] = [];
  /** A row after this one has at least `places` others before it. */
  #cut: number | bigint = 1;
  #cutName: string | undefined;

  constructor(rows: number) {
    this.#places = rows + 1;
    this.#room = 2 * this.#places + 64;
  }

  /** A row with its final count. One that can't be among the first is forgotten. */
  push(name: string, count: number | bigint): void {
    if (count < this.#cut) return;
    if (count === this.#cut && this.#cutName !== undefined && byBytes(name, this.#cutName) > 0) return;
    this.#names.push(name);
    this.#counts.push(count);
    if (this.#names.length >= this.#room) this.#compact();
  }

  pushAll(pairs: Iterable<NamedCount>): void {
    for (const pair of pairs) this.push(nameOf(pair), countOf(pair[1]));
  }

  /** Takes over the rows of another part of the histogram. */
  join(other: LargestRows): void {
    other.#compact();
    for (const [i, name] of other.#names.entries()) this.push(name, other.#counts[i]);
  }

  /** The first rows; refuses a name that is among them twice, if that isn't ruled out. */
  leaders(isUnique: boolean): Leaders {
    this.#compact();
    const [names, counts] = [this.#names, this.#counts];
    if (!isUnique && new Set(names).size < names.length) throw invalidHistogram();
    if (names.length < this.#places) return { names, counts, next: 0 };
    const last = this.#last();
    const next = counts[last];
    return { names: without(names, last), counts: without(counts, last), next };
  }

  /** Where the row is that comes after all others. */
  #last(): number {
    const [names, counts] = [this.#names, this.#counts];
    let last = 0;
    for (let i = 1; i < names.length; i++) {
      if (counts[i] > counts[last]) continue;
      if (counts[i] < counts[last] || byBytes(names[i], names[last]) > 0) last = i;
    }
    return last;
  }

  /** Drops all but the first `places` rows; those that stay keep their order. */
  #compact(): void {
    const [names, counts] = [this.#names, this.#counts];
    if (names.length <= this.#places) return;
    const level = nthLargestCount(counts, this.#places);
    const above = counts.filter((count) => count > level).length;
    const tied = names.filter((_, i) => counts[i] === level).sort(byBytes);
    this.#cut = level;
    this.#cutName = tied[this.#places - above - 1];
    const cutName = this.#cutName;
    const stays = counts.map(
      (count, i) => count > level || (count === level && byBytes(names[i], cutName) <= 0),
    );
    this.#names = names.filter((_, i) => stays[i]);
    this.#counts = counts.filter((_, i) => stays[i]);
  }
}

/** The n-th largest count, exactly. */
function nthLargestCount(counts: readonly (number | bigint)[], n: number): number | bigint {
  if (counts.every((count) => typeof count === "number"))
    return nthLargest(Float64Array.from(counts as readonly number[]), counts.length, n);
  return counts.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))[n - 1];
}

function without<T>(list: readonly T[], place: number): T[] {
  return list.filter((_, i) => i !== place);
}
