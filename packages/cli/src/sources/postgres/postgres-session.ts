/**
 * One connection to PostgreSQL with one transaction in it, which may only read, sees one state of the data, has
 * limits on time and memory, and is never committed. Settings that decide how a value is written as text are
 * fixed, so no defaults of an account or a database change a name.
 * @module
 */

import pg, { type Client, type ClientConfig } from "pg";
import Cursor from "pg-cursor";
import { Refusal } from "winnow-release";
import type { SourceOptions } from "../source.js";
import { refuseConnection, refuseQuery } from "./postgres-connection.js";
import type { Statement } from "./postgres-sql.js";

const FIXED = {
  DateStyle: "ISO, YMD",
  TimeZone: "UTC",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  lc_monetary: "C",
  // A slow reader of the cursor isn't idle.
  idle_in_transaction_session_timeout: "0",
};

/** A hash of distinct pairs may use twice the working memory; a hash of counts and a sort need some more. */
const HASH_SHARES = 2;
const WORKING_SHARES = 4;
/** The range that PostgreSQL accepts. */
const LEAST_WORKING_KILOBYTES = 64;
const MOST_WORKING_KILOBYTES = 2 ** 31 - 1;
/** Rows fetched at a time. */
const FETCH = 10_000;

export class PostgresSession {
  readonly client: Client;
  readonly #address: ClientConfig;
  /** The server's number for this session; a connection pooler tells its clients a different number. */
  #backend: number | undefined;
  /** The first error of the connection itself. */
  #broken: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOverTime = false;
  #cursor: Cursor<string[]> | undefined;
  readonly #ended: Promise<void>;

  private constructor(address: ClientConfig) {
    this.#address = address;
    this.client = new pg.Client(address);
    this.#ended = new Promise((resolve) => this.client.once("end", resolve));
    this.client.on("error", (error) => {
      this.#broken ??= error;
    });
  }

  static async open(address: ClientConfig, limits: SourceOptions): Promise<PostgresSession> {
    const session = new PostgresSession(address);
    try {
      await session.client.connect();
    } catch (error) {
      throw refuseConnection(error);
    }
    try {
      await session.#begin(limits);
      return session;
    } catch (error) {
      await session.close();
      throw refuseQuery(error);
    }
  }

  async #begin({ timeLimit, memoryLimit }: SourceOptions): Promise<void> {
    await this.client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const settings = { ...FIXED, ...timeSettings(timeLimit), ...memorySettings(memoryLimit) };
    const { rows } = await this.client.query<[number]>({
      rowMode: "array",
      text: `SELECT pg_catalog.pg_backend_pid(), pg_catalog.set_config(key, value, true)
        FROM pg_catalog.json_each_text($1::json)`,
      values: [JSON.stringify(settings)],
    });
    this.#backend = rows[0][0];
    if (timeLimit !== undefined) this.#startTimer(timeLimit);
  }

  /** The server limits the time of each fetch; we limit the time of all of them. */
  #startTimer(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#isOverTime = true;
      void this.#cancel();
    }, milliseconds);
    this.#timer.unref();
  }

  /**
   * The rows of a statement in batches, each row an array of texts, through a server-side cursor, so that the server waits for
   * us. A few rows are fetched at once, because PostgreSQL gives a cursor no parallel workers.
   */
  async *rows({ text, values, rows: most = Infinity }: Statement): AsyncGenerator<string[][]> {
    if (most <= FETCH) {
      yield (await this.client.query<string[]>({ text, values: [...values], rowMode: "array" })).rows;
      return;
    }
    this.#cursor = this.client.query(new Cursor<string[]>(text, [...values], { rowMode: "array" }));
    for (;;) {
      const rows = await this.#cursor.read(FETCH);
      if (rows.length === 0) return;
      yield rows;
      // While the server waits for us, there is nothing to cancel.
      if (this.#isOverTime) throw overTime();
    }
  }

  /** Ends the query in the server when the signal aborts; call the returned function to stop listening. */
  cancelOn(signal: AbortSignal | undefined): () => void {
    const cancel = () => void this.#cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    return () => signal?.removeEventListener("abort", cancel);
  }

  /** Over a separate connection, because this one is busy; a server that can't be reached any more has ended it itself. */
  async #cancel(): Promise<void> {
    const messenger = new pg.Client(this.#address);
    messenger.on("error", () => {});
    try {
      await messenger.connect();
      await messenger.query("SELECT pg_catalog.pg_cancel_backend($1::integer)", [this.#backend]);
    } catch {
      this.client.connection.stream.destroy(); // at least we don't wait
    } finally {
      await messenger.end().catch(() => {});
    }
  }

  refuse(error: unknown): Refusal {
    return this.#isOverTime ? overTime() : refuseQuery(this.#broken ?? error);
  }

  /** Rolls back the transaction. If the connection ends meanwhile, the server rolls it back. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#broken === undefined) await Promise.race([this.#rollBack(), this.#ended]).catch(() => {});
    await this.client.end().catch(() => {});
  }

  async #rollBack(): Promise<void> {
    await this.#cursor?.close();
    await this.client.query("ROLLBACK");
  }
}

function timeSettings(timeLimit: number | undefined): Record<string, string> {
  return timeLimit === undefined ? {} : { statement_timeout: `${Math.ceil(timeLimit)}ms` };
}

function memorySettings(memoryLimit: number | undefined): Record<string, string> {
  if (memoryLimit === undefined) return {};
  const share = Math.floor(memoryLimit / 1024 / WORKING_SHARES);
  const kilobytes = Math.min(Math.max(share, LEAST_WORKING_KILOBYTES), MOST_WORKING_KILOBYTES);
  return { work_mem: `${kilobytes}kB`, hash_mem_multiplier: String(HASH_SHARES) };
}

function overTime(): Refusal {
  return new Refusal("source-limit", "The count took longer than its time limit.");
}
