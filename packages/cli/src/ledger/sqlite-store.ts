/**
 * The ledger in a SQLite file: its statements.
 * @module
 */
import { setImmediate as othersCame } from "node:timers/promises";
import type { ChainHead, ChainRow, Kept, KeptAnew, NewRow, Store } from "winnow-release";
import type { Connection, Row } from "./sqlite-connection.js";
import { ledgerRefusal } from "./sqlite-refusal.js";
import { LISTING, schemaProblems } from "./sqlite-schema.js";

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

  /** Those whose timers ran out and whose messages arrived: one task each, before the next immediate. */
  gather(): Promise<void> {
    return othersCame();
  }

  async close(): Promise<void> {
    this.#connection.close();
    this.#onClose();
  }

  refusal(error: unknown): unknown {
    return ledgerRefusal(this.name, error);
  }

  async schemaProblems(): Promise<string[]> {
    return schemaProblems(this.#connection.all(LISTING));
  }

  async isDamaged(): Promise<boolean> {
    const [{ integrity_check: result }] = this.#connection.all("PRAGMA integrity_check(1)");
    return result !== "ok";
  }

  async head(): Promise<ChainHead | undefined> {
    return this.#headIn("head");
  }

  async summarised(): Promise<ChainHead | undefined> {
    return this.#headIn("summarised");
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
    const [row] = this.#connection.all(`SELECT ${bytes("key")} FROM secret`);
    return row === undefined ? undefined : String(row.key);
  }

  async marked(mark: string): Promise<string | undefined> {
    const [row] = this.#connection.all(`SELECT ${bytes("dataset")} FROM sources WHERE mark = ?`, mark);
    return row === undefined ? undefined : textOf(row.dataset);
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
