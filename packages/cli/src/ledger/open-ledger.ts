/**
 * Opening the ledger of a file. A file that is not a whole ledger of this version is refused untouched; a missing one is
 * made only if asked for. Whoever only looks needs no right to write.
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
  /** Make an empty ledger if there is none, and bring one of an older version up to date. */
  readonly create?: boolean;
  /** Only to look: a ledger that may not be written is copied to a private folder first. */
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

/** The ledger if there is one: for looking, where a missing ledger is an empty one. */
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
      ledgerExists(file); // another run may have put something else there meanwhile
    }
    if (othersMayWrite(file))
      tell(`Others may write the ledger ${JSON.stringify(path)}: make it yours alone (chmod 600).`);
    if (readOnly && !mayWrite(file)) return await openCopy(path, file, patience);
    // Before SQLite opens the file: whoever closes it elsewhere in this process gives up SQLite's locks on it, and another
    // run then takes the log beside it for its own.
    const isOlder = create && isOlderVersion(file);
    const ledger = new Ledger(path, await Connection.open(file, patience));
    if (isOlder) await ledger.bringUpToDate();
    return ledger;
  } catch (error) {
    throw ledgerRefusal(path, error);
  }
}

/** How the text of a ledger begins that the page or `budget export` wrote. */
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
    return false; // whoever opens it says what is wrong
  }
}

/** A ledger file of text, verified and laid out in a private folder, for looking. */
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

/** The rows of a ledger file of text, verified from the first to the last. */
export async function readLedgerText(path: string): Promise<readonly ChainRow[]> {
  try {
    return await readLedgerFile(linesOf(createReadStream(path, "utf8")));
  } catch (error) {
    throw error instanceof Error && "syscall" in error
      ? fileRefusal("The ledger file", path, error)
      : ledgerRefusal(path, error);
  }
}

/** Lines end with LF or CR LF and nothing else: a name may hold the separators that Node's readline also takes for ends. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let pending: string[] = [];
  for await (const chunk of chunks) {
    const [first = "", ...rest] = chunk.split("\n");
    pending.push(first);
    for (const line of rest) {
      yield pending.join("").replace(/\r$/, "");
      pending = [line];
    }
  }
  yield pending.join("").replace(/\r$/, "");
}

/** SQLite writes beside a file even to read it. What it reads is a copy, with the rows that are still in the log beside it. */
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
