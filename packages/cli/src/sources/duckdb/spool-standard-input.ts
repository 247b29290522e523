/**
 * Rows from standard input are copied to a private file first: the engine reads it in parallel, and more than once.
 * Compression is told by the first two bytes, as gzip itself does.
 * @module
 */
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Refusal } from "../../refusal.js";
import type { FoundFiles } from "./relation.js";

const GZIP = [0x1f, 0x8b];

export async function spoolStandardInput(input: Readable, folder: string): Promise<FoundFiles> {
  const path = join(folder, "standard-input");
  await pipeline(input, createWriteStream(path, { mode: 0o600 }));
  const start = new Uint8Array(GZIP.length);
  const file = await open(path);
  const { bytesRead } = await file.read(start).finally(() => file.close());
  if (bytesRead === 0) throw new Refusal("empty-source", "Standard input is empty.");
  return { paths: [path], isGzip: GZIP.every((byte, i) => start[i] === byte) };
}
