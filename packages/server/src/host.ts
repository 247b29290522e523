/**
 * What the service needs from the machine that it runs on: the ledger, the rows of each data set, and public lists. The
 * command line provides all of it (packages/cli/src/serve/machine.ts). This package knows neither files nor SQL, so nothing
 * that an analyst sends can become either.
 * @module
 */
import type {
  AskedPeriod,
  CandidatesWanted,
  GroupName,
  GuardedInputs,
  HeadRequest,
  Ledger,
  Predicate,
  Recorded,
  Release,
  ReleaseSource,
  Software,
} from "winnow-release";
import type { DatasetConfig } from "./config.js";

/** A release with its place in the ledger. */
export type RecordedAnswer = Recorded<Release>;

/** Items with their numbers of people, in groups all of one group: private. */
export interface Batch {
  /** The text of its group, where the data set has groups. The batches of a group follow one another. */
  readonly group?: string | undefined;
  readonly items: readonly string[];
  readonly users: readonly number[];
}

/** The rows of one data set, opened. */
export interface DatasetRows {
  /** How the rows are read, fixed before the first is: part of every release. */
  readonly source: ReleaseSource;
  /** What a reader of a release should know besides, in sentences made of public values. */
  readonly notes: readonly string[];
  /** Counts people per item, in each group if the data set has groups. A bound on the items of a person uses a fresh key for each count. */
  count(wanted: CandidatesWanted, options: CountOptions): AsyncIterable<Batch>;
  close(): Promise<void>;
}

/** Which rows and people a count is about. */
export interface CountOptions {
  readonly maxItemsPerUser?: number | undefined;
  /** Rows that don't fit are skipped. */
  readonly where?: Predicate | undefined;
  /** Says whom the period counts; its days are in the condition. */
  readonly about?: AskedPeriod | undefined;
  readonly signal: AbortSignal;
}

/** The public lists of a data set. */
export interface PublicLists {
  /** The names of its items; none without such a list. */
  readonly items: readonly string[];
  /** Its groups, in the order of the list. */
  readonly groups?: readonly GroupName[] | undefined;
}

/** The people of each item of a public twin. */
export interface TwinCounts {
  readonly counts: readonly number[];
  /** The counts of the same items after each person was cut to the data set's `maxItemsPerUser`. */
  readonly bounded?: readonly number[];
}

/** For the operator. */
export interface LedgerWatch {
  /** A connection to the server of the ledger replaced one that broke. */
  readonly onReconnect?: () => void;
}

/** The page for analysts, as it was built. */
export interface AnalystPage {
  /** By the path of the request: "/" is the page itself. */
  readonly files: ReadonlyMap<string, { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }>;
  /** Its content security policy. */
  readonly policy: string;
}

/** Keys of the ledger, and the witnesses who must have cosigned a head before a release under it is shown. */
export type Witnessing = Omit<HeadRequest, "ledger">;

export interface Host {
  readonly software: Pick<Software, "name" | "version">;
  openLedger(location: string, watch?: LedgerWatch): Promise<Ledger>;
  /**
   * Throws if a list or a twin of the data set is private: its rows, the ledger, the configuration, a copy of one, or rows that the
   * ledger has charged.
   */
  guardInputs(dataset: DatasetConfig, ledger: Ledger): Promise<GuardedInputs>;
  /** The keyed mark by which the ledger recognises these rows under another name; undefined where there is nothing to recognise. */
  markOf(dataset: DatasetConfig, ledger: Ledger): Promise<string | undefined>;
  /** The names of a public list, each once. */
  readList(dataset: DatasetConfig): Promise<readonly string[]>;
  /** The groups of a data set that has them, each once. */
  readGroups(dataset: DatasetConfig): Promise<readonly GroupName[]>;
  /** Counts the public twin of a data set that has one. */
  readTwin(dataset: DatasetConfig, list: readonly string[]): Promise<TwinCounts>;
  /** Left out for a service whose releases need no witness. */
  readonly witnessing?: Witnessing | undefined;
  /** What analysts open in a browser, if this copy of Winnow has it. */
  readPage?(): Promise<AnalystPage>;
  openRows(dataset: DatasetConfig, lists: PublicLists, signal: AbortSignal): Promise<DatasetRows>;
}
