/**
 * A file that holds one JSON array is copied to a private file with one element on each line, which is then read as NDJSON
 * is. What breaks the array itself refuses the file; a malformed element counts for nobody.
 * @module
 */
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Refusal } from "../../refusal.js";
import { emptySource, unpacked } from "./first-line.js";
import { JsonArrayLines } from "./json-array-lines.js";
import type { FoundFiles } from "./relation.js";

/** The path of the copy. */
export async function spoolJsonArray({ paths, isGzip }: FoundFiles, folder: string): Promise<string> {
  const copy = join(folder, "array.ndjson");
  for (const path of paths) {
    const lines = new JsonArrayLines();
    async function* split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        yield lines.push(chunk) ?? refuse(path);
      }
      if (bytes === 0) throw emptySource(path);
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
    `The file ${JSON.stringify(path)} is not one JSON array; one JSON object a line is --format ndjson.`,
  );
}
