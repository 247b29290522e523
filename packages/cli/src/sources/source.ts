/**
 * What a source of rows can do, whatever engine is behind it: name its columns, and count the distinct users of
 * each item. Rows never leave the engine. The text before `://` in a location says which engine it is for; a file
 * has none.
 * @module
 */
import { Refusal } from "../refusal.js";

/** Items with how many users each has. */
export interface Batch {
  readonly items: readonly string[];
  /** As many, whole numbers below 2^53. */
  readonly users: readonly number[];
}

/** A table of the server that anybody may know. */
export interface PublicTable {
  readonly table: string;
  /** The one that has the names; it need not be said of a table with a single column. */
  readonly column?: string | undefined;
}

/** Which candidates come back. */
export type Candidates =
  /** Every item of a public list once, 0 users if it has no row. */
  | {
      readonly kind: "listed";
      readonly items: Iterable<string> | AsyncIterable<string>;
      /** Where a server has the same names, so that they need not be sent to it. */
      readonly table?: PublicTable | undefined;
    }
  /** The items that are whole numbers from 0 below a public bound, in plain decimal; those that have rows. */
  | { readonly kind: "integers"; readonly below: number }
  /** The items with the most users, at most so many, most first; of equals those whose UTF-8 bytes come first. */
  | { readonly kind: "largest"; readonly rows: number }
  /** How many people items have: each such number once, as text, with how many items have it. */
  | { readonly kind: "frequencies" }
  /** All items that are numbers (`NUMBER_PATTERN`); what isn't one takes no place among a person's items either. */
  | { readonly kind: "numbers" };

/**
 * Each person counts for at most so many items: those with the smallest keyed hashes, as `boundContributions` of the
 * library chooses them. They are chosen among all items of the person, whatever the candidates are.
 */
export interface ContributionBound {
  readonly itemsPerUser: number;
  /** 32 secret bytes, fresh for each release. */
  readonly key: Uint8Array;
}

export interface HistogramRequest {
  readonly item: string;
  readonly user: string;
  readonly candidates: Candidates;
  /** Default: each person counts for all their items. */
  readonly bound?: ContributionBound | undefined;
  /** Ends the query in the engine too. */
  readonly signal?: AbortSignal | undefined;
  /** For the curator's eyes: the share done, or undefined if that is unknown. */
  readonly onProgress?: ((share: number | undefined) => void) | undefined;
}

export interface Source {
  /** From the header or the schema, never from rows; none where there is neither. */
  readonly columns: readonly string[];
  /** What was fixed before a row was read, to be recorded: format, delimiter, quote, encoding … */
  readonly dialect: Readonly<Record<string, string>>;
  /** Exact distinct users per item; an empty or absent item or user counts for nobody. */
  histogram(request: HistogramRequest): AsyncIterable<Batch>;
  /** For the curator's eyes, after the histogram: lines that could not be read and counted for nobody. */
  skippedLines(): number | undefined;
  /** For the curator's eyes, after a histogram of numbers: how many different values were none; undefined if unknown. */
  skippedValues(): number | undefined;
  /** For the curator's eyes, after the histogram: how many items have users; undefined where only candidates are counted. */
  itemsInRows(): number | undefined;
  /** For the curator's eyes, after the histogram: how many rows of counts left the engine for it. */
  rowsDelivered(): number;
  close(): Promise<void>;
}

/** The refusal of a column whose type in the schema, which is public, has no numbers. */
export function notNumbers(column: string, type: string): Refusal {
  return new Refusal(
    "unknown-column",
    `The column ${JSON.stringify(column)} must hold numbers, or texts that are numbers; its type is ${type}.`,
  );
}

/** The refusal of a column that has two roles. */
export function sameColumn(isNumeric = false): Refusal {
  return new Refusal("usage", `--${isNumeric ? "column" : "item"} and --user must be different columns.`);
}

/** In a dialect: where the names of the columns are from, if they are not part of a schema. */
export const FIRST_LINE = "first line";
export const NO_HEADER = "none, columns by number";

export interface SourceOptions {
  readonly format?: "csv" | "tsv" | "ndjson" | "json" | "parquet" | "duckdb" | undefined;
  /** A table of a database, or a single SELECT over it. */
  readonly table?: string | undefined;
  readonly query?: string | undefined;
  /** One character each; the default is that of the format. */
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  /** False for a file of lines whose first line is a row: columns are then named by their numbers, from 1. */
  readonly header?: boolean | undefined;
  /** Newlines inside quoted fields, and JSON arrays, are allowed: only where the writer of the file is trusted. */
  readonly multiline?: boolean | undefined;
  /** Of the engine, in bytes. */
  readonly memoryLimit?: number | undefined;
  /** In milliseconds. */
  readonly timeLimit?: number | undefined;
}

/** A server's name with a colon, an account before an at sign, words of a connection: an address, written in another way. */
const MISTYPED =
  /^(jdbc:)?(postgres|postgresql|clickhouse|clickhouses):|^[^/]+:[^/]*@|^(?![./]).*\bpassword\s*=/i;

/** In small letters; undefined for a file or standard input. */
export function locationScheme(location: string, what = "source"): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1];
  if (scheme === undefined && MISTYPED.test(location)) throw mistyped(what);
  return scheme?.toLowerCase();
}

/** As the name of a file that is not there it would be shown, with the password in it. */
function mistyped(what: string): Refusal {
  return new Refusal(
    "usage",
    `The ${what} looks like the address of a server, which must be postgres://user@host/database or clickhouse://host. For a file of this name, add its folder: ./name.`,
  );
}
