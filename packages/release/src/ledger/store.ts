/**
 * `Store` is what the ledger needs of the database that keeps it. `Ledger` and `StoredLog` hold the rules and know nothing
 * else about a database, so a ledger follows the same rules in a SQLite file and on a PostgreSQL server. A transaction that
 * writes has the ledger to itself from its first read on, and is on disk when it returns. A store that can lose its
 * connection runs the work of a transaction again when it doesn't know whether the first attempt was committed, so the work
 * must look whether it is already done: a release is looked up by its id.
 * @module
 */
import type { ChainHead, ChainRow } from "./hash-chain.js";

/** A row to be appended, with the names that its entry is found by. */
export interface NewRow {
  readonly row: ChainRow;
  readonly keys: readonly string[];
}

/** Values stored with rows that are appended together. A server that derives them from the rows must get the same ones. */
export interface Kept {
  /** The accounts that their entries change, with their summaries after the last; the data set of the first entry is the first. */
  readonly accounts: readonly KeptAccount[];
  /** The keyed mark of the source that was charged. */
  readonly mark: string | undefined;
}

type KeptAccount = readonly [key: string, summary: string];

/** What all entries add up to, to be kept in place of what is there. */
export interface KeptAnew {
  readonly accounts: Iterable<KeptAccount>;
  readonly places: Iterable<readonly [key: string, sequence: number]>;
  readonly head: ChainHead;
}

/** Keys that the work of a transaction will ask for. */
export interface Sought {
  readonly places?: readonly string[];
  readonly accounts?: readonly string[];
}

/** A transaction ended without an answer: its work may have been recorded, or not. */
export class OutcomeUnknown extends Error {}

/** Where a ledger is kept: tables and one transaction at a time. */
export interface Store {
  /** As sentences call it: the path of a file, or the address of a server without account and password. */
  readonly name: string;

  /** One look at one state of the ledger. */
  reading<T>(work: () => Promise<T>): Promise<T>;
  /** All of the work or nothing, and no one else writes in the meantime. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  /** Waits until all that comes at this moment has come, to share the next transaction. Without it, what one task of the program asks. */
  gather?(): Promise<void>;
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
  /** At most `limit` rows, in the order of their numbers. */
  rowsAfter(sequence: number, limit: number): Promise<ChainRow[]>;
  /** The hashes of at most `limit` rows, in the order of their numbers. */
  hashesAfter(sequence: number, limit: number): Promise<string[]>;
  /** Fetches what will be asked for at once, where each question costs a round trip. */
  seek?(sought: Sought): Promise<void>;
  summaryOf(key: string): Promise<string | undefined>;
  /** The keys of all accounts, in the order of their first entry. */
  accounts(): Promise<string[]>;
  placeOf(key: string): Promise<number | undefined>;
  /** At most `limit` keys after this one with their places, in the order of the keys' bytes. */
  placesAfter(key: string, limit: number): Promise<(readonly [key: string, sequence: number])[]>;
  /** At most `limit` places of keys between two, the last key first. */
  placesBetween(after: string, before: string, limit: number): Promise<number[]>;
  /** The key of the marks of sources. */
  markKey(): Promise<string | undefined>;
  /** A data set whose source had this mark. */
  marked(mark: string): Promise<string | undefined>;

  // Within a transaction that writes:

  /** Rows that follow the last entry and each other. */
  append(rows: readonly NewRow[], kept: Kept): Promise<void>;
  keepAnew(derived: KeptAnew): Promise<void>;
}
