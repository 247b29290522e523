/**
 * What the service writes down about itself: one JSON object per line. A line is made of public words and whole numbers only; of a client
 * that was denied it has the address too.
 * The words are given before the first request: the routes of the service, the codes of its problems, and the names of
 * analysts and data sets in the operator's file. A text that isn't one of them becomes `"?"`, and a field that isn't one of
 * `LogFields` is left out. So no path, query, item, answer, row or error text can get into a log, whatever a caller passes.
 *
 * Unforeseen errors are logged by class and place in the code. The time of a request is the time at which its answer left, which the
 * grid has made public. A log that can't be written doesn't stop a release.
 * @module
 */
import { isIP } from "node:net";
import { kindAndPlace } from "winnow-release";
import { DENIED } from "./authenticate.js";
import { addressBlock } from "./limits.js";
import { listOf, readOptions, text } from "./options.js";

/** All words that logs and metrics may contain. */
export interface Vocabulary {
  /** Patterns such as `/v1/datasets/:dataset`, never the path of a request. */
  readonly routes: readonly string[];
  readonly codes: readonly string[];
  readonly analysts: readonly string[];
  readonly datasets: readonly string[];
  /** The labels of keys. */
  readonly keys: readonly string[];
}

/** The events of the log. */
export const EVENTS = [
  "started",
  "request", // was answered
  "released", // a new release was charged and stored
  "refused", // by a rule or a limit
  "denied", // who asks isn't known, or may not: with the address
  "counted", // the rows of a data set
  "slow", // a count took longer than a tick, so its time shows
  "doubtful", // a list or a column that hardly fits the rows: the code says which
  "failed", // something that may work later: a source, the ledger, the provider
  "recovered", // the ledger answers again
  "provider-failed", // the identity provider: its tokens are refused
  "provider-recovered",
  "traces-failed", // the collector of traces doesn't take them
  "traces-recovered",
  "reloaded", // analysts, keys and certificates of the operator's file
  "reload-refused", // what was loaded before stays
  "unexpected", // a mistake in the program
  "stopping",
  "stopped",
] as const;
export type LogEvent = (typeof EVENTS)[number];

const LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** All that a line can say, beside its time, level and event. */
export interface LogFields {
  /** A UUID that the service drew. */
  readonly request?: string | undefined;
  readonly method?: string | undefined;
  readonly route?: string | undefined;
  readonly status?: number | undefined;
  /** From the arrival of the request until its answer left. */
  readonly milliseconds?: number | undefined;
  /** The address of a denied client; its network, if it is one of IPv6. */
  readonly address?: string | undefined;
  /** Why it isn't known who asks. */
  readonly because?: string | undefined;
  readonly analyst?: string | undefined;
  /** The label of the analyst's key. */
  readonly key?: string | undefined;
  readonly dataset?: string | undefined;
  /** The code of the problem that was the answer. */
  readonly code?: string | undefined;
  /** The entry of the ledger. */
  readonly sequence?: number | undefined;
}

const UNKNOWN = "?";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Turns what a caller passed into what may be written. */
type Writer = (value: unknown) => string | number;

const word = (words: Iterable<string>): Writer => {
  const known = new Set(words);
  return (value) => (known.has(value as string) ? (value as string) : UNKNOWN);
};

const count: Writer = (value) => (Number.isFinite(value) ? Math.round(value as number) : UNKNOWN);

/** Reads the words that may be written. */
export function readVocabulary(given: Vocabulary): Vocabulary {
  const words = listOf(text(/^.{1,200}$/s, "1 to 200 characters"));
  return readOptions<Vocabulary>(
    given,
    { routes: words, codes: words, analysts: words, datasets: words, keys: words },
    "vocabulary",
  );
}

/** Writes lines to a sink, such as standard error. */
export class Log {
  readonly #write: (line: string) => void;
  readonly #time: () => Date;
  readonly #writers: { readonly [F in keyof LogFields]-?: Writer };

  constructor(vocabulary: Vocabulary, write: (line: string) => void, time = () => new Date()) {
    const { routes, codes, analysts, datasets, keys } = readVocabulary(vocabulary);
    this.#write = write;
    this.#time = time;
    this.#writers = {
      request: (value) => (typeof value === "string" && UUID.test(value) ? value : UNKNOWN),
      method: word(METHODS),
      route: word(routes),
      status: count,
      milliseconds: count,
      address: (value) => (typeof value === "string" && isIP(value) !== 0 ? addressBlock(value) : UNKNOWN),
      because: word(DENIED),
      analyst: word(analysts),
      key: word(keys),
      dataset: word(datasets),
      code: word(codes),
      sequence: count,
    };
  }

  /** Writes one line. Fields come in a fixed order; absent ones are left out. */
  write(level: LogLevel, event: LogEvent, fields: LogFields = {}): void {
    this.#line(level, event, fields);
  }

  /** Writes a line about an error that no one foresaw: its class and its place, never its text. */
  unexpected(error: unknown, fields: LogFields = {}): void {
    this.#line("error", "unexpected", fields, error);
  }

  #line(level: LogLevel, event: LogEvent, fields: LogFields, ...errors: unknown[]): void {
    try {
      const line: Record<string, string | number> = {
        time: this.#time().toISOString(),
        level: word(LEVELS)(level),
        event: word(EVENTS)(event),
      };
      for (const [name, writer] of Object.entries(this.#writers)) {
        const value: unknown = Object(fields)[name];
        if (value !== undefined) line[name] = writer(value);
      }
      for (const error of errors) line.error = kindAndPlace(error);
      this.#write(`${JSON.stringify(line)}\n`);
    } catch {
      // Nothing is more important than the answer that is under way.
    }
  }
}
