/**
 * A second, smaller memory of the ledger: its head, kept outside the database that holds its rows. When a browser evicts the
 * database, or somebody deletes it, this tells that there was one. It lives in `localStorage`, which a worker cannot reach,
 * so the page keeps it on the worker's behalf.
 *
 * It only ever says "at least this far": a tab may write an older head after a newer one, and both are in the database.
 * @module
 */
import type { ChainHead } from "winnow-release";
import { StudioRefusal } from "../worker/studio-refusal.js";

export interface LedgerMemory {
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

const KEY = "winnow-ledger-head";

/** For the page's side. */
export function localMemory(): LedgerMemory {
  return {
    read: async () => orUnavailable(() => localStorage.getItem(KEY)),
    write: async (text) => orUnavailable(() => localStorage.setItem(KEY, text)),
  };
}

/** Storage that is blocked or full throws. */
function orUnavailable<T>(use: () => T): T {
  try {
    return use();
  } catch {
    throw new StudioRefusal("ledger-unavailable", "This browser does not let the page remember its ledger.");
  }
}

export function headText({ sequence, hash }: ChainHead): string {
  return JSON.stringify({ sequence, hash });
}

/** Undefined for what is no head: somebody else wrote there, and it tells nothing good. */
export function readHead(text: string): ChainHead | undefined {
  try {
    const { sequence, hash } = JSON.parse(text);
    return Number.isSafeInteger(sequence) && typeof hash === "string" ? { sequence, hash } : undefined;
  } catch {
    return undefined;
  }
}
