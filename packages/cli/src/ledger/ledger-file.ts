/**
 * The file of a ledger: its format, how it is created, and how it is checked before it is opened.
 *
 * Opening a database may already write next to it, so the file is checked before SQLite sees it: Winnow opens only a
 * regular file that says it is a ledger of this version.
 *
 * A new ledger appears whole or not at all. It is built under another name and then linked to its own name, which
 * fails if that name is taken. So two runs never create two ledgers, and no run ever sees half of one.
 * @module
 */

import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "libsql";
import { Refusal } from "winnow-release";
import { fileRefusal } from "../refusal.js";
import { APPLICATION_ID, newSchema, SCHEMA_VERSION } from "./sqlite-schema.js";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** Whether there is a ledger at the path; throws if there is something else. */
export function ledgerExists(path: string): boolean {
  // Check the log first: another run may create both meanwhile, the ledger before its log.
  const journal = statsOf(`${path}-wal`);
  const stats = statsOf(path);
  if (stats === undefined) {
    refuseOrphanedJournal(path, journal);
    return false;
  }
  if (!stats.isFile()) throw brokenLedger(path, `must be a regular file; it is ${kindOf(stats)}`);
  checkHeader(path, readHeader(path));
  refuseSecondName(path, stats);
  return true;
}

/** Whether a file says that it is a ledger, of whatever version. */
export function isLedgerFile(path: string): boolean {
  if (!statsOf(path)?.isFile()) return false;
  const header = readHeader(path);
  return (
    header.length === HEADER_BYTES &&
    header.toString("latin1", 0, MAGIC.length) === MAGIC &&
    header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID
  );
}

/**
 * Which file the path names, and which its write-ahead log has: a connection stays with the files that it opened, also when
 * they are deleted or others take their names. Undefined if either isn't there.
 */
export function filesAt(path: string): string | undefined {
  const [file, journal] = [path, `${path}-wal`].map((name) => statsOf(name));
  if (file === undefined || journal === undefined) return undefined;
  return [file.dev, file.ino, file.nlink, journal.dev, journal.ino].join(" ");
}

/** Whether the file system lets anyone but its owner write the file. */
export function othersMayWrite(path: string): boolean {
  return process.platform !== "win32" && ((statsOf(path)?.mode ?? 0) & 0o022) !== 0;
}

/** Whether this account may write the file and, as SQLite must, its folder. */
export function mayWrite(path: string): boolean {
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function checkHeader(path: string, header: Buffer): void {
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw brokenLedger(path, "isn't a Winnow ledger");
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID)
    throw brokenLedger(path, "is a database, but not a Winnow ledger");
  const version = header.readUInt32BE(USER_VERSION_AT);
  if (version !== SCHEMA_VERSION)
    throw brokenLedger(
      path,
      `has schema version ${version}, and this version of Winnow reads ${SCHEMA_VERSION}`,
    );
}

/**
 * SQLite keeps the latest rows in a log next to the name by which a file was opened. With two names, two runs would have two
 * logs and two locks: each could spend the whole budget, and the file would be corrupted.
 */
function refuseSecondName(path: string, stats: Stats): void {
  if (stats.nlink <= 1) return;
  removeDrafts(path, stats);
  const links = statsOf(path)?.nlink ?? 1;
  if (links > 1)
    throw brokenLedger(
      path,
      `has ${links} names (hard links), and runs that use different names don't see each other's charges; remove all names but one`,
    );
}

/** A run that was killed while creating the ledger leaves the temporary name behind, which nothing ever opens. */
function removeDrafts(path: string, { dev, ino }: Stats): void {
  const folder = dirname(path);
  try {
    for (const name of readdirSync(folder).filter((name) => isDraftOf(basename(path), name))) {
      const draft = join(folder, name);
      const found = lstatSync(draft, { throwIfNoEntry: false });
      if (found?.dev === dev && found.ino === ino) rmSync(draft, { force: true });
    }
  } catch {
    // The folder can't be read or written: the name stays, and the ledger is refused.
  }
}

/** A write-ahead log without its ledger contains committed rows: a new ledger in its place would lose or mix them. */
function refuseOrphanedJournal(path: string, journal: Stats | undefined): void {
  if (journal !== undefined && journal.size > 0)
    throw brokenLedger(path, `is missing, but its write-ahead log "${path}-wal" exists`);
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

function brokenLedger(path: string, reason: string): Refusal {
  return new Refusal("ledger-broken", `The ledger ${JSON.stringify(path)} ${reason}.`);
}

/** Readable and writable by its owner only. */
const OWNER_ONLY = 0o600;

/** Whether this is the temporary name of a ledger that is being created. */
function isDraftOf(name: string, draft: string): boolean {
  return draft.startsWith(`${name}.`) && /^[\da-f-]{36}\.new$/.test(draft.slice(name.length + 1));
}

/** Creates an empty ledger at the path and returns true, or false if another run was faster. */
export function createLedger(path: string): boolean {
  const draft = `${path}.${randomUUID()}.new`;
  try {
    closeSync(openSync(draft, "wx", OWNER_ONLY));
    buildDraft(draft);
    return linkDraft(draft, path);
  } catch (error) {
    throw isSystemError(error) ? fileRefusal("The ledger", path, error) : error;
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  }
}

/** The schema is committed before the switch to WAL mode, so the header is right from the start. */
function buildDraft(draft: string): void {
  const database = new Database(draft);
  database.exec(`PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; BEGIN IMMEDIATE; ${newSchema()} COMMIT;`);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function linkDraft(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") return false;
    throw error;
  }
  if (process.platform !== "win32") syncFolder(dirname(path));
  return true;
}

/** Flushes the file's name to disk too; Windows does that by itself and cannot open folders. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
