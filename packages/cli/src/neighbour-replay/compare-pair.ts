/**
 * Checks on a pair of files what one person's rows may change. They may change each count by at most one, all in the
 * same direction (the assumption of the mechanisms' theorems). With equal random bits, equal counts must give equal
 * answers, and the shape of the answer, its price and the items it may name must never change. With a limit on the
 * items of a person, at most that many counts may change, all of the person's own items. For quantiles, where only numbers
 * count and a value weighs as often as its person has it, at most that many values may come, all of the person's own. A
 * frequency list may move by at most as many people.
 *
 * The report contains the numbers of pairs and the kinds of failures, and nothing that was read, so it may be
 * shown.
 * @module
 */
import { lossToJson } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  type Answer,
  candidatesWanted,
  NUMBER_PATTERN,
  type Question,
  Refusal,
  select,
} from "winnow-release";
import type { ContributionBound } from "../sources/source.js";

/** Users of each item that has any. */
type Histogram = ReadonlyMap<string, number>;

/** The counts of a file, or the refusal. */
export type Counts = FileCounts | Refusal;

interface FileCounts {
  readonly all: Histogram;
  /** The counts if each person counts for `ITEMS_KEPT` items. */
  readonly kept: Histogram;
  /** How many times each number is kept where each person has `ITEMS_KEPT` values. */
  readonly numbers: Histogram;
}

/** Fewer than most people in the generated files have. */
export const ITEMS_KEPT = 2;

/** The bound that both files of a pair share. */
export function boundOf(seed: string): ContributionBound {
  const entropy = seededEntropy(`key of ${seed}`);
  return { itemsPerUser: ITEMS_KEPT, key: Uint8Array.from({ length: 32 }, () => entropy.bits(8)) };
}

export interface Questions {
  readonly candidates: readonly string[];
  readonly listed: Question;
  readonly unknown: Question;
  readonly quantile: Question;
  readonly frequencies: Question;
}

const NUMBER = new RegExp(NUMBER_PATTERN);

/** `less` is without the person. */
export async function comparePair(
  format: string,
  less: Counts,
  more: Counts,
  questions: Questions,
  seed: string,
): Promise<PairResult> {
  if (less instanceof Refusal || more instanceof Refusal) return compareRefusals(format, less, more);
  const changes = changesBetween(less.all, more.all);
  const kept = changesBetween(less.kept, more.kept);
  const theirNumbers = new Map([...changes].filter(([item]) => NUMBER.test(item)));
  const failures = [
    ...(isByOne(changes) ? [] : (["count-moved-too-far"] as const)),
    ...(isOfThePerson(kept, changes) ? [] : (["kept-items-moved"] as const)),
    ...(areTheirValues(changesBetween(less.numbers, more.numbers), theirNumbers)
      ? []
      : (["numbers-moved"] as const)),
    ...(listDistance(less.kept, more.kept) <= ITEMS_KEPT ? [] : (["list-moved-too-far"] as const)),
    ...(await compareReleases(less, more, questions, seed)),
  ];
  const change = [...changes.values()].reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const isCut = kept.size < changes.size;
  return { format, change, isCut, isRefused: false, releases: 8, failures };
}

function compareRefusals(format: string, less: Counts, more: Counts): PairResult {
  const code = (counts: Counts) => (counts instanceof Refusal ? counts.code : undefined);
  const failures: ReplayFailure[] = code(less) === code(more) ? [] : ["refused-alone"];
  return { format, change: 0, isCut: false, isRefused: true, releases: 0, failures };
}

/** The changes of the counts that changed. */
function changesBetween(less: Histogram, more: Histogram): Map<string, number> {
  const items = [...new Set([...less.keys(), ...more.keys()])];
  const changes = items.map((item) => [item, (more.get(item) ?? 0) - (less.get(item) ?? 0)] as const);
  return new Map(changes.filter(([, change]) => change !== 0));
}

function isByOne(changes: ReadonlyMap<string, number>): boolean {
  return [...changes.values()].every((change) => change === 1);
}

/** The items of the person are those whose counts change without a limit. */
function isOfThePerson(kept: ReadonlyMap<string, number>, changes: ReadonlyMap<string, number>): boolean {
  const isTheirs = [...kept.keys()].every((item) => changes.has(item));
  return isTheirs && isByOne(kept) && kept.size === Math.min(ITEMS_KEPT, changes.size);
}

/** How often the person has each value isn't known here, so some of the values may be kept more than once. */
function areTheirValues(kept: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): boolean {
  const isTheirs = [...kept].every(([item, change]) => theirs.has(item) && change > 0);
  const values = [...kept.values()].reduce((sum, change) => sum + change, 0);
  return isTheirs && values <= ITEMS_KEPT && values >= Math.min(ITEMS_KEPT, theirs.size);
}

/** How many people two sorted lists of counts differ by, summed over their places. */
function listDistance(less: Histogram, more: Histogram): number {
  const [one, other] = [less, more].map((counts) => [...counts.values()].sort((a, b) => b - a));
  const length = Math.max(one.length, other.length);
  let distance = 0;
  for (let place = 0; place < length; place++) distance += Math.abs((one[place] ?? 0) - (other[place] ?? 0));
  return distance;
}

