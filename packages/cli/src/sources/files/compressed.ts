/**
 * Files compressed with gzip or zstd. The engine unpacks them itself, but silently stops where a file is truncated. So every
 * byte is also unpacked here, in parallel with the engine's count, and a file that doesn't unpack to its end is refused.
 *
 * JavaScript unpacks zstd in little memory, whatever the file claims: it walks through the frames and blocks before it
 * unpacks anything, and refuses a frame that needs a window of more than 8 MB. RFC 8878 recommends that writers not need
 * more; no level up to 19 does by default.
 * @module
 */

import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { Refusal } from "winnow-release";
import { fileRefusal } from "../../refusal.js";

/** The engine uses the same names. */
export type Compression = "none" | "gzip" | "zstd";

const ENDINGS: Readonly<Record<string, Compression>> = { gz: "gzip", zst: "zstd", zstd: "zstd" };

/** The compression according to the file's name: `visits.csv.gz` is `visits.csv` compressed with gzip. */
export function splitEnding(location: string): { readonly name: string; readonly compression: Compression } {
  const ending = /\.(gz|zst|zstd)$/i.exec(location)?.[1] ?? "";
  const name = ending === "" ? location : location.slice(0, -ending.length - 1);
  return { name, compression: ENDINGS[ending.toLowerCase()] ?? "none" };
}

const MAGIC: Readonly<Record<Exclude<Compression, "none">, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/** The compression according to the first bytes of standard input, decided as unpacking programs do. */
export function compressionOf(start: Uint8Array): Compression {
  const known = (["gzip", "zstd"] as const).find((name) => MAGIC[name].every((byte, i) => start[i] === byte));
  return known ?? "none";
}

/** The size of the pieces that are unpacked at a time. */
const CHUNK_BYTES = 2 ** 18;

/** The bytes of a file, to the end or as far as the caller reads; errors are thrown as refusals. */
export async function* unpacked(path: string, compression: Compression): AsyncGenerator<Uint8Array> {
  try {
    if (compression === "zstd") checkFrames(path);
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    yield* compression === "none" ? file : compression === "gzip" ? gunzip(file) : unzstd(file);
  } catch (error) {
    throw unpackRefusal(path, compression, error);
  }
}

function gunzip(file: Readable): AsyncIterable<Uint8Array> {
  const bytes = createGunzip({ chunkSize: CHUNK_BYTES }).on("error", () => {});
  pipeline(file, bytes, () => {});
  return bytes;
}

/** Four bytes can unpack to 128 kB, so only a few are unpacked at a time. */
const ZSTD_BYTES = 1024;

async function* unzstd(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const blocks: Uint8Array[] = [];
  const decoder = new Decompress((block) => blocks.push(block));
  for await (const chunk of file)
    for (let start = 0; start < chunk.length; start += ZSTD_BYTES) {
      decoder.push(chunk.subarray(start, start + ZSTD_BYTES));
      yield* blocks.splice(0);
    }
  decoder.push(new Uint8Array(0), true);
  yield* blocks;
}

/** The first bytes show that the file is something else. */
class WrongMagic extends Error {}

function unpackRefusal(path: string, compression: Compression, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = (error as NodeJS.ErrnoException).code;
  // File errors have system codes; unpacking errors have numbers or other names.
  if (typeof code === "string" && !code.startsWith("Z_")) return fileRefusal("The file", path, error);
  return new Refusal(
    "unreadable-source",
    `The file ${JSON.stringify(path)} ${faultOf(path, compression, error)}.`,
  );
}

function faultOf(path: string, compression: Compression, error: unknown): string {
  const isOther = error instanceof WrongMagic || /incorrect header check/.test((error as Error).message);
  if (!isOther) return "is truncated or damaged";
  return !(error instanceof WrongMagic) && compressionOf(startOf(path)) === compression
    ? `has other bytes after the end of what is compressed with ${compression}`
    : `isn't compressed with ${compression} as its name says`;
}

/** The first bytes, as many as a format has to be known by. */
function startOf(path: string): Uint8Array {
  const start = new Uint8Array(4);
  const file = openSync(path, "r");
  try {
    return start.subarray(0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}

const [FRAME, SKIPPABLE] = [0xfd2fb528, 0x184d2a50];
const MOST_WINDOW = 8 * 2 ** 20;
const LONGEST_FRAME_HEADER = 18;

/** Walks from block to block (RFC 8878, 3.1) and refuses a file that is truncated, damaged or needs too much memory. */
function checkFrames(path: string): void {
  const file = new FileWindow(path);
  try {
    for (let at = 0; at < file.size; ) {
      const header = file.at(at, LONGEST_FRAME_HEADER);
      const magic = header.readUInt32LE(0);
      if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) at += 8 + header.readUInt32LE(4);
      else if (magic === FRAME)
        at = checksumBytes(header) + endOfBlocks(file, at + frameHeader(path, header));
      else throw at === 0 ? new WrongMagic() : new Error("damaged");
      if (at > file.size) throw new Error("cut off");
    }
  } finally {
    file.close();
  }
}

/** The length of the frame header. */
function frameHeader(path: string, header: Buffer): number {
  const descriptor = header[4]!;
  const isSingle = (descriptor & 32) > 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [Number(isSingle), 2, 4, 8][descriptor >> 6]!;
  const start = isSingle ? 5 : 6;
  const exponent = header[5]! >> 3;
  const window = isSingle
    ? littleEndian(header, start + dictionaryBytes, sizeBytes) + (sizeBytes === 2 ? 256 : 0)
    : 2 ** (10 + exponent) * (1 + (header[5]! & 7) / 8);
  if (dictionaryBytes > 0 && littleEndian(header, start, dictionaryBytes) > 0)
    throw new Refusal("unreadable-source", `The file ${JSON.stringify(path)} needs a zstd dictionary.`);
  if (window > MOST_WINDOW)
    throw new Refusal(
      "source-limit",
      `The file ${JSON.stringify(path)} needs a zstd window of more than 8 MB: compress it again with zstd -19 or lower, without --long.`,
    );
  return start + dictionaryBytes + sizeBytes;
}

function checksumBytes(header: Buffer): number {
  return (header[4]! & 4) > 0 ? 4 : 0;
}

function littleEndian(bytes: Buffer, at: number, length: number): number {
  let value = 0;
  for (let i = length - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
  return value;
}

const [REPEATED_BYTE, RESERVED] = [1, 3];

function endOfBlocks(file: FileWindow, start: number): number {
  for (let at = start; ; ) {
    const header = file.at(at, 3).readUIntLE(0, 3);
    const type = (header >> 1) & 3;
    if (type === RESERVED) throw new Error("damaged");
    at += 3 + (type === REPEATED_BYTE ? 1 : header >> 3);
    if ((header & 1) > 0) return at;
  }
}

/** Reads a few bytes at a time, in ascending order, from a larger buffer. */
class FileWindow {
  readonly #file: number;
  readonly size: number;
  readonly #bytes = Buffer.alloc(4096);
  #start = 0;
  #length = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.size = fstatSync(this.#file).size;
  }

  /** Valid until the next call. Bytes beyond the end of the file read as zeros, but a read can't start there. */
  at(at: number, length: number): Buffer {
    if (at >= this.size) throw new Error("cut off");
    if (at < this.#start || at + length > this.#start + this.#length) {
      this.#bytes.fill(0);
      this.#start = at;
      readSync(this.#file, this.#bytes, 0, this.#bytes.length, at);
      this.#length = this.#bytes.length;
    }
    return this.#bytes.subarray(at - this.#start, at - this.#start + length);
  }

  close(): void {
    closeSync(this.#file);
  }
}
