/**
 * One chain of entries, and how much of it is verified. A browser usually has one book. Another begins when one was
 * lost and an unrelated data set continues, or when a ledger is restored from a file.
 * @module
 */
import {
  type ChainHead,
  type ChainRow,
  chain,
  datasetOf,
  EMPTY_CHAIN,
  entryText,
  type LedgerEntry,
  type NewEntry,
  Refusal,
  type Release,
  readEntry,
  readRelease,
  verifyChain,
} from "winnow-release";
import type { Remembered, RowStore } from "./ledger-storage.js";

export type Recorded = Omit<Release, "ledger">;
export type Entry = LedgerEntry<Recorded>;
export type ReleaseRow = Extract<Entry, { kind: "release" }>;

export class Book {
  /** The hashes verified so far; that of entry n is at n. */
  #entries: Entry[] = [];
  #hashes: string[] = [EMPTY_CHAIN.hash];

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get head(): ChainHead {
    return { sequence: this.#entries.length, hash: this.#hashes[this.#entries.length]! };
  }

  get datasets(): readonly string[] {
    return [...new Set(this.#entries.map(datasetOf))];
  }

  get rows(): readonly ChainRow[] {
    return this.#entries.map((entry, index) => ({
      sequence: index + 1,
      text: entryText(entry),
      hash: this.#hashes[index + 1]!,
    }));
  }

  hashAt(sequence: number): string | undefined {
    return this.#hashes[sequence];
  }

  /** Reads entries that other tabs added, and checks them against the known and remembered ones. */
  async catchUp(store: RowStore, remembered: Remembered | undefined): Promise<void> {
    const known = this.head;
    const { rows, size } = await readOrUnknown(store, Math.max(known.sequence, 1));
    if (known.sequence > 0 && rows.shift()?.hash !== known.hash)
      throw unknown("its rows are gone or were changed");
    const added: Entry[] = [];
    const onEntry = (entry: LedgerEntry) => added.push(entry as Entry);
    const { findings } = await verifyChain(rows, { after: known, onEntry });
    const isWhole = size === known.sequence + rows.length;
    if (findings.length > 0 || !isWhole) throw unknown("its chain of entries is broken");
    this.#add(rows, added);
    if (remembered !== undefined && this.#hashes[remembered.head.sequence] !== remembered.head.hash)
      throw unknown("the browser has removed it, or part of it");
  }

  async append(store: RowStore, entry: NewEntry): Promise<void> {
    const { head } = this;
    const row = await chain(entry, head);
    await store.append([row], head);
    this.#add([row], [readEntry<Recorded>(row.text)]);
  }

  /** Takes over verified rows that go on from the head. */
  async extend(store: RowStore, rows: readonly ChainRow[]): Promise<void> {
    await store.append(rows, this.head);
    this.#add(
      rows,
      rows.map(({ text }) => readEntry<Recorded>(text)),
    );
  }

  /** Takes over verified rows in place of all that is there. */
  async restore(store: RowStore, rows: readonly ChainRow[]): Promise<void> {
    await store.replace(rows);
    this.#entries = [];
    this.#hashes = [EMPTY_CHAIN.hash];
    this.#add(
      rows,
      rows.map(({ text }) => readEntry<Recorded>(text)),
    );
  }

  /** Read as strictly as if someone else had written it. */
  published({ release, sequence }: ReleaseRow): Release {
    return readRelease(JSON.stringify({ ...release, ledger: { sequence, head: this.#hashes[sequence]! } }));
  }

  #add(rows: readonly ChainRow[], entries: readonly Entry[]): void {
    this.#entries.push(...entries);
    this.#hashes.push(...rows.map(({ hash }) => hash));
  }
}

async function readOrUnknown(store: RowStore, from: number) {
  try {
    return { rows: await store.rowsFrom(from), size: await store.size() };
  } catch {
    throw unknown("the browser cannot read it");
  }
}

export function unknown(what: string): Refusal {
  return new Refusal(
    "ledger-unknown",
    `The page doesn't know what was spent before: there was a ledger, and ${what}.`,
  );
}
