/**
 * CSV and TSV: the header line fixes columns and dialect, and every later line is read on its own. A line that does not have
 * a field for each column counts for nobody.
 * @module
 */

import { WinnowError } from "winnow-dp";
import { guessColumns, type Header, parseDelimitedLine, splitHeader } from "winnow-release";
import type { Columns, FileShape } from "../worker/api.js";
import { StudioRefusal } from "../worker/studio-refusal.js";
import { type DataFile, type Reading, unknownColumn } from "./data-file.js";
import { readLines } from "./read-lines.js";
import { type TextFormat, textFile } from "./text-format.js";
import { textLines } from "./text-lines.js";

export async function openDelimited(file: File, format: TextFormat<"csv" | "tsv">): Promise<DataFile> {
  const header = headerOf(await firstLine(file, format.isCompressed), format.name);
  const { columns, delimiter, quote } = header;
  const shape: FileShape = {
    ...textFile(file, format),
    columns,
    dialect: { ...textFile(file, format).dialect, header: "first line", delimiter, quote },
    guess: guessColumns(columns),
  };
  const read = async ({ item, user }: Columns, reading: Reading) => {
    const [itemPlace, userPlace] = [placeOf(columns, item), placeOf(columns, user)];
    const parse = (line: string) => {
      const fields = parseDelimitedLine(line, header);
      return fields?.length === columns.length
        ? ([fields[itemPlace]!, fields[userPlace]!] as const)
        : undefined;
    };
    return readLines({ file, isCompressed: format.isCompressed, hasHeader: true, parse }, reading);
  };
  return { shape, read };
}

async function firstLine(file: File, isCompressed: boolean): Promise<string> {
  for await (const { lines } of textLines(file, isCompressed)) {
    if (lines.length === 0) continue;
    const [line] = lines;
    if (line === undefined || line.includes("\0"))
      throw new StudioRefusal("not-text", "The file does not begin with a line of text in UTF-8.");
    return line;
  }
  throw new StudioRefusal("empty-file", "The file is empty.");
}

function headerOf(line: string, format: "csv" | "tsv"): Header {
  try {
    return splitHeader(line, format === "tsv" ? { delimiter: "\t" } : {});
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new StudioRefusal("broken-header", `The first line is not a header: it must be ${error.expected}.`);
  }
}

function placeOf(columns: readonly string[], name: string): number {
  const place = columns.indexOf(name);
  if (place < 0) throw unknownColumn(name);
  return place;
}
