/**
 * The rows of the ledger in IndexedDB, and the lock that lets one tab at a time use them.
 *
 * A row is appended in one transaction that looks at the last row first: it either follows the head it was chained to
 * and is on the disk when the promise resolves, or it isn't there at all. All tabs and workers of this page share the
 * Web Lock. Without it two tabs could both see room for the last release, so a browser without Web Locks is refused.
 * @module
 */
import type { ChainHead, ChainRow } from "winnow-release";
import { StudioRefusal } from "../worker/studio-refusal.js";

const DATABASE_NAME = "winnow-ledger";
const ROWS = "rows";

export class LedgerDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    database.onversionchange = () => database.close(); // whoever deletes the storage is not held up
  }

  static async open(): Promise<LedgerDatabase> {
    try {
      const request = indexedDB.open(DATABASE_NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(ROWS, { keyPath: "sequence" });
      return new LedgerDatabase(await settled(request));
    } catch {
      throw new StudioRefusal("ledger-unavailable", "This browser does not let the page store its ledger.");
    }
  }

  async size(): Promise<number> {
    return settled(this.#database.transaction(ROWS).objectStore(ROWS).count());
  }

  /** In the order of their numbers, from the given number on. */
  async rowsFrom(sequence: number): Promise<ChainRow[]> {
    const rows = this.#database.transaction(ROWS).objectStore(ROWS);
    return settled<ChainRow[]>(rows.getAll(IDBKeyRange.lowerBound(sequence)));
  }

  /** Throws, and stores nothing, if the last row is not the head that the new one follows. */
  async append(row: ChainRow, head: ChainHead): Promise<void> {
    const transaction = this.#database.transaction(ROWS, "readwrite", { durability: "strict" });
    const rows = transaction.objectStore(ROWS);
    const last = rows.openCursor(null, "prev");
    last.onsuccess = () => {
      const found: Partial<ChainHead> = last.result?.value ?? { sequence: 0 };
      const follows = found.sequence === head.sequence && (found.hash ?? head.hash) === head.hash;
      if (follows) rows.add(row);
      else transaction.abort();
    };
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
        new StudioRefusal(
          "ledger-unavailable",
          "The browser could not store the charge, so nothing is released.",
        ),
      );
  });
}

const LOCK_NAME = "winnow-ledger";

export async function withLedgerLock<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined)
    throw new StudioRefusal("no-locks", "This browser cannot keep two tabs from spending the same budget.");
  return locks.request(LOCK_NAME, { mode: "exclusive" }, work);
}
