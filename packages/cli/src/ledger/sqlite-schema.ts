/**
 * The tables of a ledger in a SQLite file, and how they are checked. The log only grows: triggers refuse to change or delete a
 * row, and to insert one that doesn't follow the last. The head is stored apart from the log, so a log that was cut off at its
 * end is noticed. Totals and places that are derived from the log (`accounts`, `releases`, `summarised`) are stored beside it, with the marks of
 * charged sources (`sources`) and the key of these marks (`secret`), which never leave the file.
 * @module
 */
import { randomBytes } from "node:crypto";
import Database from "libsql";
import { schemaDifferences } from "./schema-differences.js";

/** "Wnnw": marks the file as a ledger of Winnow. */
export const APPLICATION_ID = 0x57_6e_6e_77;

export const SCHEMA_VERSION = 2;
const EMPTY_HASH = "0".repeat(64);

/** The log, which only grows, and its head. */
const LOG = `
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

/** Totals and places that are derived from the log, the marks of charged sources, and the key of these marks. */
const BESIDE = `
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

/** A new ledger. */
export function newSchema(): string {
  return `${LOG} ${BESIDE}
    INSERT INTO secret VALUES (1, '${randomBytes(32).toString("hex")}');
    INSERT INTO summarised VALUES (1, 0, '${EMPTY_HASH}');
    PRAGMA user_version = ${SCHEMA_VERSION};`;
}

/** In hexadecimal digits, because a damaged file may contain bytes that aren't text. */
export const LISTING = "SELECT hex(name) AS name, hex(sql) AS sql FROM sqlite_master WHERE sql IS NOT NULL";

/** Tables and triggers of a listing that are missing or not ours. */
export function schemaProblems(listed: readonly Listed[]): string[] {
  expected ??= expectedObjects();
  return schemaDifferences(objectsIn(listed), expected);
}

type Listed = Readonly<Record<string, unknown>>;

let expected: ReadonlyMap<string, string> | undefined;

/** As the engine itself stores them. */
function expectedObjects(): ReadonlyMap<string, string> {
  const database = new Database(":memory:");
  database.exec(`${LOG} ${BESIDE}`);
  const listed = database.prepare(LISTING).all() as Listed[];
  database.close();
  return objectsIn(listed);
}

function objectsIn(listed: readonly Listed[]): ReadonlyMap<string, string> {
  return new Map(listed.map(({ name, sql }) => [textOf(name), textOf(sql)]));
}

function textOf(digits: unknown): string {
  return Buffer.from(String(digits), "hex").toString("utf8");
}
