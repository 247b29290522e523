/**
 * A second, smaller memory of the ledger, kept outside the databases that hold its rows: the head of each book and the
 * names of its data sets. When a browser evicts a database, or someone deletes it, this memory shows that there was one, and
 * for which data sets. It lives in `localStorage`, which a worker cannot reach, so the page keeps it on the worker's behalf.
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

/** Of a ledger that ends with the page. */
export function passingMemory(): LedgerMemory {
  let kept: string | null = null;
  return {
    read: async () => kept,
    write: async (text) => {
      kept = text;
    },
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

/** The memory of a book. */
export interface Remembered {
  readonly head: ChainHead;
  /** The data sets in it; undefined if that is not known, so any could be. */
  readonly datasets?: readonly string[];
}

export type Books = ReadonlyMap<string, Remembered>;

export function booksText(books: Books): string {
  const list = [...books].map(([name, { head, datasets }]) => ({ name, ...head, datasets }));
  return JSON.stringify({ books: list });
}

/** Undefined for anything else, which someone else must have written. `first` is the book of old pages. */
export function readBooks(text: string, first: string): Books | undefined {
  try {
    const { books, ...head } = JSON.parse(text);
    const list: readonly unknown[] = books ?? [{ name: first, ...head }];
    const read = list.map(readBook);
    return read.every((book) => book !== undefined) ? new Map(read) : undefined;
  } catch {
    return undefined;
  }
}

function readBook(value: unknown): readonly [name: string, Remembered] | undefined {
  const { name, sequence, hash, datasets } = value as Record<string, unknown>;
  if (typeof name !== "string" || !Number.isSafeInteger(sequence) || typeof hash !== "string")
    return undefined;
  const isList = Array.isArray(datasets) && datasets.every((one) => typeof one === "string");
  if (datasets !== undefined && !isList) return undefined;
  return [name, { head: { sequence: sequence as number, hash }, ...(isList && { datasets }) }];
}
