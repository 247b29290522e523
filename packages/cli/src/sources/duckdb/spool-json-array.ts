/**
 * A file that holds one JSON array is copied to a private file with one element on each line, which is then read as NDJSON
 * is. What breaks the array itself refuses the file; a malformed element counts for nobody.
 * @module
 */
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Refusal } from "../../refusal.js";
import { emptySource, firstLine, unpacked } from "./first-line.js";
import { JsonArrayLines } from "./json-array-lines.js";
import type { FoundFiles } from "./relation.js";

/** Whether the first character of the file that is not blank opens an array. */
export async function startsArray(path: string, isGzip: boolean): Promise<boolean> {
  const lines = await firstLine(path, isGzip);
  if (lines.length === 0) throw emptySource(path);
  const [line] = lines;
  return line === undefined || line.trim() === "" || line.trimStart().startsWith("[");
}

/** The path of the copy. */
export async function spoolJsonArray({ paths, isGzip }: FoundFiles, folder: string): Promise<string> {
  const copy = join(folder, "array.ndjson");
  for (const path of paths) {
    const lines = new JsonArrayLines();
    async function* split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) yield lines.push(chunk) ?? refuse(path);
      if (!lines.isComplete()) refuse(path);
    }
    const output = createWriteStream(copy, { flags: "a", mode: 0o600 });
    await pipeline(unpacked(createReadStream(path), isGzip), split, output);
  }
  return copy;
}

function refuse(path: string): never {
  throw new Refusal(
    "unreadable-source",
    `The file ${JSON.stringify(path)} is neither a JSON array nor one JSON object a line.`,
  );
}
