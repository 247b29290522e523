/**
 * The ledger on a PostgreSQL server: its statements, transactions that survive a lost connection, and the meaning of
 * errors. Only the codes of errors are used: their texts are dropped here, so a statement, a row or an address never gets
 * into a sentence.
 *
 * A transaction that writes locks the head before its first read (`take_turn`), so two hosts never admit charges against
 * the same remaining budget. It commits with `synchronous_commit` on at least, and reads see one snapshot.
 *
 * A connection can break at any moment. Before COMMIT was sent, nothing was recorded, and the work starts again on a new
 * connection. Once COMMIT was sent, the run can't know whether it happened. The work starts again then, too: it takes the
 * lock, which the first transaction gives back only when it has ended either way, and finds out by the release id whether
 * the charge is there. Only if the server can't be asked in time does the run end without knowing, and it says so.
 * @module
 */
import { setImmediate as othersCame, setTimeout as sleep } from "node:timers/promises";
import {
  type ChainHead,
  type ChainRow,
  type Kept,
  type KeptAnew,
  type NewRow,
  OutcomeUnknown,
  Refusal,
  type Sought,
  type Store,
} from "winnow-release";
import { SCHEMA } from "./postgres-entries.js";
import { Reach, type ReachOptions } from "./postgres-reach.js";
import { LISTING, listingProblems } from "./postgres-schema.js";
import { isConflict, LostConnection, type Session, serverLedgerRefusal } from "./postgres-session.js";

/** Between attempts, in milliseconds. */
const PAUSE = 50;
/** A session that is left behind in a transaction gives its lock back after this many milliseconds. */
const LONGEST_IDLE = 30_000;

const BEGIN = {
  reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  writing: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
};

/** A stronger setting of the server stays. */
const SYNCHRONOUS = `SELECT set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`;

export class PostgresStore implements Store {
  readonly name: string;
  readonly #reach: Reach;
  readonly #patience: number;
  #start: Start = NO_START;
  /** Those that this transaction has read. */
  readonly #summaries = new Map<string, string | undefined>();
  readonly #places = new Map<string, number | undefined>();

  /**
   * `session` is a first connection, `patience` how long to wait for locks, in milliseconds. A run of the command line also waits
   * so long for a lost connection; a service (`isServed`) refuses while the server is away (postgres-reach.ts).
   */
  constructor(name: string, connect: () => Promise<Session>, patience: number, reach: ReachOptions = {}) {
    this.name = name;
    this.#reach = new Reach(connect, reach);
    this.#patience = Math.max(1, Math.ceil(patience)); // PostgreSQL takes 0 for no limit
  }

  reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("reading", work);
  }

  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("writing", work);
  }

  /** Those whose timers ran out and whose messages arrived: one task each, before the next immediate. */
  gather(): Promise<void> {
    return othersCame();
  }

  async close(): Promise<void> {
    await this.#reach.close();
  }

  refusal(error: unknown): unknown {
    return serverLedgerRefusal(this.name, error);
  }

  async #transaction<T>(mode: keyof typeof BEGIN, work: () => Promise<T>): Promise<T> {
    let isUnknown = false;
    let deadline: number | undefined; // counted from the first loss, which may itself take a while to be noticed
    for (;;) {
      let [hasLooked, isCommitting] = [false, false];
      try {
        await this.#begin(mode);
        hasLooked = true;
        const result = await work();
        isCommitting = mode === "writing";
        await this.#query("COMMIT");
        return result;
      } catch (error) {
        await this.#rollBack(error);
        // The work ran to an answer of its own: the lock was taken, and an earlier attempt is not in the ledger.
        if (hasLooked && isAnswer(error)) throw error;
        isUnknown ||= isCommitting;
        const mayPass = isCommitting || error instanceof LostConnection || isConflict(error);
        deadline ??= performance.now() + this.#patience;
        if (!mayPass || this.#reach.isAway || performance.now() >= deadline)
          throw isUnknown ? new OutcomeUnknown() : error;
        await sleep(PAUSE);
      }
    }
  }

  /** One message, because each costs a round trip: settings, the schema, the head (locked, to write) and the last entry. */
  async #begin(mode: keyof typeof BEGIN): Promise<void> {
    const session = await this.#reach.session();
    this.#summaries.clear();
    this.#places.clear();
    const head = mode === "writing" ? `${SCHEMA}.take_turn()` : `${SCHEMA}.head`;
    const results = await session.queries(`${BEGIN[mode]};
      SET LOCAL search_path = pg_catalog;
      SET LOCAL lock_timeout = ${this.#patience};
      SET LOCAL idle_in_transaction_session_timeout = ${LONGEST_IDLE};
      ${SYNCHRONOUS};
      ${LISTING};
      SELECT sequence, hash FROM ${head};
      SELECT sequence, hash FROM ${SCHEMA}.summarised;
      ${SELECT_ROW} ORDER BY sequence DESC LIMIT 1`);
    const [listing, heads, summarised, last] = results.slice(-4);
    this.#start = {
      listing,
      head: heads.map(readHead)[0],
      summarised: summarised.map(readHead)[0],
      last: last.map(readRow)[0],
    };
  }

  /** Also after a failed COMMIT: what is on the way is not waited for. */
  async #rollBack(error: unknown): Promise<void> {
    if (error instanceof LostConnection) return this.#reach.drop();
    try {
      await this.#reach.current.query("ROLLBACK");
    } catch {
      await this.#reach.drop();
    }
  }

  async #query(sql: string, ...values: unknown[]): Promise<unknown[][]> {
    return this.#reach.current.query(sql, values.length > 0 ? values : undefined);
  }

  async schemaProblems(): Promise<string[]> {
    return listingProblems(this.#start.listing);
  }

  /** The server checks its own pages. */
  async isDamaged(): Promise<boolean> {
    return false;
  }

  async head(): Promise<ChainHead | undefined> {
    return this.#start.head;
  }

  async summarised(): Promise<ChainHead | undefined> {
    return this.#start.summarised;
  }

  async lastSequence(): Promise<number> {
    return this.#start.last?.sequence ?? 0;
  }

  async row(sequence: number): Promise<ChainRow | undefined> {
    if (sequence === this.#start.last?.sequence) return this.#start.last;
    const [row] = await this.#query(`${SELECT_ROW} WHERE sequence = $1`, sequence);
    return row === undefined ? undefined : readRow(row);
  }

  async rowsAfter(sequence: number, limit: number): Promise<ChainRow[]> {
    const rows = await this.#query(
      `${SELECT_ROW} WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
      sequence,
      limit,
    );
    return rows.map(readRow);
  }

  async hashesAfter(sequence: number, limit: number): Promise<string[]> {
    const sql = `SELECT hash FROM ${SCHEMA}.log WHERE sequence > $1 ORDER BY sequence LIMIT $2`;
    return (await this.#query(sql, sequence, limit)).map(([hash]) => String(hash));
  }

  async seek({ places = [], accounts = [] }: Sought): Promise<void> {
    for (const key of places) this.#places.set(key, undefined);
    for (const key of accounts) this.#summaries.set(key, undefined);
    const rows = await this.#query(
      `SELECT true, id, sequence::text FROM ${SCHEMA}.releases WHERE id = ANY ($1)
        UNION ALL SELECT false, dataset, summary FROM ${SCHEMA}.accounts WHERE dataset = ANY ($2)`,
      [...new Set(places)],
      [...new Set(accounts)],
    );
    for (const [isPlace, key, value] of rows)
      if (isPlace) this.#places.set(String(key), Number(value));
      else this.#summaries.set(String(key), String(value));
  }

  async summaryOf(key: string): Promise<string | undefined> {
    if (!this.#summaries.has(key)) {
      const sql = `SELECT summary FROM ${SCHEMA}.accounts WHERE dataset = $1`;
      this.#summaries.set(key, await this.#text(sql, key));
    }
    return this.#summaries.get(key);
  }

  async accounts(): Promise<string[]> {
    const rows = await this.#query(`SELECT dataset FROM ${SCHEMA}.accounts ORDER BY place`);
    return rows.map(([key]) => String(key));
  }

  async placeOf(key: string): Promise<number | undefined> {
    if (!this.#places.has(key)) {
      const place = await this.#text(`SELECT sequence FROM ${SCHEMA}.releases WHERE id = $1`, key);
      this.#places.set(key, place === undefined ? undefined : Number(place));
    }
    return this.#places.get(key);
  }

  async placesAfter(key: string, limit: number): Promise<(readonly [string, number])[]> {
    const rows = await this.#query(
      `SELECT id, sequence FROM ${SCHEMA}.releases WHERE id > $1 ORDER BY id LIMIT $2`,
      key,
      limit,
    );
    return rows.map(([id, sequence]) => [String(id), Number(sequence)]);
  }

  async placesBetween(after: string, before: string, limit: number): Promise<number[]> {
    const rows = await this.#query(
      `SELECT sequence FROM ${SCHEMA}.releases WHERE id > $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
      after,
      before,
      limit,
    );
    return rows.map(([sequence]) => Number(sequence));
  }

  markKey(): Promise<string | undefined> {
    return this.#text(`SELECT key FROM ${SCHEMA}.secret`);
  }

  marked(mark: string): Promise<string | undefined> {
    return this.#text(`SELECT dataset FROM ${SCHEMA}.sources WHERE mark = $1 ORDER BY dataset LIMIT 1`, mark);
  }

  /** The server counts the entries itself; what it stores must be what this run would. */
  async append(rows: readonly NewRow[], { accounts, mark }: Kept): Promise<void> {
    const lines = rows.map(({ row }) => row.text);
    const stored = await this.#query(`SELECT * FROM ${SCHEMA}.append($1, $2)`, lines, mark ?? null);
    this.#places.clear();
    for (const [key, summary] of stored) this.#summaries.set(String(key), String(summary));
    if (accounts.some(([key, summary]) => this.#summaries.get(key) !== summary))
      throw new Refusal("ledger-broken", "The server counts an entry differently.");
  }

  /** Only the owner may do that, after someone inserted around `append`. */
  async keepAnew({ accounts, places, head }: KeptAnew): Promise<void> {
    this.#summaries.clear();
    this.#places.clear();
    await this.#query(`DELETE FROM ${SCHEMA}.accounts`);
    await this.#query(`DELETE FROM ${SCHEMA}.releases`);
    let place = 0;
    for (const [key, summary] of accounts)
      await this.#query(`INSERT INTO ${SCHEMA}.accounts VALUES ($1, $2, $3)`, key, ++place, summary);
    for (const [key, sequence] of places)
      await this.#query(`INSERT INTO ${SCHEMA}.releases VALUES ($1, $2)`, key, sequence);
    await this.#query(`UPDATE ${SCHEMA}.summarised SET sequence = $1, hash = $2`, head.sequence, head.hash);
  }

  async #text(sql: string, ...values: unknown[]): Promise<string | undefined> {
    const [row] = await this.#query(sql, ...values);
    return row === undefined ? undefined : String(row[0]);
  }
}

const SELECT_ROW = `SELECT sequence, hash, text FROM ${SCHEMA}.log`;

/** What a transaction finds at its start. */
interface Start {
  readonly listing: readonly (readonly unknown[])[];
  readonly head: ChainHead | undefined;
  readonly summarised: ChainHead | undefined;
  readonly last: ChainRow | undefined;
}

const NO_START: Start = { listing: [], head: undefined, summarised: undefined, last: undefined };

function readHead([sequence, hash]: readonly unknown[]): ChainHead {
  return { sequence: Number(sequence), hash: String(hash) };
}

function readRow([sequence, hash, text]: readonly unknown[]): ChainRow {
  return { sequence: Number(sequence), hash: String(hash), text: String(text) };
}

/** What the rules of the ledger say, after they have looked; a ledger that can't be read says nothing. */
function isAnswer(error: unknown): boolean {
  return error instanceof Refusal && error.code !== "ledger-broken";
}
