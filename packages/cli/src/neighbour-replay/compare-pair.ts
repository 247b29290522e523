/**
 * What one person's rows may change, checked on a pair of files: each count by at most one and all in the same
 * direction (the assumption of the mechanisms' theorems); and, with equal random bits, the answer not at all if
 * the counts are equal, and never its shape, its price or the people it may name.
 *
 * The report contains the numbers of pairs and the kinds of failures, and nothing that was read, so it may be
 * shown.
 * @module
 */
import { lossToJson } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { type Answer, type Question, select } from "winnow-release";
import type { Refusal } from "../refusal.js";

/** Users of each item that has any, or the refusal. */
export type Counts = ReadonlyMap<string, number> | Refusal;

export interface Questions {
  readonly candidates: readonly string[];
  readonly listed: Question;
  readonly unknown: Question;
}

/** `less` is without the person. */
export async function comparePair(
  format: string,
  less: Counts,
  more: Counts,
  questions: Questions,
  seed: string,
): Promise<PairResult> {
  if (!(less instanceof Map) || !(more instanceof Map)) return compareRefusals(format, less, more);
  const changes = changesBetween(less, more);
  const failures = [
    ...(changes.every((change) => change === 0 || change === 1) ? [] : (["count-moved-too-far"] as const)),
    ...(await compareReleases(less, more, questions, seed)),
  ];
  const change = changes.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  return { format, change, isRefused: false, releases: 4, failures };
}

function compareRefusals(format: string, less: Counts, more: Counts): PairResult {
  const code = (counts: Counts) => (counts instanceof Map ? undefined : (counts as Refusal).code);
  const failures: ReplayFailure[] = code(less) === code(more) ? [] : ["refused-alone"];
  return { format, change: 0, isRefused: true, releases: 0, failures };
}

function changesBetween(less: ReadonlyMap<string, number>, more: ReadonlyMap<string, number>): number[] {
  const items = new Set([...less.keys(), ...more.keys()]);
  return [...items].map((item) => (more.get(item) ?? 0) - (less.get(item) ?? 0));
}

type Histogram = ReadonlyMap<string, number>;

async function compareReleases(
  less: Histogram,
  more: Histogram,
  { candidates, listed, unknown }: Questions,
  seed: string,
): Promise<ReplayFailure[]> {
  const all = (counts: Histogram) => candidates.map((item) => [item, counts.get(item) ?? 0] as const);
  const known = (item: string) => less.has(item) && more.has(item);
  return [
    ...(await comparePairOfReleases(listed, all(less), all(more), (item) => candidates.includes(item), seed)),
    ...(await comparePairOfReleases(
      unknown,
      largest(less, unknown.k),
      largest(more, unknown.k),
      known,
      seed,
    )),
  ];
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
    (!first.ordered || first.winners.length === second.winners.length);
  const isEqualAnswer = JSON.stringify(first.winners) === JSON.stringify(second.winners);
  return [
    ...(isEqualInput && !isEqualAnswer ? (["unequal-release"] as const) : []),
    ...(isAllowed ? [] : (["release-not-allowed"] as const)),
  ];
}

function answer(question: Question, counted: Counted, seed: string): Promise<Answer> {
  const batch = { items: counted.map(([item]) => item), users: counted.map(([, users]) => users) };
  return select(question, [batch], { entropy: seededEntropy(seed) });
}

/** As an engine gives them: the k + 1 largest, most users first, equal ones by name. */
function largest(counts: Histogram, k: number): Counted {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, k + 1);
}

/** What one person's rows must never do. */
export type ReplayFailure =
  /** A count moved by more than one, or one went up and another down. */
  | "count-moved-too-far"
  /** One file of the pair was refused and the other not, or for another reason. */
  | "refused-alone"
  /** Equal counts and equal random bits gave two answers. */
  | "unequal-release"
  /** The answer has another shape or price, or names somebody that only one of the files knows. */
  | "release-not-allowed";

export interface ReplayReport {
  readonly pairs: number;
  /** How many pairs went through each format. */
  readonly formats: Readonly<Record<string, number>>;
  /** By how much one person's rows changed a count, at most. */
  readonly largestChange: number;
  /** Pairs in which the person's rows changed a count: a replay in which none did has shown nothing. */
  readonly pairsWithChange: number;
  /** Pairs in which both files were refused alike. */
  readonly pairsRefused: number;
  readonly releases: number;
  readonly failures: readonly {
    readonly failure: ReplayFailure;
    readonly format: string;
    /** Counted from 0; with the seed it makes the pair again. */
    readonly pair: number;
  }[];
  readonly seed: string;
}

export interface PairResult {
  readonly format: string;
  readonly change: number;
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
    pairsRefused: results.filter(({ isRefused }) => isRefused).length,
    releases: results.reduce((sum, { releases }) => sum + releases, 0),
    failures: results.flatMap(({ format, failures }, pair) =>
      failures.map((failure) => ({ failure, format, pair })),
    ),
    seed,
  };
}
