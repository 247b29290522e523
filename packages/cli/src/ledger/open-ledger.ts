/**
 * Opens the ledger of a file. A file that isn't a complete ledger of this version is refused and left untouched; a missing
 * one is created only on request. Reading needs no permission to write.
 * @module
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  openSync,
  readSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type ChainRow, readLedgerFile } from "winnow-release";
import { fileRefusal, Refusal } from "../refusal.js";
import { tell } from "../render/terminal.js";
import { makePrivateFolder, removePrivateFolder } from "../sources/files/private-folder.js";
import { Connection, ledgerRefusal } from "./connection.js";
import { Ledger } from "./ledger.js";
import { createLedger, isOlderVersion, ledgerExists, mayWrite, othersMayWrite } from "./ledger-file.js";

export type { Ledger } from "./ledger.js";

/** In the working directory, unless --ledger names another. */
export const DEFAULT_LEDGER = "winnow.ledger";

interface OpenLedgerOptions {
  /** Create an empty ledger if there is none, and upgrade one of an older version. */
  readonly create?: boolean;
  /** Read only: a ledger that can't be written is copied to a private folder first. */
  readonly readOnly?: boolean;
  /** How long to wait for other runs, in milliseconds. */
  readonly patience?: number;
}

const PATIENCE = 15_000;

export async function openLedger(path: string, options: OpenLedgerOptions = {}): Promise<Ledger> {
  const ledger = await findLedger(path, options);
  if (ledger === undefined)
    throw new Refusal("missing-ledger", `There is no ledger at ${JSON.stringify(path)}.`);
  return ledger;
}

/** The ledger if there is one: for commands that only read, where a missing ledger is an empty one. */
export async function findLedger(
  path: string,
  { create = false, readOnly = false, patience = PATIENCE }: OpenLedgerOptions = {},
): Promise<Ledger | undefined> {
  const file = resolve(path);
  try {
    if (readOnly && isLedgerText(file)) return await openText(path, file, patience);
    if (!ledgerExists(file)) {
      if (!create) return undefined;
      createLedger(file);
      ledgerExists(file); // another run may have put something else there in the meantime
    }
    if (othersMayWrite(file))
      tell(`Other accounts can write the ledger ${JSON.stringify(path)}: restrict it to yours (chmod 600).`);
    if (readOnly && !mayWrite(file)) return await openCopy(path, file, patience);
    // Before SQLite opens the file: closing it anywhere else in this process would drop SQLite's locks on it, and another
    // run would then take over the write-ahead log.
    const isOlder = create && isOlderVersion(file);
    const ledger = new Ledger(path, await Connection.open(file, patience));
    if (isOlder) await ledger.bringUpToDate();
    return ledger;
  } catch (error) {
    throw ledgerRefusal(path, error);
  }
}

/** The first bytes of a ledger in text form, as the page and `budget export` write it. */
const TEXT_START = Buffer.from('{"entries":');

function isLedgerText(file: string): boolean {
  try {
    const handle = openSync(file, "r");
    try {
      const start = Buffer.alloc(TEXT_START.length);
      readSync(handle, start, 0, start.length, 0);
      return start.equals(TEXT_START);
    } finally {
      closeSync(handle);
    }
  } catch {
    return false; // opening it reports what is wrong
  }
}

/** A ledger in text form, verified and unpacked into a private folder, to be read. */
async function openText(path: string, file: string, patience: number): Promise<Ledger> {
  const folder = makePrivateFolder();
  const remove = () => removePrivateFolder(folder);
  try {
    const rows = await readLedgerText(file);
    const copy = join(folder, "ledger");
    createLedger(copy);
    const ledger = new Ledger(path, await Connection.open(copy, patience), remove);
    await ledger.takeOver(rows);
    return ledger;
  } catch (error) {
    remove();
    throw error;
  }
}

/** The rows of a ledger in text form, verified from the first to the last. */
export async function readLedgerText(path: string): Promise<readonly ChainRow[]> {
  try {
    return await readLedgerFile(createInterface({ input: createReadStream(path), crlfDelay: Infinity }));
  } catch (error) {
    throw error instanceof Error && "syscall" in error
      ? fileRefusal("The ledger file", path, error)
      : ledgerRefusal(path, error);
  }
}

/** SQLite writes next to a file even to read it, so it reads a copy, with the rows that are still in the write-ahead log. */
async function openCopy(path: string, file: string, patience: number): Promise<Ledger> {
  const folder = makePrivateFolder();
  const copy = join(folder, "ledger");
  const remove = () => removePrivateFolder(folder);
  try {
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    for (const made of [copy, `${copy}-wal`]) if (existsSync(made)) chmodSync(made, 0o600);
    return new Ledger(path, await Connection.open(copy, patience), remove);
  } catch (error) {
    remove();
    throw error instanceof Error && "syscall" in error ? fileRefusal("The ledger", path, error) : error;
  }
}
