/**
 * Who the candidates are. Answers call them `candidate`: a position, where scores came in an array, or a name, where they
 * came as a `Map`, a record or pairs of a name and a score.
 *
 * Noise on scores is continuous, so a selection has no ties and the order in which candidates come decides nothing. A set of
 * the largest counts is released without noise: there names are strings, sorted by code points before anything is ranked, so
 * that ties and the order of the answer depend on names only. The order of insertion, which may be private, is forgotten.
 *
 * Arrays pass through untouched. Nothing that comes in is quoted in a refusal: names may be private.
 * @module
 */
import { invalidData, type WinnowError } from "../errors.js";
import type { Rational } from "../exact/rational.js";
import { lengthOf } from "../options.js";
import type { Scores } from "./scores.js";

/** Scores by name: a `Map`, a record, or pairs of a name and a score. Names differ from each other. */
export type NamedScores =
  | Iterable<readonly [name: unknown, score: number | bigint]>
  | { readonly [name: string]: number | bigint };

/** A name and how many individuals have it: an integer ≥ 0, as a bigint above 2^53. */
export type NamedCount = readonly [name: string, count: number | bigint];

/**
 * How many individuals have each name: a `Map`, a plain object, or any iterable of `[name, count]`. Each name comes once,
 * with its final count.
 */
export type NamedCounts = Iterable<NamedCount> | { readonly [name: string]: number | bigint };

/**
 * What an answer says of a candidate: its position, where scores came in an array, or its name.
 *
 * @typeParam Given The scores or counts.
 */
export type CandidateOf<Given> = [Given] extends [Scores]
  ? number
  : Given extends Scores
    ? number
    : Given extends Iterable<readonly [infer Name, unknown]>
      ? Name
      : `${keyof Given & (string | number)}`;

/**
 * A candidate that won.
 *
 * @typeParam Candidate A position or a name.
 */
export interface Winner<Candidate = number> {
  /** Its position in the array of scores, or its name if scores came with names. */
  readonly candidate: Candidate;
  /** By how much it leads the next, rounded down to a multiple of the resolution; only where one was given. */
  readonly gap?: Rational;
}

/**
 * A set of candidates.
 *
 * @typeParam Candidate A position or a name.
 */
export interface ChosenSet<Candidate = number> {
  /** Their positions, ascending, or their names, sorted by code points. */
  readonly candidates: readonly Candidate[];
}

/** Scores in an array, and the names of the candidates if they have any. */
interface Candidates<Name> {
  readonly scores: Scores;
  readonly names: readonly Name[] | undefined;
}

/** The candidates of a selection. An array is what it was. */
export function readCandidates(given: Scores | NamedScores, field = "scores"): Candidates<unknown> {
  const entries = entriesOf(given, field);
  if (entries === undefined) {
    lengthOf(field, given as Scores, ACCEPTED);
    return { scores: given as Scores, names: undefined };
  }
  const names: unknown[] = [];
  const scores: (number | bigint)[] = [];
  for (const entry of entries) {
    if (!Array.isArray(entry) || entry.length !== 2)
      throw refusal(field, "pairs of a name and a number throughout");
    names.push(entry[0]);
    scores.push(entry[1]);
  }
  if (new Set(names).size < names.length) throw refusal(field, "a list in which no name occurs twice");
  return { scores, names };
}

/** The candidates of a set, sorted by name. An array is what it was. */
export function readNamedCounts(given: Scores | NamedCounts, field = "histogram"): Candidates<string> {
  const { scores, names } = readCandidates(given, field);
  if (names === undefined) return { scores, names };
  if (!names.every((name) => typeof name === "string"))
    throw refusal(field, "a list with strings as names, by which ties are broken");
  const order = names.map((_, place) => place).sort((a, b) => byBytes(names[a], names[b]));
  return { scores: order.map((place) => scores[place]), names: order.map((place) => names[place]) };
}

const ACCEPTED = "an array, a typed array, a Map, a record, or pairs of a name and a number";

/** Pairs of a name and a score, or undefined where candidates have no names. */
function entriesOf(given: unknown, field: string): Iterable<unknown> | undefined {
  if (Array.isArray(given)) return Array.isArray(given[0]) ? given : undefined;
  if (typeof given !== "object" || given === null || ArrayBuffer.isView(given)) return undefined;
  if (Symbol.iterator in given && !("length" in given)) return given as Iterable<unknown>;
  if (!isPlain(given)) return undefined;
  if (!Object.hasOwn(given, "length")) return Object.entries(given);
  if (isArrayLike(given)) return undefined;
  throw refusal(field, 'a Map or pairs if a candidate is named "length"');
}

/** Whether it is an object literal or the like, of whatever realm. */
export function isPlain(given: object): boolean {
  const prototype = Object.getPrototypeOf(given);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether it has a length, just the positions below that, and nothing else. */
function isArrayLike(given: { readonly length?: unknown }): boolean {
  const keys = Object.keys(given).filter((key) => key !== "length"); // positions come first, ascending
  return keys.length === given.length && keys.every((key, place) => key === String(place));
}

function refusal(field: string, expected: string): WinnowError {
  return invalidData(field, expected, "invalid-parameter");
}

/**
 * Negative if the UTF-8 bytes of `a` come before those of `b`, which is the order of code points. In UTF-16 only the
 * surrogates are out of place: they stand for characters above all others. Unpaired ones have an order too, so that two
 * names that differ are never equal.
 */
export function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let place = 0; place < length; place++) {
    const unit = a.charCodeAt(place);
    const other = b.charCodeAt(place);
    if (unit !== other) return Number(isSurrogate(unit)) - Number(isSurrogate(other)) || unit - other;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

/** Winners by name instead of position, if candidates have names. */
export function nameWinners(
  winners: readonly Winner[],
  names: readonly unknown[] | undefined,
): readonly Winner<unknown>[] {
  return names === undefined
    ? winners
    : winners.map((winner) => ({ ...winner, candidate: names[winner.candidate] }));
}

/** One candidate, by name if it has one. */
export function nameChoice(position: number, names: readonly unknown[] | undefined): unknown {
  return names === undefined ? position : names[position];
}

/** A set, by name if candidates have names. */
export function nameSet(
  positions: readonly number[],
  names: readonly string[] | undefined,
): ChosenSet<number | string> {
  return { candidates: names === undefined ? positions : positions.map((position) => names[position]) };
}
