/**
 * The files that a location names: one path, or a pattern with * ? [ ] that the engine resolves. Each is checked
 * before it is read, so one sentence can say what is wrong with it. The format follows from the file's name unless
 * it is given. Only the first line of a file is looked at before the dialect is fixed.
 * @module
 */

import { createReadStream } from "node:fs";
import { access, constants, realpath, stat } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LineSplitter, type PhysicalLine } from "winnow-release";
import { fileRefusal, Refusal } from "../../refusal.js";
import type { SourceOptions } from "../source.js";

const GLOB_CHARACTERS = /[*?[]/;

/** Absolute paths in the order of their names, at least one. */
export async function findFiles(connection: DuckDBConnection, location: string): Promise<string[]> {
  const isOne = !GLOB_CHARACTERS.test(location) || (await exists(location));
  const found = isOne ? [location] : await matchingFiles(connection, location);
  if (found.length === 0)
    throw new Refusal("missing-source", `No file matches the pattern ${JSON.stringify(location)}.`);
  return Promise.all(found.map(readablePath));
}

async function matchingFiles(connection: DuckDBConnection, pattern: string): Promise<string[]> {
  const result = await connection.run("SELECT file FROM glob($1) ORDER BY file", [pattern]);
  return (await result.getRows()).map(([file]) => String(file));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readablePath(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return await realpath(path);
  } catch (error) {
    throw fileRefusal("The file", path, error);
  }
}

type Format = NonNullable<SourceOptions["format"]>;

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

interface FileFormat {
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

/** Without what ends it; [undefined] if it is no text or too long, and [] if there is none. */
export async function firstLine(path: string, isGzip: boolean): Promise<PhysicalLine[]> {
  return (await readStart(path, isGzip)).lines;
}

interface FileStart {
  /** The first line that is not blank, as `firstLine` gives it. */
  readonly lines: PhysicalLine[];
  /** How many ends of lines stand before it. */
  readonly blank: number;
}

const [LF, CR] = [10, 13];

export async function readStart(path: string, isGzip: boolean): Promise<FileStart> {
  const splitter = new LineSplitter();
  let blank = 0;
  let isBlank = true;
  try {
    for await (const chunk of unpacked(createReadStream(path), isGzip) as AsyncIterable<Uint8Array>) {
      let start = 0;
      while (isBlank && (chunk[start] === LF || chunk[start] === CR)) start++;
      blank += start;
      isBlank &&= start === chunk.length;
      const lines = splitter.push(chunk.subarray(start));
      if (lines.length > 0) return { lines: lines.slice(0, 1), blank };
    }
    return { lines: splitter.end(), blank };
  } catch (error) {
    throw startRefusal(path, error);
  }
}

export function emptySource(path: string): Refusal {
  return new Refusal("empty-source", `The file ${JSON.stringify(path)} is empty.`);
}

/** The bytes of a file that may be compressed. Whoever reads them gets every failure, and whoever stops early none. */
export function unpacked(file: Readable, isGzip: boolean): Readable {
  if (!isGzip) return file;
  const bytes = createGunzip().on("error", () => {});
  pipeline(file, bytes, () => {});
  return bytes;
}

function startRefusal(path: string, error: unknown): Refusal {
  const isCompression = String((error as NodeJS.ErrnoException).code).startsWith("Z_");
  return isCompression
    ? new Refusal(
        "unreadable-source",
        `The file ${JSON.stringify(path)} is not compressed by gzip as its name says.`,
      )
    : fileRefusal("The file", path, error);
}
