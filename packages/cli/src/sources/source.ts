/**
 * The interface of a source of rows, whatever its engine: it names its columns and counts the distinct users of each
 * item. Rows never leave the engine. The text before `://` in a location selects the engine; a file has none.
 * @module
 */

import { type Stats, statSync } from "node:fs";
import {
  type HashRange,
  type ItemPart,
  type NumberStyle,
  type Predicate,
  Refusal,
  type RowFacts,
} from "winnow-release";

/** Items with their numbers of users; of a count in groups, all of one group. */
export interface Batch {
  /** The text of its group (`groupText`), where groups are counted. A group's batches follow one another. */
  readonly group?: string | undefined;
  readonly items: readonly string[];
  /** One for each item: whole numbers below 2^53. */
  readonly users: readonly number[];
}

/** A public table of the server. */
export interface PublicTable {
  readonly table: string;
  /** The column with the names; optional for a table with a single column. */
  readonly column?: string | undefined;
}

/** Which candidates come back. */
export type Candidates =
  /** Every item of a public list once, with 0 users if it has no row. */
  | {
      readonly kind: "listed";
      readonly items: Iterable<string> | AsyncIterable<string>;
      /** The table of the server with the same names, so that they needn't be sent. */
      readonly table?: PublicTable | undefined;
    }
  /** The items with rows that are whole numbers from 0 below a public bound, in plain decimal. */
  | { readonly kind: "integers"; readonly below: number }
  /** At most this many items, those with the most users first; ties in the order of their UTF-8 bytes. */
  | { readonly kind: "largest"; readonly rows: number }
  /** Each number of people that items have, once, as text, with the number of such items. */
  | { readonly kind: "frequencies" }
  /** Values: all items that are numbers (`NUMBER_PATTERN`), with how many times each is kept; other items don't count towards a person's limit. */
  | { readonly kind: "numbers" }
  /** Groups in place of items: each that has people, with how many are counted in it; one list, without groups of its own. */
  | {
      readonly kind: "groups";
      /** Whether only items that are numbers count. */
      readonly ofNumbers?: boolean | undefined;
    };

/** Whether items that aren't numbers are skipped before people are cut. */
export function isOfNumbers(candidates: Candidates): boolean {
  return candidates.kind === "numbers" || (candidates.kind === "groups" && candidates.ofNumbers === true);
}

/**
 * Each person counts for at most this many items: those with the smallest keyed hashes, as `boundContributions` of the
 * library chooses them, among all items of the person, whatever the candidates are. Of values, each person keeps at most this
 * many rows, as `boundValues` chooses them, so that a value weighs as often as its person has it.
 */
export interface ContributionBound {
  readonly itemsPerUser: number;
  /** 32 secret bytes, fresh for each release. */
  readonly key: Uint8Array;
}

/**
 * A histogram of each group. Each person is counted in at most `perUser` groups, and in each of them for at most `itemsPerUser`
 * items (of values: rows), those with the smallest keyed hashes, as `boundGroups` of the library chooses them; one key serves all
 * groups. Groups are chosen among those in which the person has an item, whatever the candidates are. A row without a group is
 * skipped. Items without users don't come back, also not those of a list.
 */
export interface GroupsRequest {
  /** One or two columns; the texts of a row make one group (`groupText`). */
  readonly by: readonly string[];
  /** The public list of groups, as texts: rows of others are skipped before people are cut. Default: all groups that rows have. */
  readonly listed?: readonly string[] | undefined;
  /** Groups whose names are released: those of others are left out after people are cut. */
  readonly only?: readonly string[] | undefined;
  readonly perUser: number;
  readonly itemsPerUser?: number | undefined;
  /** 32 secret bytes, fresh for each release. */
  readonly key: Uint8Array;
}

/** Some of all people: those whose SHA-256 of key, length and text lies in one of the ranges. */
export interface Panel {
  /** Secret: 64 hexadecimal digits. */
  readonly key: string;
  readonly hashes: readonly HashRange[];
}

/** The items of a row, where they aren't one column as it is. */
export interface ComputedItems {
  /** One item of a row each. */
  readonly parts: readonly ItemPart[];
  /** A public map: each item once, with what it is replaced by. Items that it doesn't have are skipped. */
  readonly map?: readonly (readonly [from: string, to: string])[] | undefined;
}

export interface HistogramRequest {
  /** The column that is counted; a name for what is counted, if that is computed. */
  readonly item: string;
  readonly user: string;
  /** Default: the text of `item`. */
  readonly computed?: ComputedItems | undefined;
  readonly candidates: Candidates;
  /** Default: each person counts for all their items. */
  readonly bound?: ContributionBound | undefined;
  /** Default: all rows are one group. Then `bound` is left out. */
  readonly groups?: GroupsRequest | undefined;
  /** Rows that don't fit are skipped, before anything else is done with them. Default: all rows. */
  readonly where?: Predicate | undefined;
  /** Only people whose keyed hash is in these ranges count. Default: everyone. */
  readonly panel?: Panel | undefined;
  /** Ends the query in the engine too. */
  readonly signal?: AbortSignal | undefined;
  /** For the curator only: the share done, or undefined if unknown. */
  readonly onProgress?: ((share: number | undefined) => void) | undefined;
}

