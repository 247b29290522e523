/**
 * The file of a ledger: its format, how it is created, and how it is checked before it is opened.
 *
 * Opening a database may already write next to it, so the file is checked before SQLite sees it: Winnow opens only a
 * regular file that says it is a ledger of this version.
 *
 * A new ledger appears whole or not at all. It is built under another name and then linked to its own name, which
 * fails if that name is taken. So two runs never create two ledgers, and no run ever sees half of one.
 *
 * The log in it only grows: triggers refuse to change or delete a row, and to insert one that
 * doesn't follow the last. The head is stored apart from the log, so a log that was cut off at its end is noticed.
 *
 * The second version also stores what can be derived from the log (`accounts`, `releases`, `summarised`), the marks of
 * charged sources (`sources`) and the key of these marks (`secret`), which never leave the file. A ledger of the first
 * version is read as it is, and gets the new tables with its next charge.
 * @module
 */

import { randomBytes, randomUUID } from "node:crypto";
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
import { fileRefusal, Refusal } from "../refusal.js";
import type { Connection } from "./connection.js";

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

/** Whether the file has an older version, according to its header; a newer one may still be in the write-ahead log. */
export function isOlderVersion(path: string): boolean {
  return readHeader(path).readUInt32BE(USER_VERSION_AT) < SCHEMA_VERSION;
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
  if (!KNOWN_VERSIONS.includes(version))
    throw brokenLedger(
      path,
      `has schema version ${version}, and this version of Winnow reads ${KNOWN_VERSIONS.join(" and ")}`,
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
  database.exec(`PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ${newSchema()} COMMIT;`);
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

/** "Wnnw": marks the file as a ledger of Winnow. */
export const APPLICATION_ID = 0x57_6e_6e_77;

export const SCHEMA_VERSION = 2;
export const KNOWN_VERSIONS: readonly number[] = [1, 2];

const EMPTY_HASH = "0".repeat(64);

const FIRST_VERSION = `
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
`;

const SECOND_VERSION = `
  CREATE TABLE accounts (
    dataset TEXT PRIMARY KEY,
    place INTEGER NOT NULL UNIQUE,
    summary TEXT NOT NULL
  ) STRICT;

  CREATE TABLE releases (
    id TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE summarised (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;

  CREATE TABLE sources (
    mark TEXT NOT NULL,
    dataset TEXT NOT NULL,
    PRIMARY KEY (mark, dataset)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE secret (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    key TEXT NOT NULL
  ) STRICT;
`;

const VERSION = `PRAGMA user_version = ${SCHEMA_VERSION};`;

/** A new ledger. */
export function newSchema(): string {
  return `${FIRST_VERSION} ${SECOND_VERSION} ${newSecret()}
    INSERT INTO summarised VALUES (1, 0, '${EMPTY_HASH}'); ${VERSION}`;
}

/** From the first version to the second, within a transaction. */
export function migration(): string {
  return `${SECOND_VERSION} ${newSecret()} ${VERSION}`;
}

function newSecret(): string {
  return `INSERT INTO secret VALUES (1, '${randomBytes(32).toString("hex")}');`;
}

/** Tables and triggers that are missing or not ours; nothing if they are those of a known version. */
export function schemaProblems(connection: Connection): string[] {
  const found = new Map(connection.all(OBJECTS).map(({ name, sql }) => [textOf(name), textOf(sql)]));
  return schemaDifferences(found, expectedObjects(found.has("summarised")));
}

/** Objects by name, each with its definition. */
export function schemaDifferences(
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string[] {
  const missing = [...expected.keys()].filter((name) => !found.has(name));
  const others = [...found].filter(([name, sql]) => expected.get(name) !== sql).map(([name]) => name);
  return [
    ...missing.map((name) => `The ledger is missing its table or trigger ${JSON.stringify(name)}.`),
    ...others.map(
      (name) => `The ledger has a table or trigger that isn't Winnow's: ${JSON.stringify(name)}.`,
    ),
  ];
}

/** In hexadecimal digits, because a damaged file may contain bytes that aren't text. */
const OBJECTS = "SELECT hex(name) AS name, hex(sql) AS sql FROM sqlite_master WHERE sql IS NOT NULL";

function textOf(digits: unknown): string {
  return Buffer.from(String(digits), "hex").toString("utf8");
}

const known = new Map<boolean, ReadonlyMap<string, string>>();

/** As the engine itself stores them. */
function expectedObjects(isSecond: boolean): ReadonlyMap<string, string> {
  const cached = known.get(isSecond);
  if (cached !== undefined) return cached;
  const database = new Database(":memory:");
  database.exec(`${FIRST_VERSION} ${isSecond ? SECOND_VERSION : ""}`);
  const rows = database.prepare(OBJECTS).all() as { name: string; sql: string }[];
  database.close();
  const objects = new Map(rows.map(({ name, sql }) => [textOf(name), textOf(sql)]));
  known.set(isSecond, objects);
  return objects;
}
