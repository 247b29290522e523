/**
 * The ledger in a browser's IndexedDB: the tables that a file has too, in one database.
 *
 * An IndexedDB transaction ends as soon as the page waits for something else, such as a hash. So a transaction of the ledger is a
 * Web Lock, which all tabs and workers of the page share: what it writes is kept in memory until its work is done, and then written in
 * one IndexedDB transaction that looks at the last row again. It is on the disk when the promise resolves, or it isn't there at
 * all. Without Web Locks two tabs could both see room for the last release, so a browser without them is refused.
 *
 * A browser may evict a database, and anyone can delete it. So a `Witness` remembers the head elsewhere: a database that doesn't
 * hold that entry any more is refused.
 * @module
 */
import {
  type ChainHead,
  type ChainRow,
  EMPTY_CHAIN,
  type Kept,
  type KeptAnew,
  type NewRow,
  Refusal,
  type Store,
} from "winnow-release";

/** The head of a ledger, remembered outside of its store. */
export interface Witness {
  /** Undefined if it remembers none. */
  seen(): Promise<ChainHead | undefined>;
  keep(head: ChainHead): Promise<void>;
}

/** The object stores by name, with the paths of their keys. */
const STORES = { rows: "sequence", accounts: "key", places: "key", marks: "mark", state: "name" } as const;
type StoreName = keyof typeof STORES;
const NAMES = Object.keys(STORES) as StoreName[];

interface KeptAccount {
  readonly key: string;
  /** 1, 2, 3 … in the order of the first entries. */
  readonly place: number;
  readonly summary: string;
}

interface KeptPlace {
  readonly key: string;
  readonly sequence: number;
}

/** Waits to be written at the end of the transaction. */
interface Staged {
  readonly rows: ChainRow[];
  /** Accounts and places that were there are replaced by these. */
  isAnew: boolean;
  accounts: Map<string, KeptAccount>;
  places: Map<string, KeptPlace>;
  readonly marks: Map<string, string>;
  summarised: ChainHead | undefined;
}

export class IndexedDbStore implements Store {
  readonly name: string;
  readonly #witness: Witness;
  #database: IDBDatabase | undefined;
  #staged: Staged | undefined;

  /** `name` is that of the database. */
  constructor(name: string, witness: Witness) {
    this.name = name;
    this.#witness = witness;
  }

  reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("shared", work);
  }

  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction("exclusive", async () => {
      this.#staged = {
        rows: [],
        isAnew: false,
        accounts: new Map(),
        places: new Map(),
        marks: new Map(),
        summarised: undefined,
      };
      const result = await work();
      await this.#commit(this.#staged);
      return result;
    });
  }

  async close(): Promise<void> {}

  refusal(error: unknown): unknown {
    return error;
  }

  async #transaction<T>(mode: LockMode, work: () => Promise<T>): Promise<T> {
    return locked(`${this.name} rows`, mode, async () => {
      this.#database = await opened(this.name);
      try {
        await this.#refuseLost();
        return await work();
      } finally {
        this.#staged = undefined;
        this.#database.close();
      }
    });
  }

  async #refuseLost(): Promise<void> {
    const seen = await this.#witness.seen();
    if (seen === undefined || seen.sequence === 0 || (await this.schemaProblems()).length > 0) return;
    if ((await this.row(seen.sequence))?.hash !== seen.hash)
      throw new Refusal("ledger-replaced", "The browser has removed the ledger, or part of it.");
  }

  /** All or nothing, and only behind the entry that it was chained to. */
  async #commit({ rows, isAnew, accounts, places, marks, summarised }: Staged): Promise<void> {
    if (summarised === undefined) return;
    const transaction = this.#database!.transaction(NAMES, "readwrite", { durability: "strict" });
    const into = (name: StoreName) => transaction.objectStore(name);
    const last = into("rows").openCursor(null, "prev");
    last.onsuccess = () => {
      const before = (rows[0]?.sequence ?? summarised.sequence + 1) - 1;
      if ((last.result?.value.sequence ?? 0) !== before) return transaction.abort();
      if (isAnew) for (const name of ["accounts", "places"] as const) into(name).clear();
      for (const row of rows) into("rows").add(row);
      for (const account of accounts.values()) into("accounts").put(account);
      for (const place of places.values()) into("places").put(place);
      for (const [mark, dataset] of marks) into("marks").put({ mark, dataset });
      into("state").put({ name: "summarised", value: summarised });
      if (rows.length > 0) into("state").put({ name: "head", value: summarised });
    };
    await committed(transaction);
    await this.#witness.keep(summarised);
  }

  async schemaProblems(): Promise<string[]> {
    const found = [...this.#database!.objectStoreNames];
    return NAMES.filter((name) => !found.includes(name)).map(
      (name) => `The ledger is missing its table ${JSON.stringify(name)}.`,
    );
  }

  async isDamaged(): Promise<boolean> {
    return false;
  }

  async head(): Promise<ChainHead | undefined> {
    const last = this.#staged?.rows.at(-1);
    return last === undefined ? this.#state("head") : { sequence: last.sequence, hash: last.hash };
  }

  async summarised(): Promise<ChainHead | undefined> {
    return this.#staged?.summarised ?? this.#state("summarised");
  }

  async lastSequence(): Promise<number> {
    const staged = this.#staged?.rows.at(-1)?.sequence;
    if (staged !== undefined) return staged;
    return settled(this.#store("rows").count()); // so that a row that is gone is missed at once
  }

  async row(sequence: number): Promise<ChainRow | undefined> {
    const staged = this.#staged?.rows.find((row) => row.sequence === sequence);
    return staged ?? settled<ChainRow | undefined>(this.#store("rows").get(sequence));
  }

  async rowsAfter(sequence: number, limit: number): Promise<ChainRow[]> {
    const range = IDBKeyRange.lowerBound(sequence, true);
    const stored = await settled<ChainRow[]>(this.#store("rows").getAll(range, limit));
    const staged = this.#staged?.rows.filter((row) => row.sequence > sequence) ?? [];
    return [...stored, ...staged].slice(0, limit);
  }

  async hashesAfter(sequence: number, limit: number): Promise<string[]> {
    return (await this.rowsAfter(sequence, limit)).map(({ hash }) => hash);
  }

  async summaryOf(key: string): Promise<string | undefined> {
    return (await this.#account(key))?.summary;
  }

  async accounts(): Promise<string[]> {
    const stored = this.#staged?.isAnew ? [] : await settled<KeptAccount[]>(this.#store("accounts").getAll());
    const all = new Map([...stored.map((one) => [one.key, one] as const), ...(this.#staged?.accounts ?? [])]);
    return [...all.values()].sort((one, other) => one.place - other.place).map(({ key }) => key);
  }

  async placeOf(key: string): Promise<number | undefined> {
    const staged = this.#staged?.places.get(key);
    if (staged !== undefined || this.#staged?.isAnew) return staged?.sequence;
    return (await settled<KeptPlace | undefined>(this.#store("places").get(key)))?.sequence;
  }

  async placesAfter(key: string, limit: number): Promise<(readonly [string, number])[]> {
    const places = await this.#places(IDBKeyRange.lowerBound(key, true));
    return places.slice(0, limit).map((place) => [place.key, place.sequence]);
  }

  async placesBetween(after: string, before: string, limit: number): Promise<number[]> {
    const places = await this.#places(IDBKeyRange.bound(after, before, true, true));
    return places
      .reverse()
      .slice(0, limit)
      .map(({ sequence }) => sequence);
  }

  async markKey(): Promise<string | undefined> {
    return this.#state("markKey");
  }

  async marked(mark: string): Promise<string | undefined> {
    const staged = this.#staged?.marks.get(mark);
    if (staged !== undefined) return staged;
    return (await settled<{ dataset: string } | undefined>(this.#store("marks").get(mark)))?.dataset;
  }

  async append(added: readonly NewRow[], { accounts, mark }: Kept): Promise<void> {
    const staged = this.#staged!;
    for (const { row, keys } of added) {
      const { sequence, hash, text } = row;
      staged.rows.push({ sequence, hash, text });
      for (const key of keys)
        if ((await this.placeOf(key)) === undefined) staged.places.set(key, { key, sequence });
    }
    for (const [key, summary] of accounts) {
      const place = (await this.#account(key))?.place ?? (await this.accounts()).length + 1;
      staged.accounts.set(key, { key, place, summary });
    }
    const [[dataset] = []] = accounts;
    if (mark !== undefined && dataset !== undefined && (await this.marked(mark)) === undefined)
      staged.marks.set(mark, dataset);
    const { sequence, hash } = added.at(-1)!.row;
    staged.summarised = { sequence, hash };
  }

  async keepAnew({ accounts, places, head }: KeptAnew): Promise<void> {
    const staged = this.#staged!;
    staged.isAnew = true;
    const kept = [...accounts].map(([key, summary], index) => ({ key, place: index + 1, summary }));
    staged.accounts = new Map(kept.map((account) => [account.key, account]));
    staged.places = new Map([...places].map(([key, sequence]) => [key, { key, sequence }]));
    staged.summarised = head;
  }

  async #account(key: string): Promise<KeptAccount | undefined> {
    const staged = this.#staged?.accounts.get(key);
    if (staged !== undefined || this.#staged?.isAnew) return staged;
    return settled<KeptAccount | undefined>(this.#store("accounts").get(key));
  }

  /** In the order of their keys. */
  async #places(range: IDBKeyRange): Promise<KeptPlace[]> {
    const stored = this.#staged?.isAnew
      ? []
      : await settled<KeptPlace[]>(this.#store("places").getAll(range));
    const staged = [...(this.#staged?.places.values() ?? [])].filter(({ key }) => range.includes(key));
    return [...stored, ...staged].sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  async #state<T>(name: string): Promise<T | undefined> {
    return (await settled<{ value: T } | undefined>(this.#store("state").get(name)))?.value;
  }

  #store(name: StoreName): IDBObjectStore {
    return this.#database!.transaction(name).objectStore(name);
  }
}

/** One tab at a time, or several that only read. */
export async function locked<T>(name: string, mode: LockMode, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined)
    throw new Refusal("no-locks", "This browser cannot keep two tabs from spending the same budget.");
  return locks.request(name, { mode }, work);
}

/** Deletes the database. */
export async function deleteStore(name: string): Promise<void> {
  await settled(indexedDB.deleteDatabase(name));
}

async function opened(name: string): Promise<IDBDatabase> {
  try {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => makeStores(request.result);
    const database = await settled(request);
    database.onversionchange = () => database.close(); // so that the storage can be deleted
    return database;
  } catch {
    throw new Refusal("ledger-unavailable", "This browser does not let the page store its ledger.");
  }
}

function makeStores(database: IDBDatabase): void {
  const stores = NAMES.map((name) => database.createObjectStore(name, { keyPath: STORES[name] }));
  const state = stores[NAMES.indexOf("state")]!;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  for (const name of ["head", "summarised"]) state.put({ name, value: EMPTY_CHAIN });
  state.put({ name: "markKey", value: key });
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Refusal("ledger-broken", "The browser can't read the ledger."));
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
