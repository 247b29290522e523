/**
 * The ledger in a SQLite file: a connection to it, its statements, and the meaning of SQLite's errors. Every
 * transaction that writes takes the write lock
 * first (`BEGIN IMMEDIATE`), and every commit is on disk before it returns (`synchronous = FULL`). Winnow waits
 * for a lock in short turns, so it notices an interrupt in between.
 *
 * SQLite goes on with the files that it has open when someone deletes, moves or replaces them, and with the pages in its
 * memory when someone writes over them. So before each transaction its memory is emptied, and before and after each one the
 * path must still name the files that were opened.
 *
 * Only SQLite's error codes are used, never its messages. Every failed write counts as a full disk, whatever the
 * reason: nothing was recorded, so nothing is released.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { type ChainHead, type ChainRow, LedgerError } from "winnow-release";
import { Refusal, type RefusalCode } from "../refusal.js";
import { filesAt, migration, schemaProblems } from "./ledger-file.js";
import { replaced } from "./ledger-refusals.js";
import type { Kept, KeptAnew, NewRow, Store } from "./store.js";

/** How long SQLite itself waits for a lock, and the pause after that, in milliseconds. */
const TURN = 100;
const PAUSE = 5;

export type Row = Readonly<Record<string, unknown>>;

export class Connection {
  readonly #database: Database.Database;
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
      this.exec("PRAGMA trusted_schema = OFF");
    });
    this.#files = filesAt(this.#path);
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
      throw replaced("its file was deleted, moved, replaced or given another name");
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

export class SqliteStore implements Store {
  readonly name: string;
  readonly #connection: Connection;
  readonly #onClose: () => void;

  constructor(path: string, connection: Connection, onClose: () => void = () => {}) {
    this.name = path;
    this.#connection = connection;
    this.#onClose = onClose;
  }

  reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.reading(work);
  }

  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.writing(work);
  }

  async close(): Promise<void> {
    this.#connection.close();
    this.#onClose();
  }

  refusal(error: unknown): unknown {
    return ledgerRefusal(this.name, error);
  }

  async schemaProblems(): Promise<string[]> {
    return schemaProblems(this.#connection);
  }

  async isDamaged(): Promise<boolean> {
    const [{ integrity_check: result }] = this.#connection.all("PRAGMA integrity_check(1)");
    return result !== "ok";
  }

  async head(): Promise<ChainHead | undefined> {
    return this.#headIn("head");
  }

  async summarised(): Promise<ChainHead | undefined> {
    return this.#has("summarised") ? this.#headIn("summarised") : undefined;
  }

  async lastSequence(): Promise<number> {
    const [last] = this.#connection.all("SELECT max(sequence) AS sequence FROM log");
    return Number(last?.sequence ?? 0);
  }

  async row(sequence: number): Promise<ChainRow | undefined> {
    const [row] = this.#connection.all(`${SELECT_ROW} WHERE sequence = ?`, sequence);
    return row === undefined ? undefined : readRow(row);
  }

  async rowsAfter(sequence: number, limit: number): Promise<ChainRow[]> {
    const rows = this.#connection.all(
      `${SELECT_ROW} WHERE sequence > ? ORDER BY sequence LIMIT ?`,
      sequence,
      limit,
    );
    return rows.map(readRow);
  }

  async hashesAfter(sequence: number, limit: number): Promise<string[]> {
    const rows = this.#connection.all(
      `SELECT ${bytes("hash")} FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?`,
      sequence,
      limit,
    );
    return rows.map(({ hash }) => textOf(hash));
  }

  async summaryOf(key: string): Promise<string | undefined> {
    const [row] = this.#connection.all(`SELECT ${bytes("summary")} FROM accounts WHERE dataset = ?`, key);
    return row === undefined ? undefined : textOf(row.summary);
  }

  async accounts(): Promise<string[]> {
    const rows = this.#connection.all(`SELECT ${bytes("dataset")} FROM accounts ORDER BY place`);
    return rows.map((row) => textOf(row.dataset));
  }

  async placeOf(key: string): Promise<number | undefined> {
    const [row] = this.#connection.all("SELECT sequence FROM releases WHERE id = ?", key);
    return row === undefined ? undefined : Number(row.sequence);
  }

  async placesAfter(key: string, limit: number): Promise<(readonly [string, number])[]> {
    const rows = this.#connection.all(
      // By the column, which has an index, and not by the digits of the same name.
      `SELECT ${bytes("id")}, sequence FROM releases WHERE id > ? ORDER BY releases.id LIMIT ?`,
      key,
      limit,
    );
    return rows.map(({ id, sequence }) => [textOf(id), Number(sequence)]);
  }

  async placesBetween(after: string, before: string, limit: number): Promise<number[]> {
    const rows = this.#connection.all(
      "SELECT sequence FROM releases WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?",
      after,
      before,
      limit,
    );
    return rows.map(({ sequence }) => Number(sequence));
  }

  async markKey(): Promise<string | undefined> {
    const [row] = this.#has("secret") ? this.#connection.all(`SELECT ${bytes("key")} FROM secret`) : [];
    return row === undefined ? undefined : String(row.key);
  }

  async marked(mark: string): Promise<string | undefined> {
    const [row] = this.#connection.all(`SELECT ${bytes("dataset")} FROM sources WHERE mark = ?`, mark);
    return row === undefined ? undefined : textOf(row.dataset);
  }

  async migrate(): Promise<void> {
    if (!this.#has("summarised")) this.#connection.exec(migration());
  }

  async append(rows: readonly NewRow[], { accounts, mark }: Kept): Promise<void> {
    for (const { row, keys } of rows) {
      const { sequence, hash, text } = row;
      this.#connection.run("INSERT INTO log (sequence, hash, text) VALUES (?, ?, ?)", sequence, hash, text);
      for (const key of keys) this.#keepPlace(key, sequence);
    }
    for (const [key, summary] of accounts) this.#keepAccount(key, summary);
    if (mark !== undefined)
      this.#connection.run("INSERT OR IGNORE INTO sources VALUES (?, ?)", mark, accounts[0]![0]);
    this.#keepHead(rows.at(-1)!.row);
  }

  async keepAnew({ accounts, places, head }: KeptAnew): Promise<void> {
    this.#connection.exec("DELETE FROM accounts; DELETE FROM releases");
    for (const [key, summary] of accounts) this.#keepAccount(key, summary);
    for (const [key, sequence] of places) this.#keepPlace(key, sequence);
    this.#keepHead(head);
  }

  #keepAccount(key: string, summary: string): void {
    this.#connection.run(
      `INSERT INTO accounts (dataset, place, summary) VALUES (?, (SELECT coalesce(max(place), 0) + 1 FROM accounts), ?)
        ON CONFLICT (dataset) DO UPDATE SET summary = excluded.summary`,
      key,
      summary,
    );
  }

  #keepPlace(key: string, sequence: number): void {
    this.#connection.run("INSERT OR IGNORE INTO releases (id, sequence) VALUES (?, ?)", key, sequence);
  }

  #keepHead({ sequence, hash }: ChainHead): void {
    this.#connection.run("INSERT OR REPLACE INTO summarised VALUES (1, ?, ?)", sequence, hash);
  }

  #headIn(table: "head" | "summarised"): ChainHead | undefined {
    const [row] = this.#connection.all(
      `SELECT CAST(sequence AS INTEGER) AS sequence, ${bytes("hash")} FROM ${table}`,
    );
    return row === undefined ? undefined : { sequence: Number(row.sequence), hash: textOf(row.hash) };
  }

  #has(table: string): boolean {
    return this.#connection.all("SELECT 1 FROM sqlite_master WHERE name = ?", table).length > 0;
  }
}

const SELECT_ROW = `SELECT sequence, ${bytes("hash")}, ${bytes("text")} FROM log`;

/** A damaged file may hold text that isn't UTF-8, which would end the process inside the driver: its bytes are fetched, in digits. */
function bytes(column: string): string {
  return `hex(${column}) AS ${column}`;
}

function readRow(row: Row): ChainRow {
  return { sequence: Number(row.sequence), hash: textOf(row.hash), text: textOf(row.text) };
}

/** Bytes that aren't UTF-8 come out changed and don't fit their hash. */
function textOf(digits: unknown): string {
  return Buffer.from(String(digits), "hex").toString("utf8");
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

/** Whether SQLite couldn't write next to the file, which it does even to read it. */
export function isUnwritable(error: unknown): boolean {
  const [, code] = REASONS.find(([pattern]) => pattern.test(sqliteCode(error))) ?? [];
  return code === "disk-full" || code === "no-permission";
}

/** The refusal for an error while using the ledger; other errors are passed on. */
export function ledgerRefusal(path: string, error: unknown): unknown {
  if (error instanceof LedgerError) return new Refusal(error.code, error.message);
  const code = sqliteCode(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code));
  if (reason === undefined) return error;
  return new Refusal(reason[1], `The ledger ${JSON.stringify(path)} ${reason[2]}.`);
}
