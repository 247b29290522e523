/**
 * SQLite as it is in Node, in the form of the driver of the command line (`libsql`), whose ledger stands on it. So the statements, the
 * schema, the order of locks and the checks of a ledger's file are one code (packages/cli/src/ledger), and no native package is
 * needed here. The bundle of the engine has this file in place of that driver.
 * @module
 */
import { DatabaseSync } from "node:sqlite";

/** SQLite's numbers for its errors, as far as the ledger tells them apart. */
const CODES: Readonly<Record<number, string>> = {
  3: "SQLITE_PERM",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  23: "SQLITE_AUTH",
  26: "SQLITE_NOTADB",
};

/** Which operation on a file failed: the second byte of an extended code. */
const FILE_OPERATIONS: Readonly<Record<number, string>> = {
  3: "WRITE",
  4: "FSYNC",
  5: "DIR_FSYNC",
  6: "TRUNCATE",
  10: "DELETE",
  16: "CLOSE",
  18: "SHMOPEN",
  19: "SHMSIZE",
  21: "SHMMAP",
};

export default class Database {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = named(() => new DatabaseSync(path));
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    named(() => this.#database.exec(sql));
  }

  prepare(sql: string): Statement {
    const statement = named(() => this.#database.prepare(sql));
    return {
      all: (...values) => named(() => statement.all(...values)),
      run: (...values) => named(() => statement.run(...values)),
    };
  }

  close(): void {
    named(() => this.#database.close());
  }
}

interface Statement {
  all(...values: (string | number)[]): unknown[];
  run(...values: (string | number)[]): unknown;
}

/** The code of SQLite on its errors, by name. */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "errcode" in error && typeof error.errcode === "number")
      Object.defineProperty(error, "code", { value: nameOf(error.errcode) });
    throw error;
  }
}

/** The last byte of an extended code is its kind. */
export function nameOf(extended: number): string {
  const name = CODES[extended & 0xff] ?? "SQLITE_ERROR";
  const operation = name === "SQLITE_IOERR" ? FILE_OPERATIONS[extended >> 8] : undefined;
  return operation === undefined ? name : `${name}_${operation}`;
}
