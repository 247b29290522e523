/**
 * Which account a source belongs to.
 *
 * The name of a data set in the ledger, unless --dataset gives one: the name of the file without its folders, or the server
 * and database without account and password. Two files with the same name share an account, which is the safe side. Folders
 * stay out of releases because they reveal more about a machine than about the data.
 *
 * The mark recognises rows that were charged before under another name. It is a keyed hash (HMAC-SHA-256) of a source's
 * content, with a random key per ledger that never leaves it: without the ledger a mark reveals nothing.
 *
 * It is cheap: of a large file, its size and 64 blocks are hashed, spread evenly from the first byte to the last, and no
 * other file is read. So Winnow recognises a renamed or copied file, but not one that has grown since. The mark of a
 * table on a server is that of its address and name; standard input and pipes have none.
 *
 * Whether a mark is known depends on private rows, so this is for the curator only, like the refusal it leads to.
 * @module
 */

import { createHmac, type Hmac } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { type Ledger, mustBe, Refusal } from "winnow-release";
import { locationScheme, type SourceOptions, statsOf, streamAt } from "../sources/source.js";

export function datasetName(location: string, dataset: string | undefined): string {
  if (dataset !== undefined) {
    if (dataset.trim() === "") throw new Refusal("usage", mustBe("--dataset", "a name", dataset));
    return dataset.trim();
  }
  if (streamAt(location) !== undefined)
    throw new Refusal("usage", "Rows from standard input or a pipe have no name: pass one with --dataset.");
  return locationScheme(location) === undefined ? basename(resolved(location)) : serverName(location);
}

/** Follows links, so that a link doesn't get a second budget. A glob or a missing file keeps its name. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** One name per database, however its address is written. */
function serverName(location: string): string {
  if (!URL.canParse(location))
    throw new Refusal("usage", "The address of the server must be a URL such as postgres://host/database.");
  const { protocol, hostname, port, pathname } = new URL(location);
  const scheme = SAME_SCHEME[protocol] ?? protocol;
  const place = port === "" || DEFAULT_PORTS[scheme]?.includes(port) ? "" : `:${port}`;
  // Catalogs and schemas of Trino have no case.
  const path = scheme === "trino:" ? pathname.toLowerCase() : pathname;
  return `${scheme}//${hostname.toLowerCase()}${place}${path.replace(/\/+$/, "")}`;
}

const SAME_SCHEME: Readonly<Record<string, string>> = {
  "postgresql:": "postgres:",
  "clickhouses:": "clickhouse:",
  "trinos:": "trino:",
};
const DEFAULT_PORTS: Readonly<Record<string, readonly string[]>> = {
  "postgres:": ["5432"],
  "clickhouse:": ["8123", "8443"],
  "trino:": ["8080", "8443"],
};

const BLOCK = 65_536;
const BLOCKS = 64;

export interface MarkedSource {
  readonly location: string;
  /** Those that are read, as the engine finds them. */
  readonly files: readonly string[];
}

/** Undefined if there is nothing to recognise the source by. */
export async function markOf(
  ledger: Ledger,
  { location, files }: MarkedSource,
  { table, query }: Pick<SourceOptions, "table" | "query"> = {},
): Promise<string | undefined> {
  const key = await ledger.markKey();
  return key === undefined ? undefined : markWith(key, { location, files }, { table, query });
}

export function markWith(
  key: string,
  { location, files }: MarkedSource,
  { table, query }: Pick<SourceOptions, "table" | "query"> = {},
): string | undefined {
  const hash = createHmac("sha256", Buffer.from(key, "hex"));
  if (locationScheme(location) !== undefined)
    return hash.update(JSON.stringify([datasetName(location, undefined), table, query])).digest("hex");
  hash.update(JSON.stringify(["files", files.length, table]));
  return files.length > 0 && files.every((path) => addFile(hash, path)) ? hash.digest("hex") : undefined;
}

/** Whether it could be read; reading the rows reports what is wrong with a file. */
function addFile(hash: Hmac, path: string): boolean {
  try {
    if (!statsOf(path)?.isFile()) return false; // opening a pipe would wait for its writer
    const file = openSync(path, "r");
    try {
      const stats = fstatSync(file);
      hash.update(`${stats.size}\n`);
      for (const place of placesIn(stats.size)) {
        const block = Buffer.alloc(Math.min(BLOCK, stats.size - place));
        hash.update(block.subarray(0, readSync(file, block, 0, block.length, place)));
      }
      return true;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Where the blocks start: all of a small file, and the first and the last block of any. */
function placesIn(size: number): number[] {
  const blocks = Math.ceil(size / BLOCK);
  if (blocks <= BLOCKS) return Array.from({ length: blocks }, (_, i) => i * BLOCK);
  const last = size - BLOCK;
  return Array.from({ length: BLOCKS }, (_, i) => Math.floor((i * last) / (BLOCKS - 1)));
}
