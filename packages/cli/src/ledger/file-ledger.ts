/**
 * Opens a ledger in a SQLite file, for the command line and for programs in other languages. A file that isn't a complete ledger of
 * this version is refused and left untouched; a missing one is created only on request.
 * @module
 */
import { resolve } from "node:path";
import { Ledger, type Software, type Store } from "winnow-release";
import { createLedger, ledgerExists, mayWrite, othersMayWrite } from "./ledger-file.js";
import { Connection } from "./sqlite-connection.js";
import { isUnwritable, ledgerRefusal } from "./sqlite-refusal.js";
import { SqliteStore } from "./sqlite-store.js";
import { TREE_HASHER } from "./tree-hasher.js";

/** How long to wait for other runs, in milliseconds. */
export const PATIENCE = 15_000;

export interface FileLedgerOptions {
  /** Create an empty ledger if there is none. */
  readonly create?: boolean;
  readonly patience?: number;
  /** Charged by a process that runs for long, which replays the log. */
  readonly replays?: boolean;
  /** What new entries say of the program. */
  readonly software: Pick<Software, "name" | "version">;
  /** Tells the owner of the ledger something. */
  readonly tell: (sentence: string) => void;
  /** What to read instead of a ledger that can't be written. */
  readonly copy?: () => Promise<Ledger>;
}

/** Undefined if there is no ledger and none may be created. */
export async function openFileLedger(path: string, options: FileLedgerOptions): Promise<Ledger | undefined> {
  const { create = false, patience = PATIENCE, tell, copy } = options;
  const file = resolve(path);
  try {
    if (!ledgerExists(file)) {
      if (!create) return undefined;
      if (createLedger(file)) tell(`A new ledger was created at ${JSON.stringify(path)}.`);
      ledgerExists(file); // another run may have put something else there in the meantime
    }
    if (othersMayWrite(file))
      tell(`Other accounts can write the ledger ${JSON.stringify(path)}: restrict it to yours (chmod 600).`);
    if (copy !== undefined && !mayWrite(file)) return await copy();
    const connection = await Connection.open(file, patience).catch((error: unknown) => {
      if (copy !== undefined && isUnwritable(error)) return undefined;
      throw error;
    });
    if (connection === undefined) return await copy?.();
    return ledgerOver(new SqliteStore(path, connection), options);
  } catch (error) {
    throw ledgerRefusal(path, error);
  }
}

/** The ledger over a store, whose tree of hashes Node computes. */
export function ledgerOver(
  store: Store,
  { software, replays = false }: Pick<FileLedgerOptions, "software" | "replays">,
): Ledger {
  return new Ledger(store, { software, replays, hasher: TREE_HASHER });
}
