/**
 * A ClickHouse server over HTTP: each question is a separate request under settings that make it exact, limited and
 * read-only, with an id by which it can be watched and ended.
 *
 * ClickHouse sends its counts in lines, `users TAB item`, as bytes. A name that isn't valid UTF-8 is skipped,
 * because decoding it anyway would mix it up with others. If a query fails after its first row, old and new
 * servers write the error into the stream: a line that doesn't have our format ends the count, and its text is not
 * read.
 *
 * The refusals for the server's errors are chosen by error number alone. Error messages quote rows and statements, and are
 * dropped here.
 * @module
 */

import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { Refusal } from "winnow-release";
import { ConnectionLost, refuseNetwork } from "../server-connection.js";
import type { Batch, SourceOptions } from "../source.js";
import { ASK_SETTINGS, readClickhouseAddress, type Settings, settingsFor } from "./clickhouse-connection.js";

/** The time limit of a question that a server answers at once, in milliseconds. */
const PATIENCE = 10_000;
/** Every server accepts statements below this length. */
const LONG_STATEMENT = 65_536;
/** The time between two progress queries, in milliseconds. */
const WATCH_EVERY = 1000;
/** A statement contains the list twice, as two hexadecimal digits per byte and at most three bytes per unit, and other words. */
const UNITS_TO_QUERY = 13;

export class ClickhouseServer {
  readonly #client: ClickHouseClient;
  readonly #limits: SourceOptions;
  #settings: Settings = {};
  #mayChangeSettings = false;
  /** The longest list whose statement can be sent, in UTF-16 units; undefined if there is no limit. */
  longestList: number | undefined;

  private constructor(location: string, limits: SourceOptions) {
    this.#limits = limits;
    // The client's log would quote statements and addresses.
    this.#client = createClient({
      ...readClickhouseAddress(location),
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  static async open(location: string, limits: SourceOptions): Promise<ClickhouseServer> {
    const server = new ClickhouseServer(location, limits);
    try {
      const current = new Map(
        (await server.table(`${ASK_SETTINGS} FORMAT TabSeparated`)).map(([name, value]) => [name, value]),
      );
      server.#settings = settingsFor(current, limits);
      server.#mayChangeSettings = current.get("readonly") !== "1";
      if (!server.#mayChangeSettings)
        server.longestList = Math.floor(Number(current.get("max_query_size")) / UNITS_TO_QUERY);
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** A short answer: its rows, each as texts. */
  async table(statement: string): Promise<string[][]> {
    const patience = AbortSignal.timeout(PATIENCE);
    try {
      const stream = await this.#start(statement, randomUUID(), patience);
      const text = Buffer.concat(await stream.toArray()).toString("utf8");
      const lines = text.split("\n").slice(0, -1);
      return lines.map((line) => line.split("\t").map(unescapeField));
    } catch (error) {
      if (patience.aborted) throw new Refusal("server-unreachable", "The ClickHouse server doesn't answer.");
      throw refuseClickhouse(error);
    }
  }

  /** A long answer as its bytes arrive. The signal, the time limit or a reader that stops also ends it in the server. */
  async *stream(
    statement: string,
    signal: AbortSignal | undefined,
    onProgress: ((share: number | undefined) => void) | undefined,
    { isSecret = false } = {},
  ): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted(); // the client reacts to a signal only from now on
    const { timeLimit } = this.#limits;
    const queryId = randomUUID();
    const deadline = timeLimit === undefined ? undefined : AbortSignal.timeout(timeLimit);
    const stop = AbortSignal.any([signal, deadline].filter((each) => each !== undefined));
    const watch = onProgress && setInterval(() => void this.#look(queryId, onProgress), WATCH_EVERY);
    let isComplete = false;
    try {
      yield* await this.#start(`${statement} FORMAT TabSeparated`, queryId, stop, isSecret);
      isComplete = true;
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline?.aborted === true)
        throw new Refusal("source-limit", "The count took longer than its time limit.");
      throw refuseClickhouse(error);
    } finally {
      clearInterval(watch);
      if (!isComplete) await this.#kill(queryId);
    }
  }

  /** Keeps a secret out of the server's query log, if the account may set that. */
  async #start(
    query: string,
    query_id: string,
    abort_signal: AbortSignal,
    isSecret = false,
  ): Promise<Readable> {
    const clickhouse_settings = { ...this.#settings };
    if (isSecret && this.#mayChangeSettings) clickhouse_settings.log_queries = 0;
    if (query.length > LONG_STATEMENT && this.longestList === undefined)
      clickhouse_settings.max_query_size = 2 * query.length;
    const { stream } = await this.#client.exec({ query, query_id, abort_signal, clickhouse_settings });
    // The client's signal works until the first byte.
    abort_signal.addEventListener("abort", () => stream.destroy(new Error("stopped")), { once: true });
    return stream;
  }

  async #look(queryId: string, onProgress: (share: number | undefined) => void): Promise<void> {
    const statement = `SELECT read_rows, total_rows_approx FROM system.processes WHERE query_id = '${queryId}' FORMAT TabSeparated`;
    const [row] = await this.table(statement).catch(() => []);
    if (row === undefined) return;
    const [read, total] = row.map(Number);
    onProgress(total > 0 ? Math.min(read / total, 1) : undefined);
  }

  /** Not under our settings, which only allow reading. A server that is gone has nothing to end. */
  async #kill(queryId: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = '${queryId}' ASYNC`;
    await this.#client.command({ query, abort_signal: AbortSignal.timeout(PATIENCE) }).catch(() => {});
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

const COUNT_LINE = /^(\d{1,16})\t([^\t]*)$/;
const NEWLINE = 0x0a;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", r: "\r", n: "\n", t: "\t", "0": "\0" };

/** Reads whole lines as they arrive; `skip` gets the number of names that aren't text. */
export async function* readCounts(
  chunks: AsyncIterable<Uint8Array>,
  skip: (names: number) => void,
): AsyncGenerator<Batch> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield readLines(bytes.subarray(0, end - 1), skip);
  }
  if (rest.length > 0) throw brokenStream();
}

function readLines(bytes: Uint8Array, skip: (names: number) => void): Batch {
  const items: string[] = [];
  const users: number[] = [];
  for (const line of decodeLines(bytes)) {
    if (line === undefined) {
      skip(1);
      continue;
    }
    const match = COUNT_LINE.exec(line);
    if (match === null) throw brokenStream();
    users.push(Number(match[1]));
    items.push(unescapeField(match[2]));
  }
  return { items, users };
}

/** Decodes all lines at once or, if that fails, line by line, with undefined for a name that isn't text. */
function decodeLines(bytes: Uint8Array): (string | undefined)[] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes).split("\n");
  } catch {
    const lines: (string | undefined)[] = [];
    for (let start = 0; start <= bytes.length; ) {
      const next = bytes.indexOf(NEWLINE, start);
      const end = next < 0 ? bytes.length : next;
      lines.push(decodeLine(decoder, bytes.subarray(start, end)));
      start = end + 1;
    }
    return lines;
  }
}

