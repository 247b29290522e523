/**
 * A Trino server over its client protocol: a statement is posted, and its answer comes page by page from addresses that the
 * server names. A page can be fetched again until the next one is asked for. A statement that isn't read to its end is
 * cancelled in the server.
 *
 * Of the addresses only the path is followed, always on the host that we connected to: the account's password goes nowhere
 * else, whatever an answer says.
 *
 * What went wrong is told from the names of the server's errors alone. Their texts quote rows and statements, and are dropped
 * here.
 * @module
 */

import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "winnow-release";
import { ConnectionLost, refuseNetwork } from "../server-connection.js";
import type { SourceOptions } from "../source.js";
import { readTrinoAddress, type TrinoAddress } from "./trino-address.js";

/** For a question that the server answers at once, in milliseconds. */
const PATIENCE = 30_000;
/** Between attempts where the server is too busy to answer, in milliseconds. */
const PAUSES = [100, 400, 1600, 3200];
/** Too many requests, and gateways without a server behind them. */
const BUSY = new Set([429, 502, 503, 504]);

export interface TrinoColumn {
  readonly name: string;
  /** As the schema calls it. */
  readonly type: string;
}

/** One part of an answer. */
interface Page {
  readonly nextUri?: string;
  readonly columns?: readonly TrinoColumn[];
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly errorName?: string; readonly errorType?: string };
  readonly stats?: { readonly state?: string; readonly progressPercentage?: number };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export class TrinoServer {
  readonly #address: TrinoAddress;
  readonly #timeLimit: number | undefined;

  constructor(location: string, limits: SourceOptions) {
    this.#address = readTrinoAddress(location, limits);
    this.#timeLimit = limits.timeLimit;
  }

  /** The columns of a statement that makes no row. */
  async columns(statement: string): Promise<readonly TrinoColumn[]> {
    const patience = AbortSignal.timeout(PATIENCE);
    let columns: readonly TrinoColumn[] | undefined;
    try {
      for await (const page of this.#pages(statement, patience)) columns ??= page.columns;
    } catch (error) {
      if (patience.aborted) throw new Refusal("server-unreachable", "The Trino server does not answer.");
      throw refuseTrino(error);
    }
    if (columns === undefined) throw brokenAnswer();
    return columns;
  }

  /** A long answer as it comes; ended in the server too when the signal or the time limit says so, or it isn't read on. */
  async *rows(
    statement: string,
    signal: AbortSignal | undefined,
    onProgress: ((share: number | undefined) => void) | undefined,
  ): AsyncGenerator<readonly (readonly unknown[])[]> {
    signal?.throwIfAborted();
    const deadline = this.#timeLimit === undefined ? undefined : AbortSignal.timeout(this.#timeLimit);
    const stop = AbortSignal.any([signal, deadline].filter((each) => each !== undefined));
    try {
      for await (const { data, stats } of this.#pages(statement, stop)) {
        const percent = stats?.progressPercentage;
        onProgress?.(percent === undefined ? undefined : percent / 100);
        if (data !== undefined && data.length > 0) yield data;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline?.aborted === true)
        throw new Refusal("source-limit", "The count took longer than its time limit.");
      throw refuseTrino(error);
    }
  }

  /** All pages. An answer that ends before the server says that it is finished isn't one. */
  async *#pages(statement: string, stop: AbortSignal): AsyncGenerator<Page> {
    let page = await this.#page("POST", "/v1/statement", stop, statement);
    let next: string | undefined;
    let hasEnded = false;
    try {
      for (;;) {
        next = page.nextUri === undefined ? undefined : pathOf(page.nextUri);
        hasEnded = next === undefined;
        if (page.error !== undefined) throw page.error;
        if (hasEnded && page.stats?.state !== "FINISHED") throw brokenAnswer();
        yield page;
        if (next === undefined) return;
        page = await this.#page("GET", next, stop);
      }
    } finally {
      if (!hasEnded && next !== undefined) await this.#cancel(next);
    }
  }

  async #page(method: "GET" | "POST", path: string, stop: AbortSignal, body?: string): Promise<Page> {
    let answer = await this.#request(method, path, stop, body);
    for (const milliseconds of PAUSES) {
      if (!BUSY.has(answer.status)) break;
      await pause(milliseconds, undefined, { signal: stop });
      answer = await this.#request(method, path, stop, body);
    }
    if (answer.status !== 200) throw refuseStatus(answer.status, method === "GET");
    return readPage(answer.text);
  }

  #request(method: string, path: string, signal: AbortSignal, body?: string): Promise<Answer> {
    const { isSecure, host, port, headers, tls } = this.#address;
    const options = { method, host, port, path, headers, signal, agent: false as const, ...tls };
    return new Promise((resolve, reject) => {
      const read = (response: IncomingMessage) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          response.complete
            ? resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") })
            : reject(lostTrino()),
        );
      };
      const request: ClientRequest = isSecure ? secureRequest(options, read) : plainRequest(options, read);
      request.on("error", reject);
      request.end(body);
    });
  }

  /** A server that is gone has nothing to cancel. */
  async #cancel(path: string): Promise<void> {
    await this.#request("DELETE", path, AbortSignal.timeout(PATIENCE)).catch(() => {});
  }
}

