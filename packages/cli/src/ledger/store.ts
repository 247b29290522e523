/**
 * What the ledger needs of the database that keeps it: transactions, the rows of the log, and what is derived from them.
 * `Ledger` and `StoredLog` hold the rules and know nothing else about a database, so a ledger follows the same rules
 * in a SQLite file and on a PostgreSQL server.
 *
 * A transaction that writes has the ledger to itself from its first read on, and is on disk when it returns. A store
 * that can lose its connection runs the work of a transaction again when it doesn't know whether the first attempt was
 * committed. So the work must look whether it is already done: a release is looked up by its id.
 * @module
 */
import type { ChainHead, ChainRow } from "winnow-release";

/** What is stored with an entry. Names and ids are stored as JSON, which every database can store. */
export interface Kept {
  readonly dataset: string;
  /** The summary of the data set's account after the entry. */
  readonly summary: string;
  /** The name that the entry is found by, if it has one. */
  readonly key: string | undefined;
  /** The keyed mark of the source that was charged. */
  readonly mark: string | undefined;
}

/** What all entries add up to, to be kept in place of what is there. */
export interface KeptAnew {
  readonly accounts: Iterable<readonly [dataset: string, summary: string]>;
  readonly places: Iterable<readonly [key: string, sequence: number]>;
  readonly head: ChainHead;
}

/** A transaction ended without an answer: its work may have been recorded, or not. */
export class OutcomeUnknown extends Error {}

export interface Store {
  /** As sentences call it: the path of a file, or the address of a server without account and password. */
  readonly name: string;

  /** One look at one state of the ledger. */
  reading<T>(work: () => Promise<T>): Promise<T>;
  /** All of the work or nothing, and no one else writes in the meantime. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** The refusal for an error met while using the store; errors about something else are returned as they are. */
  refusal(error: unknown): unknown;

  // Within a transaction:

  /** Sentences about tables and triggers that are missing, or not Winnow's. */
  schemaProblems(): Promise<string[]>;
  /** Whether the database finds its own pages damaged. */
  isDamaged(): Promise<boolean>;
  /** The head, which is kept apart from the log, as of the start of the transaction. */
  head(): Promise<ChainHead | undefined>;
  /** The entry that the kept summaries include; undefined if there are none. */
  summarised(): Promise<ChainHead | undefined>;
  /** The number of the last entry, 0 if there is none. */
  lastSequence(): Promise<number>;
  row(sequence: number): Promise<ChainRow | undefined>;
  /** At most so many rows, in the order of their numbers. */
  rowsAfter(sequence: number, limit: number): Promise<ChainRow[]>;
  summaryOf(dataset: string): Promise<string | undefined>;
  /** In the order of their first entry. */
  datasets(): Promise<string[]>;
  placeOf(key: string): Promise<number | undefined>;
  /** At most so many keys after this one with their places, in the order of the keys' bytes. */
  placesAfter(key: string, limit: number): Promise<(readonly [key: string, sequence: number])[]>;
  /** The key of the marks of sources. */
  markKey(): Promise<string | undefined>;
  /** A data set whose source had this mark. */
  marked(mark: string): Promise<string | undefined>;

  // Within a transaction that writes:

  /** Brings the tables of an older version up to date. */
  migrate(): Promise<void>;
  append(row: ChainRow, kept: Kept): Promise<void>;
  keepAnew(derived: KeptAnew): Promise<void>;
}
