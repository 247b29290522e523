/**
 * The file of a ledger: what it looks like, how it is made, and how it is checked before it is opened.
 *
 * Opening a database may already write beside it, so the file is checked before SQLite sees it: only a regular
 * file that says it is a ledger of this version is opened at all.
 *
 * A new ledger appears whole or not at all. It is built under another name and then linked to its own, which fails
 * if that name is taken. So two runs never make two ledgers, and no run ever sees half of one.
 *
 * The log only grows: triggers refuse to change or delete a row, and to insert one that doesn't follow the last.
 * The head is stored apart from the log, so a log that was cut off at its end is noticed.
 * @module
 */

import { randomUUID } from "node:crypto";
import {
  closeSync,
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
import { fileRefusal, Refusal } from "../refusal.js";

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
  if (!stats.isFile()) throw brokenLedger(path, `is ${kindOf(stats)} and must be a regular file`);
  checkHeader(path, readHeader(path));
  refuseSecondName(path, stats);
  return true;
}

function checkHeader(path: string, header: Buffer): void {
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw brokenLedger(path, "is not a ledger of Winnow");
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID)
    throw brokenLedger(path, "is a database, but not a ledger of Winnow");
  const version = header.readUInt32BE(USER_VERSION_AT);
  if (version !== SCHEMA_VERSION)
    throw brokenLedger(
      path,
      `has schema version ${version}, and this version of Winnow reads ${SCHEMA_VERSION}`,
    );
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
    throw brokenLedger(
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
    throw brokenLedger(path, `is missing, but its write-ahead log "${path}-wal" is there`);
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

/** Whether this is the name that such a ledger is built under. */
function isDraftOf(name: string, draft: string): boolean {
  return draft.startsWith(`${name}.`) && /^[\da-f-]{36}\.new$/.test(draft.slice(name.length + 1));
}

/** Makes an empty ledger at the path, unless another run was faster. */
export function createLedger(path: string): void {
  const draft = `${path}.${randomUUID()}.new`;
  try {
    closeSync(openSync(draft, "wx", OWNER_ONLY));
    buildDraft(draft);
    linkDraft(draft, path);
  } catch (error) {
    throw isSystemError(error) ? fileRefusal("The ledger", path, error) : error;
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  }
}

/** The schema is committed before the file is put in WAL mode: its header is right from the start. */
function buildDraft(draft: string): void {
  const database = new Database(draft);
  database.exec(`PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function linkDraft(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") return;
    throw error;
  }
  if (process.platform !== "win32") syncFolder(dirname(path));
}

/** The name of the file is on the disk too; Windows does that by itself and cannot open folders. */
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

/** "Wnnw": marks the file as a ledger of Winnow. */
export const APPLICATION_ID = 0x57_6e_6e_77;

export const SCHEMA_VERSION = 1;

const EMPTY_HASH = "0".repeat(64);

export const SCHEMA = `
  CREATE TABLE log (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    hash TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;

  CREATE TABLE head (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;

  INSERT INTO head VALUES (1, 0, '${EMPTY_HASH}');

  CREATE TRIGGER log_follows BEFORE INSERT ON log
    WHEN NEW.sequence IS NOT (SELECT sequence + 1 FROM head)
    BEGIN SELECT RAISE(ABORT, 'the log only grows at its end'); END;

  CREATE TRIGGER log_moves_head AFTER INSERT ON log
    BEGIN UPDATE head SET sequence = NEW.sequence, hash = NEW.hash; END;

  CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log
    BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;

  CREATE TRIGGER log_is_not_deleted BEFORE DELETE ON log
    BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;

  CREATE TRIGGER head_goes_forward BEFORE UPDATE ON head
    WHEN NEW.sequence IS NOT OLD.sequence + 1
    BEGIN SELECT RAISE(ABORT, 'the head only goes forward'); END;

  CREATE TRIGGER head_is_not_deleted BEFORE DELETE ON head
    BEGIN SELECT RAISE(ABORT, 'the head stays'); END;

  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
