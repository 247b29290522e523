/**
 * The tables of a ledger file. The log only grows: triggers refuse to change or delete a row, and to insert one that
 * doesn't follow the last. The head is stored apart from the log, so a log that was cut off at its end is noticed.
 *
 * The second version also stores what can be derived from the log (`accounts`, `releases`, `summarised`), the marks of
 * charged sources (`sources`) and the key of these marks (`secret`), which never leave the file. A ledger of the first
 * version is read as it is, and gets the new tables with its next charge.
 * @module
 */
import { randomBytes } from "node:crypto";
import Database from "libsql";
import type { Connection } from "./connection.js";

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
