/**
 * Opening the ledger of a file. A file that is not a whole ledger of this version is refused untouched; a missing one is
 * made only if asked for.
 * @module
 */
import { resolve } from "node:path";
import { Refusal } from "../refusal.js";
import { Connection, ledgerRefusal } from "./connection.js";
import { Ledger } from "./ledger.js";
import { createLedger, ledgerExists } from "./ledger-file.js";

export type { Ledger } from "./ledger.js";

/** In the working directory, unless --ledger names another. */
export const DEFAULT_LEDGER = "winnow.ledger";

interface OpenLedgerOptions {
  /** Make an empty ledger if there is none. */
  readonly create?: boolean;
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
  { create = false, patience = PATIENCE }: OpenLedgerOptions = {},
): Promise<Ledger | undefined> {
  const file = resolve(path);
  try {
    if (!ledgerExists(file)) {
      if (!create) return undefined;
      createLedger(file);
      ledgerExists(file); // another run may have put something else there meanwhile
    }
    return new Ledger(path, await Connection.open(file, patience));
  } catch (error) {
    throw ledgerRefusal(path, error);
  }
}
