/**
 * CSV and TSV files: the header of the first fixes columns and dialect, and the others must have the same.
 * @module
 */

import { WinnowError } from "winnow-dp";
import { type Header, splitHeader } from "winnow-release";
import { Refusal } from "../../refusal.js";
import type { SourceOptions } from "../source.js";
import { delimitedRelation } from "./delimited-sql.js";
import { firstLine } from "./first-line.js";
import { multilineRelation } from "./multiline-sql.js";
import type { FoundFiles, Relation } from "./relation.js";

export async function openDelimited(
  files: FoundFiles,
  format: "csv" | "tsv",
  { delimiter, quote, multiline }: SourceOptions,
): Promise<Relation> {
  const given = {
    ...(format === "tsv" && { delimiter: "\t" }),
    ...(delimiter !== undefined && { delimiter }),
    ...(quote !== undefined && { quote }),
  };
  const headers = await Promise.all(
    files.paths.map(async (path) => readHeader(path, await firstLine(path, files.isGzip), given)),
  );
  const [header] = headers;
  const names = JSON.stringify(header!.columns);
  if (headers.some(({ columns }) => JSON.stringify(columns) !== names))
    throw new Refusal("broken-header", "The files that match the pattern have different header lines.");
  return (multiline ? multilineRelation : delimitedRelation)(files, header!, format);
}

type Given = Partial<Pick<Header, "delimiter" | "quote">>;

function readHeader(path: string, line: string | undefined, given: Given): Header {
  const where = `The header line of ${JSON.stringify(path)}`;
  if (line === undefined) throw new Refusal("broken-header", `${where} is not text in UTF-8, or too long.`);
  try {
    return splitHeader(line, given);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    if (error.field !== "header") throw new Refusal("usage", `${error.message}.`);
    throw new Refusal("broken-header", `${where} expected ${error.expected}.`);
  }
}
