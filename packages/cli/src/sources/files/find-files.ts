/**
 * The files that a location names: one path, or a pattern with * ? [ ] that the engine resolves. Each is checked
 * before it is read, so one sentence can say what is wrong with it. The format follows from the file's name unless
 * it is given. Only the first line of a file is looked at before the dialect is fixed.
 * @module
 */

import { access, constants, realpath, stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LineSplitter, type PhysicalLine, Refusal } from "winnow-release";
import { fileRefusal } from "../../refusal.js";
import { type SourceOptions, streamAt } from "../source.js";
import { type Compression, splitEnding, unpacked } from "./compressed.js";

const GLOB_CHARACTERS = /[*?[]/;

/** Whether the engine resolves the location: a file whose name only looks like a pattern is itself. */
export async function isPattern(location: string): Promise<boolean> {
  return GLOB_CHARACTERS.test(location) && !(await exists(location));
}

/** Absolute paths sorted by name, at least one. */
export async function findFiles(connection: DuckDBConnection, location: string): Promise<string[]> {
  const found = (await isPattern(location)) ? await matchingFiles(connection, location) : [location];
  return readableFiles(found, location);
}

/** The same files by their real paths, at least one, each of which can be opened. */
export async function readableFiles(found: readonly string[], location: string): Promise<string[]> {
  if (found.length === 0)
    throw new Refusal("missing-source", `No file matches the pattern ${JSON.stringify(location)}.`);
  return Promise.all(found.map(readablePath));
}

/** What the engine's own glob finds: hidden files, `**` and links as it follows them. */
export async function matchingFiles(connection: DuckDBConnection, pattern: string): Promise<string[]> {
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
    if (!stats.isFile())
      throw new Refusal("unreadable-source", `${JSON.stringify(path)} isn't a regular file or a pipe.`);
    return await realpath(path);
  } catch (error) {
    throw error instanceof Refusal ? error : fileRefusal("The file", path, error);
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
  readonly compression: Compression;
}

export function fileFormat(
  location: string,
  { format: given, table, query }: Pick<SourceOptions, "format" | "table" | "query">,
): FileFormat {
  const { name, compression } = splitEnding(location);
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const format = given ?? FORMATS[extension];
  if (format === undefined)
    throw new Refusal(
      "usage",
      streamAt(location) === 0
        ? "Standard input needs a format: add --format csv, tsv, ndjson, json or parquet."
        : `The name of the file ${JSON.stringify(location)} doesn't show its format: add --format.`,
    );
  if (compression !== "none" && (format === "parquet" || format === "duckdb"))
    throw new Refusal(
      "usage",
      `A ${format} file can't be read while compressed with ${compression}: unpack it first.`,
    );
  if (format !== "duckdb" && (table !== undefined || query !== undefined))
    throw new Refusal("usage", "--table and --query need a database, not a file of rows.");
  return { format, compression };
}

/** Without its line end; [undefined] if it isn't text or is too long, and [] if there is none. */
export async function firstLine(path: string, compression: Compression): Promise<PhysicalLine[]> {
  return (await readStart(path, compression)).lines;
}

interface FileStart {
  /** The first line that isn't blank, as `firstLine` returns it. */
  readonly lines: PhysicalLine[];
  /** The number of line ends before it. */
  readonly blank: number;
}

const [LF, CR] = [10, 13];

export async function readStart(path: string, compression: Compression): Promise<FileStart> {
  const splitter = new LineSplitter();
  let blank = 0;
  let isBlank = true;
  for await (const chunk of unpacked(path, compression)) {
    let start = 0;
    while (isBlank && (chunk[start] === LF || chunk[start] === CR)) start++;
    blank += start;
    isBlank &&= start === chunk.length;
    const lines = splitter.push(chunk.subarray(start));
    if (lines.length > 0) return { lines: lines.slice(0, 1), blank };
  }
  return { lines: splitter.end(), blank };
}

export function emptySource(path: string): Refusal {
  return new Refusal("empty-source", `The file ${JSON.stringify(path)} is empty.`);
}