export interface Source {
  /** From the header or the schema, never from rows; none if there is neither. */
  readonly columns: readonly string[];
  /** The settings that were fixed before a row was read, to be recorded: format, delimiter, quote, encoding … */
  readonly dialect: Readonly<Record<string, string>>;
  /** Exact distinct users per item; a row with an empty or missing item or user is skipped. */
  histogram(request: HistogramRequest): AsyncIterable<Batch>;
  /** For the curator only, after the histogram: skipped lines. */
  skippedLines(): number | undefined;
  /** For the curator only, after a histogram of numbers: how many different values weren't numbers, and what they look like. */
  skippedValues(): Pick<RowFacts, "skippedValues" | "writtenNumbers">;
  /** For the curator only, after the histogram: rows without a person or an item, and all rows; unknown where that takes a query of its own. */
  skippedRows(): Pick<RowFacts, "rows" | "skippedRows">;
  /** For the curator only, after the histogram: how many items have users; undefined if only candidates are counted. */
  itemsInRows(): number | undefined;
  /**
   * For the curator only, after the histogram: how many users differ from another only in case or spaces. Undefined if that is
   * unknown or takes long: it never ends a run.
   */
  similarUsers(
    columns: Pick<HistogramRequest, "item" | "user" | "computed" | "signal">,
  ): Promise<number | undefined>;
  /** For the curator only, after the histogram: how many rows of counts left the engine for it. */
  rowsDelivered(): number;
  close(): Promise<void>;
}

/** The refusal of a column whose type has no numeric values; the schema is public. */
export function notNumbers(column: string, type: string): Refusal {
  return new Refusal(
    "unknown-column",
    `The column ${JSON.stringify(column)} must hold numbers, or texts that are numbers; its type is ${type}.`,
  );
}

/** The refusal of one column in two roles. */
export function sameColumn(isNumeric = false): Refusal {
  return new Refusal("usage", `--${isNumeric ? "column" : "item"} and --user must be different columns.`);
}

/** In a dialect: the origin of the column names, if they aren't part of a schema. */
export const FIRST_LINE = "first line";
export const NO_HEADER = "none, columns by number";

export interface SourceOptions {
  readonly format?: "csv" | "tsv" | "ndjson" | "json" | "parquet" | "duckdb" | undefined;
  /** A table of a database, or a single SELECT over it. */
  readonly table?: string | undefined;
  readonly query?: string | undefined;
  /** The query may do anything: only if it treats each person's rows on their own, and never fails on one. */
  readonly trustQuery?: boolean | undefined;
  /** Which rows count, and the types of columns there, as typed. */
  readonly where?: string | undefined;
  readonly types?: string | undefined;
  /** One character each; the default depends on the format. */
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  /** False for a file whose first line is a row: then columns are named by their numbers, from 1. */
  readonly header?: boolean | undefined;
  /** Allows newlines inside quoted fields, and JSON arrays: only if the writer of the file is trusted. */
  readonly multiline?: boolean | undefined;
  /** How numbers are written in the counted column, where numbers are counted. Files only. */
  readonly numbers?: NumberStyle | undefined;
  /** The limit of the engine, in bytes. */
  readonly memoryLimit?: number | undefined;
  /** In milliseconds. */
  readonly timeLimit?: number | undefined;
  /** The files that the location named when it was checked, so that no others are read. Default: it is resolved on opening. */
  readonly files?: readonly string[] | undefined;
}

/** Standard input, or what a shell passes for `<(command)`. */
const DESCRIPTOR = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/**
 * Where rows come from that can be read only once and in order: the number of an open descriptor, or the path of a named
 * pipe. Undefined for files and servers. Nothing is opened, because opening a pipe waits for its writer.
 */
export function streamAt(location: string): number | string | undefined {
  if (location === "-" || location === "/dev/stdin") return 0;
  const descriptor = DESCRIPTOR.exec(location)?.[1];
  if (descriptor !== undefined) return Number(descriptor);
  return statsOf(location)?.isFIFO() ? location : undefined;
}

/** Undefined for a file that isn't there or can't be looked at: the code that opens it reports that. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A host with a colon, an account before an at sign, key words of a connection string: an address in another notation. */
const MISTYPED =
  /^(jdbc:)?(postgres|postgresql|clickhouse|clickhouses|trino|trinos):|^[^/]+:[^/]*@|^(?![./]).*\bpassword\s*=/i;

/** In lower case; undefined for a file or standard input. */
export function locationScheme(location: string, what = "source"): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1];
  if (scheme === undefined && MISTYPED.test(location)) throw mistyped(what);
  return scheme?.toLowerCase();
}

/** As the name of a missing file it would be shown, including the password. */
function mistyped(what: string): Refusal {
  return new Refusal(
    "usage",
    `The ${what} looks like the address of a server, which must be postgres://user@host/database, clickhouse://host or trino://user@host/catalog/schema. For a file of this name, add its folder: ./name.`,
  );
}