function pathOf(address: string): string {
  try {
    const { pathname, search } = new URL(address);
    return pathname + search;
  } catch {
    throw brokenAnswer();
  }
}

function readPage(text: string): Page {
  try {
    const page: unknown = JSON.parse(text);
    if (typeof page === "object" && page !== null && "id" in page) return page as Page;
  } catch {
    // told below, without the text
  }
  throw otherServer();
}

const noTable = () => new Refusal("unknown-table", "The Trino server has no such table.");
const noPlace = () =>
  new Refusal("server-refused", "The Trino server has no catalog or schema of that name.");
const forbidden = () => new Refusal("server-refused", "The Trino account may not read this table or column.");
const refused = () =>
  new Refusal("server-refused", "The Trino server refused the name, the password or the token.");
const badQuery = () => new Refusal("bad-query", "Trino cannot read the query.");
const badSession = () => new Refusal("usage", "Trino does not take the session properties of the address.");
const overTime = () => new Refusal("source-limit", "Trino stopped the count at its time limit.");
const overMemory = () => new Refusal("source-limit", "Trino stopped the count at its memory limit.");
const noWorker = () => new Refusal("server-unreachable", "The Trino cluster has no worker to count with.");
const overLimit = () => new Refusal("source-limit", "The count is beyond a limit of Trino.");

const lostTrino = () => new ConnectionLost("the Trino server");

const BY_NAME: Readonly<Record<string, () => Refusal>> = {
  TABLE_NOT_FOUND: noTable,
  CATALOG_NOT_FOUND: noPlace,
  SCHEMA_NOT_FOUND: noPlace,
  MISSING_CATALOG_NAME: noPlace,
  MISSING_SCHEMA_NAME: noPlace,
  PERMISSION_DENIED: forbidden,
  SYNTAX_ERROR: badQuery,
  COLUMN_NOT_FOUND: badQuery,
  AMBIGUOUS_NAME: badQuery,
  DUPLICATE_COLUMN_NAME: badQuery,
  MISSING_COLUMN_NAME: badQuery,
  COLUMN_TYPE_UNKNOWN: badQuery,
  FUNCTION_NOT_FOUND: badQuery,
  TYPE_MISMATCH: badQuery,
  TYPE_NOT_FOUND: badQuery,
  MISMATCHED_COLUMN_ALIASES: badQuery,
  EXPRESSION_NOT_AGGREGATE: badQuery,
  NOT_SUPPORTED: badQuery,
  INVALID_SESSION_PROPERTY: badSession,
  EXCEEDED_TIME_LIMIT: overTime,
  EXCEEDED_CPU_LIMIT: overTime,
  EXCEEDED_LOCAL_MEMORY_LIMIT: overMemory,
  EXCEEDED_GLOBAL_MEMORY_LIMIT: overMemory,
  CLUSTER_OUT_OF_MEMORY: overMemory,
  EXCEEDED_SPILL_LIMIT: overLimit,
  EXCEEDED_SCAN_LIMIT: overLimit,
  EXCEEDED_FUNCTION_MEMORY_LIMIT: overLimit,
  QUERY_TEXT_TOO_LARGE: overLimit,
  QUERY_HAS_TOO_MANY_STAGES: overLimit,
  QUERY_QUEUE_FULL: overLimit,
  QUERY_REJECTED: overLimit,
  // A part of the cluster went away: another attempt may find it, or do without it.
  REMOTE_HOST_GONE: lostTrino,
  REMOTE_TASK_ERROR: lostTrino,
  REMOTE_TASK_MISMATCH: lostTrino,
  REMOTE_TASK_FAILED: lostTrino,
  PAGE_TRANSPORT_ERROR: lostTrino,
  PAGE_TRANSPORT_TIMEOUT: lostTrino,
  TOO_MANY_REQUESTS_FAILED: lostTrino,
  ABANDONED_QUERY: lostTrino,
  ABANDONED_TASK: lostTrino,
  SERVER_SHUTTING_DOWN: lostTrino,
  SERVER_STARTING_UP: lostTrino,
  NO_NODES_AVAILABLE: noWorker,
};

function refuseTrino(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { errorName, code } = (error ?? {}) as { errorName?: unknown; code?: unknown };
  if (typeof errorName === "string")
    return BY_NAME[errorName]?.() ?? new Refusal("server-failed", "Trino could not finish the count.");
  return (typeof code === "string" ? refuseNetwork(code, "Trino") : undefined) ?? lostTrino();
}

/** `isLater` is whether the server had taken the statement: then it has forgotten it. */
function refuseStatus(status: number, isLater: boolean): Refusal {
  if (status === 401) return refused();
  if (status === 403) return forbidden();
  if (status === 404 || status === 410) return isLater ? lostTrino() : otherServer();
  if (status >= 500 || status === 429)
    return new Refusal("server-unreachable", "The Trino server does not answer.");
  return new Refusal("server-failed", "Trino could not finish the count.");
}

function otherServer(): Refusal {
  return new Refusal(
    "server-unreachable",
    "The answer isn't from a Trino server, or not over TLS as requested.",
  );
}

/** The answer ended, or went over into something else, before it was complete. */
export function brokenAnswer(): Refusal {
  return new Refusal("server-failed", "Trino stopped while sending the counts.");
}
