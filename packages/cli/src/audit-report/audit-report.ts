/**
 * The findings of an audit as data: the JSON form of the report, from which the text and the page are made. `holds`
 * says whether the claim behind an entry was confirmed; a single unconfirmed claim makes the whole audit fail. Figures
 * and findings in words are here too, so the text and the page show the same ones.
 * @module
 */
import type { ReplayFailure } from "../neighbour-replay/compare-pair.js";

export const AUDIT_SCHEMA = "winnow-audit/1";

export interface AuditReport {
  readonly schema: typeof AUDIT_SCHEMA;
  readonly software: { readonly name: string; readonly version: string };
  readonly time: string;
  readonly machine: { readonly processor: string; readonly node: string; readonly platform: string };
  /** With fewer runs than usual. */
  readonly quick: boolean;
  /** The confidence of every statistical statement. */
  readonly confidence: string;
  readonly attacks?: readonly AttackEntry[] | undefined;
  readonly claims?: readonly ExactEntry[] | undefined;
  readonly trees?: readonly TreeEntry[] | undefined;
  readonly runs?: readonly RunsEntry[] | undefined;
  readonly replays?: readonly ReplayEntry[] | undefined;
  readonly timings?: readonly TimingEntry[] | undefined;
  readonly files?: readonly FilesEntry[] | undefined;
  readonly holds: boolean;
}

export interface GameEntry {
  readonly name: string;
  readonly rounds: number;
  readonly rate: number;
  readonly lower: number;
  readonly upper: number;
  /** The lower bound on ε that the runs show. */
  readonly loss: number;
  readonly isBroken: boolean;
}

export interface AttackEntry {
  readonly id: string;
  readonly title: string;
  readonly mistake: string;
  readonly trick: string;
  readonly defence: string;
  readonly source: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly mostSuccess: number;
  readonly textbook: GameEntry;
  readonly ours: GameEntry;
  readonly holds: boolean;
}

export interface ExactEntry {
  readonly mechanism: string;
  readonly instance: string;
  readonly promise: string;
  /** The statements of the papers that it checks; empty if it is in none of them. */
  readonly source: string;
  readonly unit: string;
  readonly claimed: number;
  readonly found: number;
  readonly where: string;
  readonly pairs: number;
  readonly holds: boolean;
}

export interface TreeEntry {
  readonly mechanism: string;
  readonly instance: string;
  /** Every string of this many bits was run. */
  readonly depth: number;
  readonly leaves: number;
  /** The share of runs that needed more bits. */
  readonly undecided: number;
  readonly outcomes: number;
  readonly holds: boolean;
}

export interface RunsEntry {
  readonly mechanism: string;
  readonly instance: string;
  readonly epsilon: number;
  readonly delta: string;
  readonly runs: number;
  /** The lower bounds on ε that the runs show, for ours and for the faulty one. */
  readonly ours: number;
  readonly fault: string;
  readonly faulty: number;
  readonly holds: boolean;
}

export interface ReplayEntry {
  readonly name: string;
  /** The violation that was planted and must be found, or nothing. */
  readonly expected: string;
  readonly steps: readonly string[];
  readonly runs: number;
  readonly neighbours: number;
  /** Each kind once, with the step and the fault. */
  readonly violations: readonly string[];
  readonly holds: boolean;
}

export interface TimingEntry {
  readonly name: string;
  readonly expected: "same" | "different" | "not promised";
  /** The statements of the papers that it is about; empty if it is in none of them. */
  readonly source: string;
  readonly runs: number;
  readonly means: readonly [number, number];
  readonly t: number;
  /** The smallest difference of means, in nanoseconds, that would have been flagged. */
  readonly smallest: number;
  readonly holds: boolean;
}

/** Pairs of files that differ in one person's rows, from the file to the release. */
export interface FilesEntry {
  readonly name: string;
  readonly pairs: number;
  /** Pairs in which the person's rows changed a count at all. */
  readonly pairsWithChange: number;
  /** The largest change of a count. */
  readonly largestChange: number;
  readonly releases: number;
  /** Each kind once. */
  readonly failures: readonly ReplayFailure[];
  readonly holds: boolean;
}

interface Entry {
  readonly holds: boolean;
}

/** Every entry of a report. */
export function entriesOf(report: Omit<AuditReport, "holds">): readonly Entry[] {
  const { attacks, claims, trees, runs, replays, files, timings } = report;
  const lists: (readonly Entry[] | undefined)[] = [attacks, claims, trees, runs, replays, files, timings];
  return lists.flatMap((list) => list ?? []);
}

/** Two to three significant digits: 0.0123, 1.39, 12.3, 1,234. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  if (Math.abs(value) < 0.001) return value.toExponential(1).replace("e-", "·10^−");
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A time in nanoseconds with its unit. */
export function duration(nanoseconds: number): string {
  return nanoseconds >= 1000 ? `${figure(nanoseconds / 1000)} µs` : `${figure(nanoseconds)} ns`;
}

/** "1 thing", "2 things". */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

/** The verdict on a list of claims. */
export function verdictOf(claims: readonly { readonly holds: boolean }[]): string {
  const failed = claims.filter(({ holds }) => !holds).length;
  if (failed > 0) return `${counted(failed, "claim")} of ${claims.length} failed`;
  return claims.length === 1 ? "The claim holds" : `All ${counted(claims.length, "claim")} hold`;
}

const FAILURE_WORDS: Readonly<Record<ReplayFailure, string>> = {
  "count-moved-too-far": "one person moved a count by more than one, or two counts in opposite directions",
  "kept-items-moved":
    "with a limit on items per person, one person moved other people's items, or too many items",
  "numbers-moved": "more values of a column of numbers moved than one person counts for",
  "list-moved-too-far": "a frequency list moved by more people than one person counts for",
  "refused-alone": "one file was refused and its neighbour was not",
  "unequal-release": "equal counts and equal bits gave different answers",
  "release-not-allowed": "the shape or price of the answer depends on one person, or the answer names one",
};

/** The failures in words, or "nothing". */
export function failuresInWords(failures: readonly ReplayFailure[]): string {
  return failures.map((failure) => FAILURE_WORDS[failure]).join("; ") || "nothing";
}
