/**
 * Whether files that are compressed by gzip are whole. The engine reads one that was cut off as far as it goes, so it is
 * unpacked here once more, beside the engine's count and faster than that.
 * @module
 */
import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Refusal } from "../../refusal.js";

/** Throws if the end of a file, or a checksum on the way there, is not what it should be. */
export async function checkGzip(paths: readonly string[]): Promise<void> {
  for (const path of paths) await checkOne(path);
}

async function checkOne(path: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(path), createGunzip(), nowhere);
  } catch {
    throw new Refusal("unreadable-source", `The file ${JSON.stringify(path)} is cut off or damaged.`);
  }
}
