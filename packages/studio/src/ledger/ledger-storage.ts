/**
 * Where a ledger is kept in the browser: its rows in databases, and a memory of them elsewhere.
 *
 * Each book has one IndexedDB database, and one lock lets one tab at a time use them. A row is appended in one transaction
 * that looks at the last row first: it either follows the head it was chained to and is on the disk when the promise
 * resolves, or it isn't there at all. All tabs and workers of this page share the Web Lock. Without it two tabs could both
 * see room for the last release, so a browser without Web Locks is refused.
 *
 * The memory has the head of each book and the names of its data sets. When a browser evicts a database, or someone deletes
 * it, this memory shows that there was one, and for which data sets. It lives in `localStorage`, which a worker cannot
 * reach, so the page keeps it on the worker's behalf.
 *
 * The example's ledger is kept in memory and ends with the page.
 * @module
 */
import { type ChainHead, type ChainRow, Refusal } from "winnow-release";

/** The rows of one book. */
export interface RowStore {
  size(): Promise<number>;
  /** In the order of their numbers, from the given number on. */
  rowsFrom(sequence: number): Promise<ChainRow[]>;
  /** Throws, and stores nothing, if the last row is not the head that the new ones follow. */
  append(rows: readonly ChainRow[], head: ChainHead): Promise<void>;
  /** All rows at once, in place of whatever is there. */
  replace(rows: readonly ChainRow[]): Promise<void>;
  close(): void;
}

/** All books of a ledger. */
export interface Shelf {
  /** The names of the books that are there. */
  names(): Promise<readonly string[]>;
  open(name: string): Promise<RowStore>;
  /** One at a time. */
  locked<T>(work: () => Promise<T>): Promise<T>;
}

/** The first book; others have a number behind it. */
export const FIRST_BOOK = "winnow-ledger";
const ROWS = "rows";

class LedgerDatabase implements RowStore {
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
    database.onversionchange = () => database.close(); // so that the storage can be deleted
  }

  async size(): Promise<number> {
    return settled(this.#database.transaction(ROWS).objectStore(ROWS).count());
  }

  async rowsFrom(sequence: number): Promise<ChainRow[]> {
    const rows = this.#database.transaction(ROWS).objectStore(ROWS);
    return settled<ChainRow[]>(rows.getAll(IDBKeyRange.lowerBound(sequence)));
  }

  async append(added: readonly ChainRow[], head: ChainHead): Promise<void> {
    const transaction = this.#database.transaction(ROWS, "readwrite", { durability: "strict" });
    const rows = transaction.objectStore(ROWS);
    const last = rows.openCursor(null, "prev");
    last.onsuccess = () => {
      const found: Partial<ChainHead> = last.result?.value ?? { sequence: 0 };
      const follows = found.sequence === head.sequence && (found.hash ?? head.hash) === head.hash;
      if (follows) for (const row of added) rows.add(row);
      else transaction.abort();
    };
    await committed(transaction);
  }

  async replace(all: readonly ChainRow[]): Promise<void> {
    const transaction = this.#database.transaction(ROWS, "readwrite", { durability: "strict" });
    const rows = transaction.objectStore(ROWS);
    rows.clear();
    for (const row of all) rows.add(row);
    await committed(transaction);
  }

  close(): void {
    this.#database.close();
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(
        new Refusal("ledger-unavailable", "The browser could not store the charge, so nothing is released."),
      );
  });
}

/** In this browser's storage. */
export const browserShelf: Shelf = {
  names: async () => {
    const all = (await indexedDB.databases?.().catch(() => [])) ?? [];
    return all.flatMap(({ name }) => (name?.startsWith(FIRST_BOOK) ? [name] : []));
  },
  open: async (name) => {
    try {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(ROWS, { keyPath: "sequence" });
      return new LedgerDatabase(await settled(request));
    } catch {
      throw new Refusal("ledger-unavailable", "This browser does not let the page store its ledger.");
    }
  },
  locked: async (work) => {
    const locks: LockManager | undefined = navigator.locks;
    if (locks === undefined)
      throw new Refusal("no-locks", "This browser cannot keep two tabs from spending the same budget.");
    return locks.request(FIRST_BOOK, { mode: "exclusive" }, work);
  },
};

/** In memory: gone with the page. */
export function passingShelf(): Shelf {
  const rows: ChainRow[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const store: RowStore = {
    size: async () => rows.length,
    rowsFrom: async (sequence) => rows.slice(Math.max(sequence - 1, 0)),
    append: async (added) => void rows.push(...added),
    replace: async (all) => void rows.splice(0, rows.length, ...all),
    close: () => {},
  };
  return {
    names: async () => [FIRST_BOOK],
    open: async () => store,
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
  /** The data sets in it; undefined if that is not known, so any could be. */
  readonly datasets?: readonly string[];
}

export type Books = ReadonlyMap<string, Remembered>;

export function booksText(books: Books): string {
  const list = [...books].map(([name, { head, datasets }]) => ({ name, ...head, datasets }));
  return JSON.stringify({ books: list });
}

/** Undefined if the text isn't ours. `first` is the book of old pages. */
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
