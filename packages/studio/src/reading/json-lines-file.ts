/**
 * NDJSON: one JSON object on each line, read on its own. There is no header, so the names of the two members are typed by
 * whoever knows the file. A line that is no object counts for nobody.
 * @module
 */
import { parseJsonLine } from "winnow-release";
import type { Columns } from "../worker/api.js";
import { StudioRefusal } from "../worker/studio-refusal.js";
import type { DataFile, Reading } from "./data-file.js";
import { readLines } from "./read-lines.js";
import { type TextFormat, textFile } from "./text-format.js";

/** By the name alone: the first line is one person's, and cannot decide what the file is. */
const IS_ARRAY = /\.json(\.gz)?$/i;

export async function openJsonLines(file: File, format: TextFormat<"ndjson">): Promise<DataFile> {
  if (IS_ARRAY.test(file.name))
    throw new StudioRefusal(
      "not-text",
      "A .json file is one array of JSON, and the page reads one object on each line: if this file is so, name it .ndjson.",
    );
  const shape = {
    ...textFile(file, format),
    columns: [],
    guess: { why: "A file of JSON lines has no header: type the names of the two members." },
  };
  const read = async ({ item, user }: Columns, reading: Reading) => {
    if (item === "" || user === "")
      throw new StudioRefusal("unknown-column", "The names of the two members are needed.");
    const parse = (line: string) => {
      const fields = parseJsonLine(line, [item, user]);
      return fields === undefined ? undefined : ([fields[0]!, fields[1]!] as const);
    };
    return readLines({ file, isCompressed: format.isCompressed, hasHeader: false, parse }, reading);
  };
  return { shape, read };
}
