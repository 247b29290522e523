/**
 * A new ledger file, whole or not at all: it is built under another name and then linked to its own, which fails if there
 * is one already. So two runs never make two, and no run ever meets half a ledger.
 * @module
 */

import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { fileRefusal } from "../file-refusal.js";
import { SCHEMA } from "./schema.js";

/** Readable and writable by its owner only. */
const PRIVATE = 0o600;

/** Whether this is the name that such a ledger is built under. */
export function isDraftOf(name: string, draft: string): boolean {
  return draft.startsWith(`${name}.`) && /^[\da-f-]{36}\.new$/.test(draft.slice(name.length + 1));
}

/** Makes an empty ledger at the path, unless another run was faster. */
export function createLedger(path: string): void {
  const draft = `${path}.${randomUUID()}.new`;
  try {
    closeSync(openSync(draft, "wx", PRIVATE));
    build(draft);
    publish(draft, path);
  } catch (error) {
    throw isSystemError(error) ? fileRefusal("The ledger", path, error) : error;
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  }
}

/** The schema is committed before the file is put in WAL mode: its header is right from the start. */
function build(draft: string): void {
  const database = new Database(draft);
  database.exec(`PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function publish(draft: string, path: string): void {
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
