/**
 * From a file on disk to a relation, by its format. Afterwards the engine is locked: it can open these files and
 * nothing else.
 * @module
 */
import { stat } from "node:fs/promises";
import { Refusal } from "../../refusal.js";
import type { SourceOptions } from "../source.js";
import { openDelimited } from "./delimited-files.js";
import type { Engine } from "./engine.js";
import { emptySource, firstLine } from "./find-files.js";
import { jsonRelation, spoolJsonArray } from "./json-files.js";
import type { FoundFiles, Relation } from "./relation.js";
import { openDatabase, openParquet } from "./typed-files.js";

type Format = NonNullable<SourceOptions["format"]>;

/** `folder` is private, for files that must be copied first. */
export async function openRelation(
  engine: Engine,
  format: Format,
  files: FoundFiles,
  options: SourceOptions,
  folder: string,
): Promise<Relation> {
  if (format !== "duckdb" && (options.table !== undefined || options.query !== undefined))
    throw new Refusal("usage", "--table and --query need a database, not a file of rows.");
  if (options.header === false && format !== "csv" && format !== "tsv")
    throw new Refusal("usage", `--no-header must go with CSV or TSV; got ${format}.`);
  if (format === "json" && !options.multiline) throw untrustedArray();
  if (format === "parquet" || format === "duckdb") await refuseEmpty(files.paths);
  if (format === "duckdb") return openDatabase(engine, files.paths[0]!, options);
  const ready =
    format === "json"
      ? ({ paths: [await spoolJsonArray(files, folder)], compression: "none" } as const)
      : files;
  await engine.lock(ready.paths);
  return relationOf(engine, format, ready, options);
}

/** The relation itself, on an engine that may read the files. */
export async function relationOf(
  { connection }: Pick<Engine, "connection">,
  format: Exclude<Format, "duckdb">,
  files: FoundFiles,
  options: SourceOptions = {},
): Promise<Relation> {
  switch (format) {
    case "csv":
    case "tsv":
      return openDelimited(files, format, options);
    case "ndjson":
    case "json":
      return jsonRelation(
        connection,
        files,
        (await firstLine(files.paths[0]!, files.compression))[0],
        format,
      );
    case "parquet":
      return openParquet(connection, files.paths);
  }
}

/** The elements of an array can only be separated by counting brackets and quotes, which anyone may leave open. */
function untrustedArray(): Refusal {
  return new Refusal(
    "usage",
    "A JSON array must come from a trusted writer, because one element with an open bracket reaches into the next: add --multiline if you trust the writer, or pass NDJSON (jq -c '.[]').",
  );
}

/** An empty file lacks the signature of formats that have one; files of lines are checked by their first line. */
async function refuseEmpty(paths: readonly string[]): Promise<void> {
  for (const path of paths) if ((await stat(path)).size === 0) throw emptySource(path);
}
