/**
 * A connection to a ledger file. Every transaction that writes takes the write lock first (`BEGIN IMMEDIATE`), and every
 * commit is on the disk before it returns (`synchronous = FULL`). A lock is waited for in short turns, so that an interrupt
 * is heard in between.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { sqliteCode } from "./sqlite-refusal.js";

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

  /** The path is absolute: others might be read as addresses. `patience`, in milliseconds, is for each lock. */
  static async open(path: string, patience: number): Promise<Connection> {
    const connection = new Connection(new Database(path), patience);
    // The busy timeout comes first: each of the following may meet the lock of another run.
    connection.exec(`PRAGMA busy_timeout = ${TURN}`);
    await connection.#patiently(() => {
      connection.exec("SELECT sequence FROM head"); // a file without the tables is left as it is
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

  /** One look at one state of the file. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN; SELECT sequence FROM head", work);
  }

  /** All of the work or nothing, and nobody else writes meanwhile. */
  async writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN IMMEDIATE", work);
  }

  /** Leaves all rows in the one file, where possible: others may be reading. */
  close(): void {
    try {
      this.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The rows are safe in the write-ahead log beside the file.
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

  /** SQLite has rolled back already after some errors, a full disk among them. */
  #rollBack(): void {
    if (this.#database.inTransaction) this.exec("ROLLBACK");
  }

  /** Tries again while another run holds a lock. */
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
