/**
 * Where the ledgers of this browser are kept: their stores, and a memory of them elsewhere.
 *
 * The memory has the head of each book and the names of its data sets. When a browser evicts a database, or someone deletes
 * it, this memory shows that there was one, and for which data sets. It lives in `localStorage`, which a worker cannot
 * reach, so the page keeps it on the worker's behalf.
 *
 * The example's ledger is kept in memory and ends with the page.
 * @module
 */
import { type ChainHead, MemoryStore, Refusal, type Store } from "winnow-release";
import { deleteStore, IndexedDbStore, locked, type Witness } from "./indexed-db-store.js";

/** All books of a ledger. */
export interface Shelf {
  /** The names of the books that are there. */
  names(): Promise<readonly string[]>;
  store(name: string, witness: Witness): Store;
  /** Empties a book that can't be relied on. */
  remove(name: string): Promise<void>;
  /** One at a time. */
  locked<T>(work: () => Promise<T>): Promise<T>;
}

/** The first book; others have a number behind it. */
export const FIRST_BOOK = "winnow-ledger";

/** In this browser's storage. */
export const browserShelf: Shelf = {
  names: async () => {
    const all = (await indexedDB.databases?.().catch(() => [])) ?? [];
    return all.flatMap(({ name }) => (name?.startsWith(FIRST_BOOK) ? [name] : []));
  },
  store: (name, witness) => new IndexedDbStore(name, witness),
  remove: deleteStore,
  locked: (work) => locked(FIRST_BOOK, "exclusive", work),
};

/** In memory: gone with the page, and never lost before it. */
export function passingShelf(): Shelf {
  const stores = new Map<string, Store>();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    names: async () => [...stores.keys()],
    store: (name) => {
      const store = stores.get(name) ?? new MemoryStore(name);
      stores.set(name, store);
      return store;
    },
    remove: async (name) => void stores.delete(name),
    locked: (work) => {
      const mine = turn.then(work);
      turn = mine.catch(() => {});
      return mine;
    },
  };
}

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

/** The memory of a ledger that ends with the page. */
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
    throw new Refusal("ledger-unavailable", "This browser does not let the page remember its ledger.");
  }
}

/** The memory of a book. */
export interface Remembered {
  readonly head: ChainHead;
  /** The data sets in it. */
  readonly datasets: readonly string[];
}

export type Books = ReadonlyMap<string, Remembered>;

export function booksText(books: Books): string {
  const list = [...books].map(([name, { head, datasets }]) => ({ name, ...head, datasets }));
  return JSON.stringify({ books: list });
}

/** Undefined if the text isn't ours. */
export function readBooks(text: string): Books | undefined {
  try {
    const { books } = JSON.parse(text);
    const read = (books as readonly unknown[]).map(readBook);
    return read.every((book) => book !== undefined) ? new Map(read) : undefined;
  } catch {
    return undefined;
  }
}

function readBook(value: unknown): readonly [name: string, Remembered] | undefined {
  const { name, sequence, hash, datasets } = value as Record<string, unknown>;
  if (typeof name !== "string" || !Number.isSafeInteger(sequence) || typeof hash !== "string")
    return undefined;
  if (!Array.isArray(datasets) || !datasets.every((one) => typeof one === "string")) return undefined;
  return [name, { head: { sequence: sequence as number, hash }, datasets }];
}
