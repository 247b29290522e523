/**
 * A connection to a ledger in a SQLite file. Every transaction that writes takes the write lock first (`BEGIN IMMEDIATE`), and
 * every commit is on disk before it returns (`synchronous = FULL`). Winnow waits for a lock in short turns, so it notices an
 * interrupt in between.
 *
 * SQLite goes on with the files that it has open when someone deletes, moves or replaces them, and with the pages in its
 * memory when someone writes over them. So before each transaction its memory is emptied, and before and after each one the
 * path must still name the files that were opened.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { ledgerReplaced } from "winnow-release";
import { filesAt } from "./ledger-file.js";
import { sqliteCode } from "./sqlite-refusal.js";

/** How long SQLite itself waits for a lock, and the pause after that, in milliseconds. */
const TURN = 100;
const PAUSE = 5;

export type Row = Readonly<Record<string, unknown>>;

export class Connection {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #path: string;
  readonly #patience: number;
  /** Those that were opened. */
  #files: string | undefined;

  private constructor(path: string, patience: number) {
    this.#database = new Database(path);
    this.#path = path;
    this.#patience = patience;
  }

  /** The path must be absolute: a relative one might be read as a URI. `patience`, in milliseconds, applies to each lock. */
  static async open(path: string, patience: number): Promise<Connection> {
    const connection = new Connection(path, patience);
    try {
      await connection.#prepare();
      return connection;
    } catch (error) {
      connection.#database.close(); // its files can now be read in another way
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    // The busy timeout comes first: each of the following statements may meet another run's lock.
    this.exec(`PRAGMA busy_timeout = ${TURN}`);
    await this.#patiently(() => {
      this.exec("SELECT sequence FROM head"); // leaves a file without the tables untouched
      this.exec("PRAGMA journal_mode = WAL");
      this.exec("PRAGMA synchronous = FULL");
      this.exec("PRAGMA fullfsync = ON"); // on macOS only this reaches the disk; elsewhere it changes nothing
      this.exec("PRAGMA trusted_schema = OFF");
    });
    this.#files = filesAt(this.#path);
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  all(sql: string, ...parameters: (string | number)[]): Row[] {
    return this.#prepared(sql).all(...parameters) as Row[];
  }

  run(sql: string, ...parameters: (string | number)[]): void {
    this.#prepared(sql).run(...parameters);
  }

  /** Each statement is parsed once; SQLite itself parses it again if the tables change. */
  #prepared(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
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
      this.exec("PRAGMA shrink_memory");
      await this.#patiently(() => this.exec(begin));
      this.#refuseOtherFiles();
      const result = await work();
      this.exec("COMMIT");
      this.#refuseOtherFiles();
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #refuseOtherFiles(): void {
    if (this.#files === undefined || filesAt(this.#path) !== this.#files)
      throw ledgerReplaced("its file was deleted, moved, replaced or given another name");
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
