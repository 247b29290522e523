/**
 * The physical lines of a file as they are, with their ends: joined again they are the file.
 * @module
 */
import { createReadStream } from "node:fs";
import { unpacked } from "../sources/duckdb/first-line.js";

const [LF, CR] = [10, 13];

export async function* rawLines(path: string, isGzip: boolean): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  for await (const chunk of unpacked(createReadStream(path), isGzip) as AsyncIterable<Uint8Array>) {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (chunk[i] !== LF && chunk[i] !== CR) continue;
      yield Buffer.concat([...pending, chunk.subarray(start, i + 1)]);
      pending = [];
      start = i + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}
