/**
 * The tables of a ledger file. The log only grows: triggers refuse to change or delete a row, and to insert one that does
 * not follow the last. The head is kept apart from the log, so that a log cut off at its end is noticed.
 * @module
 */

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
