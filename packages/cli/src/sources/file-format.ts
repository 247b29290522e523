/**
 * The format of a file by its name, unless it is given.
 * @module
 */
import { Refusal } from "../refusal.js";
import type { SourceOptions } from "./source.js";

export type Format = NonNullable<SourceOptions["format"]>;

const FORMATS: Readonly<Record<string, Format>> = {
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  ndjson: "ndjson",
  jsonl: "ndjson",
  json: "json",
  parquet: "parquet",
  duckdb: "duckdb",
  db: "duckdb",
  ddb: "duckdb",
};

export interface FileFormat {
  readonly format: Format;
  readonly isGzip: boolean;
}

/** `visits.csv.gz` is CSV compressed by gzip. */
export function fileFormat(location: string, given: Format | undefined): FileFormat {
  const isGzip = /\.gz$/i.test(location);
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(location)?.[1]?.toLowerCase() ?? "";
  const format = given ?? FORMATS[extension];
  if (format === undefined)
    throw new Refusal(
      "usage",
      location === "-"
        ? "Standard input needs a format: add --format csv, tsv, ndjson, json or parquet."
        : `The name of the file ${JSON.stringify(location)} does not tell its format: add --format.`,
    );
  if (isGzip && (format === "parquet" || format === "duckdb"))
    throw new Refusal("usage", `A ${format} file cannot be read through gzip: unpack it first.`);
  return { format, isGzip };
}