async function compareReleases(
  less: FileCounts,
  more: FileCounts,
  { candidates, listed, unknown, quantile, frequencies }: Questions,
  seed: string,
): Promise<ReplayFailure[]> {
  const all = ({ all }: FileCounts) => candidates.map((item) => [item, all.get(item) ?? 0] as const);
  const first = (counts: FileCounts) => largest(counts.all, unknown);
  const known = (item: string) => less.all.has(item) && more.all.has(item);
  const values = ({ numbers }: FileCounts) => byBytes(numbers);
  const compare = (
    question: Question,
    counted: (counts: FileCounts) => Counted,
    mayBeNamed: (item: string) => boolean,
  ) => comparePairOfReleases(question, counted(less), counted(more), mayBeNamed, seed);
  return [
    ...(await compare(listed, all, (item) => candidates.includes(item))),
    ...(await compare(unknown, first, known)),
    ...(await compare(quantile, values, isOnGrid)),
    ...(await compare(frequencies, listOf, () => false)),
  ];
}

/** The grid of the replay has the whole numbers. */
function isOnGrid(item: string): boolean {
  return /^-?\d+$/.test(item) && Math.abs(Number(item)) <= LARGEST_VALUE;
}

/** The range of the replay's quantiles is from minus this to this. */
export const LARGEST_VALUE = 1000;

/** How many items have how many people, as an engine gives it. */
function listOf({ kept }: FileCounts): Counted {
  const items = new Map<string, number>();
  for (const users of kept.values()) items.set(String(users), (items.get(String(users)) ?? 0) + 1);
  return byBytes(items);
}

/** In an order that depends on the items alone. */
function byBytes(counts: Histogram): Counted {
  return [...counts].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

type Counted = readonly (readonly [string, number])[];

async function comparePairOfReleases(
  question: Question,
  less: Counted,
  more: Counted,
  mayBeNamed: (item: string) => boolean,
  seed: string,
): Promise<ReplayFailure[]> {
  const [first, second] = [await answer(question, less, seed), await answer(question, more, seed)];
  const isEqualInput = JSON.stringify(less) === JSON.stringify(more);
  const isAllowed =
    [...first.winners, ...second.winners].every(({ item }) => mayBeNamed(item)) &&
    JSON.stringify(lossToJson(first.loss)) === JSON.stringify(lossToJson(second.loss)) &&
    first.ordered === second.ordered &&
    (question.domain.kind === "unknown" || first.winners.length === second.winners.length);
  const told = ({ winners, frequencies }: Answer) => JSON.stringify({ winners, frequencies });
  const isEqualAnswer = told(first) === told(second);
  return [
    ...(isEqualInput && !isEqualAnswer ? (["unequal-release"] as const) : []),
    ...(isAllowed ? [] : (["release-not-allowed"] as const)),
  ];
}

function answer(question: Question, counted: Counted, seed: string): Promise<Answer> {
  const batch = { items: counted.map(([item]) => item), users: counted.map(([, users]) => users) };
  return select(question, [batch], { entropy: seededEntropy(seed) });
}

/** As an engine returns them: as many as the mechanism needs, most users first, ties in the order of their bytes. */
function largest(counts: Histogram, question: Question): Counted {
  const wanted = candidatesWanted(question);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .slice(0, wanted.kind === "largest" ? wanted.rows : undefined);
}

/** What one person's rows must never do. */
export type ReplayFailure =
  /** A count changed by more than one, or one went up and another down. */
  | "count-moved-too-far"
  /** With a limit on the items of a person, someone else's item changed, or too many of the person's own did. */
  | "kept-items-moved"
  /** With a limit on the values of a person, a value that isn't the person's own changed, or too many did. */
  | "numbers-moved"
  /** A frequency list moved by more people than one person counts for. */
  | "list-moved-too-far"
  /** One file of the pair was refused and the other wasn't, or for a different reason. */
  | "refused-alone"
  /** Equal counts and equal random bits gave different answers. */
  | "unequal-release"
  /** The answer has another shape or price, or names an item that only one of the files has. */
  | "release-not-allowed";

export interface ReplayReport {
  readonly pairs: number;
  /** How many pairs went through each format. */
  readonly formats: Readonly<Record<string, number>>;
  /** The largest change of a count by one person's rows. */
  readonly largestChange: number;
  /** Pairs in which the person's rows changed a count: without any, the replay shows nothing. */
  readonly pairsWithChange: number;
  /** Pairs in which the person had more items than the limit. */
  readonly pairsCut: number;
  /** Pairs in which both files were refused in the same way. */
  readonly pairsRefused: number;
  readonly releases: number;
  readonly failures: readonly {
    readonly failure: ReplayFailure;
    readonly format: string;
    /** Counted from 0; together with the seed it reproduces the pair. */
    readonly pair: number;
  }[];
  readonly seed: string;
}

export interface PairResult {
  readonly format: string;
  readonly change: number;
  readonly isCut: boolean;
  readonly isRefused: boolean;
  readonly releases: number;
  readonly failures: readonly ReplayFailure[];
}

export function reportOf(results: readonly PairResult[], seed: string): ReplayReport {
  const formats: Record<string, number> = {};
  for (const { format } of results) formats[format] = (formats[format] ?? 0) + 1;
  return {
    pairs: results.length,
    formats,
    largestChange: results.reduce((most, { change }) => Math.max(most, change), 0),
    pairsWithChange: results.filter(({ change }) => change > 0).length,
    pairsCut: results.filter(({ isCut }) => isCut).length,
    pairsRefused: results.filter(({ isRefused }) => isRefused).length,
    releases: results.reduce((sum, { releases }) => sum + releases, 0),
    failures: results.flatMap(({ format, failures }, pair) =>
      failures.map((failure) => ({ failure, format, pair })),
    ),
    seed,
  };
}
