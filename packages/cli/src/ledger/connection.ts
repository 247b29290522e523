/**
 * A connection to a ledger file. Every transaction that writes takes the write lock first (`BEGIN IMMEDIATE`), and every
 * commit is on the disk before it returns (`synchronous = FULL`). Waiting for the lock is done here and not in SQLite, in
 * short turns, so that an interrupt is heard.
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

  /** The path is absolute: SQLite would read others as addresses. `patience` in milliseconds. */
  constructor(path: string, patience: number) {
    this.#patience = patience;
    // The busy timeout comes first: each of the following may meet another run's lock.
    this.#database = new Database(path, { timeout: TURN });
    this.#database.exec(`PRAGMA busy_timeout = ${TURN}`);
    this.#database.exec("PRAGMA trusted_schema = OFF");
    this.#database.exec("PRAGMA synchronous = FULL");
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

  /** Runs the work in one transaction: all of it, or nothing. */
  async transaction<T>(mode: "DEFERRED" | "IMMEDIATE", work: () => Promise<T>): Promise<T> {
    await this.#begin(mode);
    try {
      const result = await work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has rolled back already after some errors, a full disk among them.
      if (this.#database.inTransaction) this.exec("ROLLBACK");
      throw error;
    }
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

  async #begin(mode: string): Promise<void> {
    for (const deadline = performance.now() + this.#patience; ; ) {
      try {
        this.exec(`BEGIN ${mode}`);
        return;
      } catch (error) {
        if (!sqliteCode(error).startsWith("SQLITE_BUSY") || performance.now() >= deadline) throw error;
      }
      await sleep(PAUSE);
    }
  }
}
