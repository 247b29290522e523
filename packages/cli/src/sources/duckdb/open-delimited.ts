/**
 * CSV and TSV files: the header of the first fixes columns and dialect, and the others must have the same.
 * @module
 */

import { WinnowError } from "winnow-dp";
import { type Header, type LineDialect, splitHeader } from "winnow-release";
import { Refusal } from "../../refusal.js";
import type { SourceOptions } from "../source.js";
import { delimitedRelation } from "./delimited-sql.js";
import { emptySource, firstLine } from "./first-line.js";
import { multilineRelation } from "./multiline-sql.js";
import type { FoundFiles, Relation } from "./relation.js";

export async function openDelimited(
  files: FoundFiles,
  format: "csv" | "tsv",
  options: SourceOptions,
): Promise<Relation> {
  const given = givenDialect(format, options);
  const headers = await Promise.all(files.paths.map((path) => readHeader(path, files.isGzip, given)));
  const [header] = headers;
  if (headers.some((other) => JSON.stringify(other) !== JSON.stringify(header)))
    throw new Refusal("broken-header", "The files that match the pattern have different header lines.");
  return (options.multiline ? multilineRelation : delimitedRelation)(files, header!, format);
}

/** What the format and the user say about the dialect; the header says the rest. */
export function givenDialect(
  format: "csv" | "tsv",
  { delimiter, quote }: SourceOptions,
): Partial<LineDialect> {
  return {
    ...(format === "tsv" && { delimiter: "\t" }),
    ...(delimiter !== undefined && { delimiter }),
    ...(quote !== undefined && { quote }),
  };
}

async function readHeader(path: string, isGzip: boolean, given: Partial<LineDialect>): Promise<Header> {
  const lines = await firstLine(path, isGzip);
  if (lines.length === 0) throw emptySource(path);
  const [line] = lines;
  const where = `The header line of ${JSON.stringify(path)}`;
  if (line === undefined) throw new Refusal("broken-header", `${where} is not text in UTF-8, or too long.`);
  try {
    return splitHeader(line, given);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    if (error.field !== "header") throw new Refusal("usage", `${error.message}.`);
    throw new Refusal("broken-header", `${where} must be ${error.expected}.`);
  }
}
