/**
 * Looking at a ledger file before SQLite opens it, because opening may already write beside it: only a regular file that
 * says it is a ledger of this version is opened at all.
 * @module
 */
import { closeSync, lstatSync, openSync, readdirSync, readSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileRefusal } from "../file-refusal.js";
import { Refusal } from "../refusal.js";
import { isDraftOf } from "./create-ledger.js";
import { APPLICATION_ID, SCHEMA_VERSION } from "./schema.js";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** Whether there is a ledger at the path; throws if there is something else. */
export function ledgerExists(path: string): boolean {
  // The log first: another run may make both meanwhile, the ledger before its log.
  const journal = statsOf(`${path}-wal`);
  const stats = statsOf(path);
  if (stats === undefined) {
    refuseOrphanedJournal(path, journal);
    return false;
  }
  if (!stats.isFile()) throw broken(path, `is ${kindOf(stats)} and must be a regular file`);
  checkHeader(path, readHeader(path));
  refuseSecondName(path, stats);
  return true;
}

function checkHeader(path: string, header: Buffer): void {
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw broken(path, "is not a ledger of Winnow");
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID)
    throw broken(path, "is a database, but not a ledger of Winnow");
  const version = header.readUInt32BE(USER_VERSION_AT);
  if (version !== SCHEMA_VERSION)
    throw broken(path, `has schema version ${version}, and this version of Winnow reads ${SCHEMA_VERSION}`);
}

/**
 * SQLite keeps the latest rows beside the name that a file was opened by. By two names two runs would have two such logs and
 * two locks: each could spend the whole budget, and the file would be torn between them.
 */
function refuseSecondName(path: string, stats: Stats): void {
  if (stats.nlink <= 1) return;
  removeDrafts(path, stats);
  const links = statsOf(path)?.nlink ?? 1;
  if (links > 1)
    throw broken(
      path,
      `has ${links} names (hard links), and runs that use different ones would not see each other's charges; remove all but one`,
    );
}

/** A run that was killed while it made the ledger leaves the name that it was built under, which nothing ever opens. */
function removeDrafts(path: string, { dev, ino }: Stats): void {
  const folder = dirname(path);
  try {
    for (const name of readdirSync(folder).filter((name) => isDraftOf(basename(path), name))) {
      const draft = join(folder, name);
      const found = lstatSync(draft, { throwIfNoEntry: false });
      if (found?.dev === dev && found.ino === ino) rmSync(draft, { force: true });
    }
  } catch {
    // A folder that may not be read or written: then the name stays, and the ledger is refused.
  }
}

/** A write-ahead log without its ledger holds committed rows: a new ledger in its place would lose or mix them. */
function refuseOrphanedJournal(path: string, journal: Stats | undefined): void {
  if (journal !== undefined && journal.size > 0)
    throw broken(path, `is missing, but its write-ahead log "${path}-wal" is there`);
}

function readHeader(path: string): Buffer {
  try {
    const file = openSync(path, "r");
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileRefusal("The ledger", path, error);
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw fileRefusal("The ledger", path, error);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link";
  return stats.isDirectory() ? "a directory" : "a device or a pipe";
}

function broken(path: string, reason: string): Refusal {
  return new Refusal("ledger-broken", `The ledger ${JSON.stringify(path)} ${reason}.`);
}
