/**
 * A connection to a ledger file, and the meaning of SQLite's errors. Every transaction that writes takes the write lock
 * first (`BEGIN IMMEDIATE`), and every commit is on disk before it returns (`synchronous = FULL`). Winnow waits
 * for a lock in short turns, so it notices an interrupt in between.
 *
 * Only SQLite's error codes are used, never its messages. Every failed write counts as a full disk, whatever the
 * reason: nothing was recorded, so nothing is released.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { LedgerError } from "winnow-release";
import { Refusal, type RefusalCode } from "../refusal.js";

/** How long SQLite itself waits for a lock, and the pause after that, in milliseconds. */
const TURN = 100;
const PAUSE = 5;

export type Row = Readonly<Record<string, unknown>>;

export class Connection {
  readonly #database: Database.Database;
  readonly #patience: number;

  private constructor(database: Database.Database, patience: number) {
    this.#database = database;
    this.#patience = patience;
  }

  /** The path must be absolute: a relative one might be read as a URI. `patience`, in milliseconds, applies to each lock. */
  static async open(path: string, patience: number): Promise<Connection> {
    const connection = new Connection(new Database(path), patience);
    // The busy timeout comes first: each of the following statements may meet another run's lock.
    connection.exec(`PRAGMA busy_timeout = ${TURN}`);
    await connection.#patiently(() => {
      connection.exec("SELECT sequence FROM head"); // leaves a file without the tables untouched
      connection.exec("PRAGMA journal_mode = WAL");
      connection.exec("PRAGMA synchronous = FULL");
      connection.exec("PRAGMA trusted_schema = OFF");
    });
    return connection;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  all(sql: string, ...parameters: (string | number)[]): Row[] {
    return this.#database.prepare(sql).all(...parameters) as Row[];
  }

  run(sql: string, ...parameters: (string | number)[]): void {
    this.#database.prepare(sql).run(...parameters);
  }

  /** Reads one consistent state of the file. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN; SELECT sequence FROM head", work);
  }

  /** Does all of the work or nothing, and no one else writes meanwhile. */
  async writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN IMMEDIATE", work);
  }

  /** Moves all rows into the one file if possible: others may be reading. */
  close(): void {
    try {
      this.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The rows are safe in the write-ahead log next to the file.
    }
    this.#database.close();
  }

  async #transaction<T>(begin: string, work: () => Promise<T>): Promise<T> {
    try {
      await this.#patiently(() => this.exec(begin));
      const result = await work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** After some errors, such as a full disk, SQLite has already rolled back. */
  #rollBack(): void {
    if (this.#database.inTransaction) this.exec("ROLLBACK");
  }

  /** Retries while another run holds a lock. */
  async #patiently(attempt: () => void): Promise<void> {
    for (const deadline = performance.now() + this.#patience; ; await sleep(PAUSE)) {
      try {
        return attempt();
      } catch (error) {
        this.#rollBack();
        if (!sqliteCode(error).startsWith("SQLITE_BUSY") || performance.now() >= deadline) throw error;
      }
    }
  }
}

type Reason = readonly [pattern: RegExp, code: RefusalCode, sentence: string];

const REASONS: readonly Reason[] = [
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    "ledger-locked",
    "is in use by another run, which didn't release it in time",
  ],
  [/^SQLITE_FULL/, "disk-full", "couldn't be written because the disk is full"],
  [
    /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMSIZE|SHMOPEN|SHMMAP|DELETE|CLOSE)/,
    "disk-full",
    "couldn't be written",
  ],
  [/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/, "no-permission", "can't be written by this account"],
  [/^SQLITE_NOTADB/, "ledger-broken", "isn't a Winnow ledger"],
  [/^SQLITE/, "ledger-broken", "can't be read"],
];

/** SQLite's numbers for errors that the driver has no name for: the last byte of an extended code is its kind. */
const SQLITE_KINDS: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  26: "SQLITE_NOTADB",
};

/** The code of an error of SQLite, "" for any other. */
function sqliteCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string" && code.startsWith("SQLITE")) return code;
  const [, unnamed] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(String(code)) ?? [];
  if (unnamed !== undefined) return SQLITE_KINDS[Number(unnamed) & 0xff] ?? "SQLITE_ERROR";
  // The message about a file that cannot be opened ends with SQLite's number.
  return error instanceof Error && /^ConnectionFailed\(.*: 14"\)$/s.test(error.message)
    ? "SQLITE_CANTOPEN"
    : "";
}

/** The refusal for an error while using the ledger; other errors are passed on. */
export function ledgerRefusal(path: string, error: unknown): unknown {
  if (error instanceof LedgerError) return new Refusal(error.code, error.message);
  const code = sqliteCode(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code));
  if (reason === undefined) return error;
  return new Refusal(reason[1], `The ledger ${JSON.stringify(path)} ${reason[2]}.`);
}
