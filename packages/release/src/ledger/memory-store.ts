/**
 * A store in memory, gone with the program: for tests, for examples, and for programs that keep the text of their ledger
 * themselves (`exported`, `takeOver`). Ledgers that share one store see each other's entries, as runs on one file do:
 * transactions run one after the other, and one that throws leaves nothing.
 *
 * @example
 * ```ts
 * import { Ledger, MemoryStore } from "winnow-release";
 *
 * const ledger = new Ledger(new MemoryStore(), { software: { name: "my-program", version: "1.0.0" } });
 * await ledger.setBudget("visits", { measure: "pure", epsilon: "1" });
 * ```
 * @module
 */
import { type ChainHead, type ChainRow, EMPTY_CHAIN } from "./hash-chain.js";
import type { Kept, KeptAnew, NewRow, Store } from "./store.js";

/**
 * All that a store holds.
 *
 * @inline
 */
export interface StoredTables {
  /** In the order of their numbers. */
  readonly rows: readonly ChainRow[];
  readonly head: ChainHead | undefined;
  readonly summarised: ChainHead | undefined;
  readonly accounts: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, number>;
  /** Data sets by the mark of a source. */
  readonly marks: ReadonlyMap<string, string>;
}

/** A ledger's tables in memory, for tests and for programs that keep them elsewhere. */
export class MemoryStore implements Store {
  readonly name: string;
  readonly #markKey = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  #rows: ChainRow[] = [];
  #head: ChainHead | undefined = EMPTY_CHAIN;
  #summarised: ChainHead | undefined = EMPTY_CHAIN;
  #accounts = new Map<string, string>();
  #places = new Map<string, number>();
  #marks = new Map<string, string>();
  /** What takes back the changes of this transaction, the last first. */
  #undo: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /** `name` is what sentences call it. */
  constructor(name = "memory") {
    this.name = name;
  }

  /** A look at everything, in a transaction of its own. */
  tables(): Promise<StoredTables> {
    return this.reading(async () => ({
      rows: [...this.#rows],
      head: this.#head,
      summarised: this.#summarised,
      accounts: new Map(this.#accounts),
      places: new Map(this.#places),
      marks: new Map(this.#marks),
    }));
  }

  /** Puts this in the place of everything, as from a copy that was kept. Nothing is checked here: the ledger does that. */
  restore(tables: StoredTables): Promise<void> {
    return this.reading(async () => {
      this.#rows = [...tables.rows];
      this.#head = tables.head;
      this.#summarised = tables.summarised;
      this.#accounts = new Map(tables.accounts);
      this.#places = new Map(tables.places);
      this.#marks = new Map(tables.marks);
    });
  }

  reading<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.reading(async () => {
      try {
        return await work();
      } catch (error) {
        for (const undo of this.#undo.reverse()) undo();
        throw error;
      } finally {
        this.#undo = [];
      }
    });
  }

  async close(): Promise<void> {}

  refusal(error: unknown): unknown {
    return error;
  }

  async schemaProblems(): Promise<string[]> {
    return [];
  }

  async isDamaged(): Promise<boolean> {
    return false;
  }

  async head(): Promise<ChainHead | undefined> {
    return this.#head;
  }

  async summarised(): Promise<ChainHead | undefined> {
    return this.#summarised;
  }

  async lastSequence(): Promise<number> {
    return this.#rows.at(-1)?.sequence ?? 0;
  }

  async row(sequence: number): Promise<ChainRow | undefined> {
    const row = this.#rows[this.#indexAfter(sequence - 1)];
    return row?.sequence === sequence ? row : undefined;
  }

  async rowsAfter(sequence: number, limit: number): Promise<ChainRow[]> {
    const first = this.#indexAfter(sequence);
    return this.#rows.slice(first, first + limit);
  }

  async hashesAfter(sequence: number, limit: number): Promise<string[]> {
    return (await this.rowsAfter(sequence, limit)).map(({ hash }) => hash);
  }

  async summaryOf(key: string): Promise<string | undefined> {
    return this.#accounts.get(key);
  }

  async accounts(): Promise<string[]> {
    return [...this.#accounts.keys()];
  }

  async placeOf(key: string): Promise<number | undefined> {
    return this.#places.get(key);
  }

  async placesAfter(key: string, limit: number): Promise<(readonly [string, number])[]> {
    const after = [...this.#places].filter(([place]) => place > key);
    return after.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit);
  }

  async placesBetween(after: string, before: string, limit: number): Promise<number[]> {
    const between = [...this.#places].filter(([place]) => place > after && place < before);
    return between
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .slice(0, limit)
      .map(([, sequence]) => sequence);
  }

  async markKey(): Promise<string | undefined> {
    return this.#markKey;
  }

  async marked(mark: string): Promise<string | undefined> {
    return this.#marks.get(mark);
  }

  async append(rows: readonly NewRow[], { accounts, mark }: Kept): Promise<void> {
    const { length } = this.#rows;
    const [head, summarised] = [this.#head, this.#summarised];
    this.#undo.push(() => {
      this.#rows.length = length;
      this.#head = head;
      this.#summarised = summarised;
    });
    for (const { row, keys } of rows) {
      this.#rows.push(row);
      for (const key of keys) if (!this.#places.has(key)) this.#set(this.#places, key, row.sequence);
    }
    for (const [key, summary] of accounts) this.#set(this.#accounts, key, summary);
    if (mark !== undefined && !this.#marks.has(mark)) this.#set(this.#marks, mark, accounts[0]![0]);
    const { sequence, hash } = rows.at(-1)!.row;
    this.#head = { sequence, hash };
    this.#summarised = this.#head;
  }

  async keepAnew({ accounts, places, head }: KeptAnew): Promise<void> {
    const [before, beforePlaces, summarised] = [this.#accounts, this.#places, this.#summarised];
    this.#undo.push(() => {
      this.#accounts = before;
      this.#places = beforePlaces;
      this.#summarised = summarised;
    });
    this.#accounts = new Map(accounts);
    this.#places = new Map(places);
    this.#summarised = head;
  }

  #set<V>(map: Map<string, V>, key: string, value: V): void {
    const known = map.get(key);
    this.#undo.push(() => (known === undefined ? map.delete(key) : map.set(key, known)));
    map.set(key, value);
  }

  /** The index of the first row with a larger number. Rows are never missing unless someone tampered with them. */
  #indexAfter(sequence: number): number {
    const guess = Math.max(0, Math.min(sequence, this.#rows.length));
    const isRight =
      (this.#rows[guess - 1]?.sequence ?? -1) <= sequence &&
      (this.#rows[guess]?.sequence ?? Infinity) > sequence;
    if (isRight) return guess;
    const index = this.#rows.findIndex((row) => row.sequence > sequence);
    return index < 0 ? this.#rows.length : index;
  }
}