function decodeLine(decoder: TextDecoder, line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    if (!COUNT_LINE.test(Buffer.from(line).toString("latin1"))) throw brokenStream();
    return undefined;
  }
}

/** Unescapes tab-separated text. */
function unescapeField(text: string): string {
  return text.includes("\\")
    ? text.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
    : text;
}

const SERVER = "the ClickHouse server";

const refused = () =>
  new Refusal("server-refused", "The ClickHouse server refused the name or the password.");
const forbidden = () =>
  new Refusal("server-refused", "The ClickHouse account may not read this table or column.");
const noTable = () => new Refusal("unknown-table", "The ClickHouse server has no such table.");
const noDatabase = () =>
  new Refusal("server-refused", "The ClickHouse server has no database with that name.");
const badQuery = () => new Refusal("bad-query", "ClickHouse cannot parse the query.");
const writes = () =>
  new Refusal(
    "bad-query",
    "The query does more than read tables, so ClickHouse refused it; nothing was changed.",
  );
const overTime = () => new Refusal("source-limit", "ClickHouse stopped the count at its time limit.");
const overMemory = () => new Refusal("source-limit", "ClickHouse stopped the count at its memory limit.");
const overLimit = () => new Refusal("source-limit", "The count exceeds a limit of ClickHouse.");
const shardDown = () =>
  new Refusal(
    "server-failed",
    "A shard of the ClickHouse cluster doesn't answer, and counts without it would be wrong.",
  );

const BY_NUMBER: Readonly<Record<string, () => Refusal>> = {
  "516": refused,
  "192": refused,
  "193": refused,
  "194": refused,
  "195": refused, // from this address
  "497": forbidden,
  "291": forbidden,
  "60": noTable,
  "81": noDatabase,
  "62": badQuery,
  "47": badQuery,
  "46": badQuery, // an unknown function
  "48": badQuery,
  "43": badQuery, // a function for other types
  "164": writes,
  "159": overTime,
  "160": overTime,
  "241": overMemory,
  "158": overLimit,
  "307": overLimit,
  "396": overLimit,
  "202": overLimit, // of simultaneous queries
  "279": shardDown,
  "209": shardDown,
  "210": shardDown,
  "519": shardDown,
};

function refuseClickhouse(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = codeOf(error);
  if (code === undefined) return new ConnectionLost(SERVER);
  if (/^\d+$/.test(code))
    return BY_NUMBER[code]?.() ?? new Refusal("server-failed", "ClickHouse could not finish the count.");
  return refuseNetwork(code, "ClickHouse") ?? new ConnectionLost(SERVER);
}

/** The number or code of an error; the client doesn't parse the numbers of old servers, which start the message. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? String(error.code) : /^Code: (\d+)/.exec(error.message)?.[1];
}

/** The stream of rows turned into something else: an error whose message is not read. */
function brokenStream(): Refusal {
  return new Refusal("server-failed", "ClickHouse stopped while sending the counts.");
}
