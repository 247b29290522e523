/**
 * A session with the PostgreSQL server of a ledger, and the meaning of its errors. Only the codes of errors are used: their
 * texts are dropped here, so a statement, a row or an address never gets into a sentence.
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import pg, { type ClientConfig } from "pg";
import { Refusal, type RefusalCode } from "winnow-release";
import { refuseConnection } from "../sources/postgres/postgres-connection.js";
import { ConnectionLost } from "../sources/server-connection.js";
import { STATES } from "./postgres-entries.js";

/** Between attempts, in milliseconds. */
const PAUSE = 50;

type Rows = unknown[][];

export interface Session {
  /** The rows of the last statement. */
  query(sql: string, values?: readonly unknown[]): Promise<Rows>;
  /** The rows of each of several statements, in one message. */
  queries(sql: string): Promise<Rows[]>;
  /** Whatever is open is rolled back by the server. */
  end(): Promise<void>;
}

/** The connection broke, or cannot be made right now. */
export class LostConnection extends Error {
  /** The server answered, and has no place for another connection right now. */
  constructor(readonly isPassing = false) {
    super();
  }
}

/** In milliseconds: an answer that takes longer never comes. */
const LONGEST_ANSWER = 60_000;

/**
 * A new connection. Waits for a server that has too many connections or is just starting, at most `patience`
 * milliseconds.
 */
export async function connectPatiently(
  address: ClientConfig,
  patience: number,
  longestAnswer?: number,
): Promise<Session> {
  for (const deadline = performance.now() + patience; ; await sleep(PAUSE)) {
    try {
      return await connectTo(address, longestAnswer);
    } catch (error) {
      if (!(error instanceof LostConnection && error.isPassing) || performance.now() >= deadline) throw error;
    }
  }
}

/** A new connection. An answer that takes more milliseconds breaks it. */
export async function connectTo(address: ClientConfig, longestAnswer = LONGEST_ANSWER): Promise<Session> {
  const client = new pg.Client({ ...address, query_timeout: longestAnswer });
  client.on("error", () => {}); // the next query says so
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw connectionError(error);
  }
  const send = async (sql: string, values?: readonly unknown[]) => {
    try {
      return await client.query<unknown[]>({
        text: sql,
        rowMode: "array",
        ...(values && { values: [...values] }),
      });
    } catch (error) {
      throw queryError(error);
    }
  };
  return {
    query: async (sql, values) => [await send(sql, values)].flat().at(-1)!.rows,
    queries: async (sql) => [await send(sql)].flat().map(({ rows }) => rows),
    end: async () => {
      // One that doesn't answer any more is not asked to say goodbye.
      const ended = client.end().catch(() => {});
      const timer = setTimeout(() => client.connection.stream.destroy(), 1000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Too many connections, and a server that is starting or stopping: both pass. */
const PASSING = /^(53300|57P0\d)$/;

function connectionError(error: unknown): Error {
  if (error instanceof pg.DatabaseError && PASSING.test(error.code ?? "")) return new LostConnection(true);
  const refusal = refuseConnection(error);
  return refusal instanceof ConnectionLost || refusal.code === "server-unreachable"
    ? new LostConnection()
    : refusal;
}

/** The server ended the session: it stopped, an administrator did it, or the session was idle in a transaction. */
const ENDED = /^(08|57P|25P03|25P04)/;

function queryError(error: unknown): Error {
  if (!(error instanceof pg.DatabaseError)) return new LostConnection();
  return ENDED.test(error.code ?? "") ? new LostConnection() : error;
}

const REASONS: readonly (readonly [state: RegExp, code: RefusalCode, sentence: string])[] = [
  [/^55P03$/, "ledger-locked", "is in use by another run and did not become free in time"],
  [/^(53100|58030)$/, "disk-full", "could not be written because the server's disk is full or failed"],
  [new RegExp(`^${STATES.notOwner}$`), "server-refused", "takes budgets from its owner only"],
  [/^42501$/, "server-refused", "may not be used in this way by this account"],
  [/^25006$/, "server-refused", "is on a server that can only be read, such as a standby"],
  [/^54/, "usage", "cannot store this entry: a name in it is too long for PostgreSQL"],
  [/^(23|42|3F|WL)/, "ledger-broken", "does not follow the rules of a ledger of Winnow"],
];

/** The refusal for an error met while using the ledger on a server; errors about something else are passed on. */
export function serverLedgerRefusal(name: string, error: unknown): unknown {
  const ledger = `The ledger ${JSON.stringify(name)}`;
  if (error instanceof LostConnection)
    return new Refusal("server-unreachable", `${ledger} cannot be reached, or the connection to it broke.`);
  if (!(error instanceof pg.DatabaseError)) return error;
  const reason = REASONS.find(([state]) => state.test(error.code ?? ""));
  if (reason !== undefined) return new Refusal(reason[1], `${ledger} ${reason[2]}.`);
  return new Refusal("server-failed", `${ledger} could not be used: its server failed.`);
}

/** Whether another transaction came in between, and the same work may succeed now. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(40001|40P01)$/.test(error.code ?? "");
}
