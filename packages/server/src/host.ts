/**
 * What the service needs from the machine that it runs on: the ledger, the rows of each data set, and public lists. The
 * command line provides all of it (packages/cli/src/commands/serve.ts). This package knows neither files nor SQL, so nothing
 * that an analyst sends can become either.
 * @module
 */
import type { Loss } from "winnow-dp";
import type {
  Account,
  Asked,
  CandidatesWanted,
  ChainHead,
  InclusionProof,
  NewRelease,
  PublishedRelease,
  Question,
  Release,
  ReleaseSource,
  Software,
  Spender,
} from "winnow-release";
import type { DatasetConfig } from "./config.js";

/** A release with its place in the ledger. */
export type RecordedAnswer = Release & Pick<PublishedRelease, "ledger">;

/** The part of the command line's ledger that the service uses. */
export interface ServiceLedger {
  /** As sentences call it; it never holds a password. */
  readonly name: string;
  /** The account of a data set, or the share of one analyst in it, with the cap as its budget. */
  status(dataset: string, spender?: Spender): Promise<Account>;
  /** Throws `over-budget` if the question fits neither the budget nor the cap; returns its highest price. */
  admitsQuestion(dataset: string, question: Question, spender?: Spender): Promise<Loss>;
  /** The stored release; throws `release-id-taken` if it answers another question. */
  find(id: string, asked?: Asked): Promise<RecordedAnswer | undefined>;
  /** Admits, charges and stores in one transaction. What it returns may be shown, and nothing else. */
  record(dataset: string, release: NewRelease, options: { spender?: Spender }): Promise<RecordedAnswer>;
  /** Sets the price aside for good, for a count that failed. */
  reserve(dataset: string, id: string, question: Question, options: { spender?: Spender }): Promise<unknown>;
  /** The reservation with this id. */
  reservation(id: string): Promise<unknown>;
  /** The newest first. */
  releasesOf(
    analyst: string,
    page?: { readonly before?: number | undefined; readonly limit?: number | undefined },
  ): Promise<readonly RecordedAnswer[]>;
  /** The last entry, and the root of the Merkle tree over the hashes of all entries. */
  head(): Promise<ChainHead & { readonly root: string }>;
  /** That the release is in the ledger of that head; undefined if the release does not exist. */
  proof(id: string): Promise<InclusionProof | undefined>;
  close(): Promise<void>;
}

/** Items with their numbers of people: private. */
export interface Batch {
  readonly items: readonly string[];
  readonly users: readonly number[];
}

/** The rows of one data set, opened. */
export interface DatasetRows {
  /** How the rows are read, fixed before the first is: part of every release. */
  readonly source: ReleaseSource;
  /** What a reader of a release should know besides, in sentences made of public values. */
  readonly notes: readonly string[];
  /** Counts people per item. A bound on the items of a person uses a fresh key for each count. */
  count(
    wanted: CandidatesWanted,
    options: { readonly maxItemsPerUser?: number | undefined; readonly signal: AbortSignal },
  ): AsyncIterable<Batch>;
  close(): Promise<void>;
}

/** The people of each item of a public twin. */
export interface TwinCounts {
  readonly counts: readonly number[];
  /** The counts of the same items after each person was cut to the data set's `maxItemsPerUser`. */
  readonly bounded?: readonly number[];
}

export interface Host {
  readonly software: Pick<Software, "name" | "version">;
  openLedger(location: string): Promise<ServiceLedger>;
  /** The names of a public list, each once. */
  readList(dataset: DatasetConfig): Promise<readonly string[]>;
  /** Counts the public twin of a data set that has one. */
  readTwin(dataset: DatasetConfig, list: readonly string[]): Promise<TwinCounts>;
  openRows(dataset: DatasetConfig, list: readonly string[], signal: AbortSignal): Promise<DatasetRows>;
}
