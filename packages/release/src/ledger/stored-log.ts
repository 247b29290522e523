/**
 * The log of a ledger, and the data stored with it (derived.ts): the summary of each account and the place of each release
 * id, written in the transaction that appends an entry. So a charge reads the last entry and one or two summaries, however
 * long the log is. The stored data is derived from the log alone; `verify` and `entries` read the whole log.
 *
 * Before every use Winnow checks the cheap signs of tampering: the schema with its triggers, the head, the last entry and
 * its hash, and whether the summaries belong to the head. If they don't (someone appended without Winnow), Winnow verifies the
 * whole log and summarises it again. A process that runs for long also replays
 * the log (replayed-totals.ts).
 *
 * A run also remembers the last entry that it knows to be committed. If that entry is gone in a later transaction (an older
 * copy was put back, a standby that lags behind took over, the file was swapped), the ledger is refused, because charges
 * that this run has seen are missing from it.
 * @module
 */

import { Refusal } from "../refusal/refusal.js";
import { canonicalJson } from "./canonical-json.js";
import {
  accountKey,
  addTo,
  type Derived,
  keyPlace,
  nothingDerived,
  ownKey,
  placesOf,
  releaseKey,
  reservationKey,
  shareOf,
  sharesIn,
} from "./derived.js";
import {
  datasetOf,
  hasDataset,
  inOrderOfTime,
  type LedgerEntry,
  type NewEntry,
  readEntry,
  timeOf,
} from "./entry.js";
import {
  type ChainHead,
  type ChainReport,
  type ChainRow,
  chain,
  EMPTY_CHAIN,
  type Finding,
  hashText,
  type VerifiedRow,
  type VerifyOptions,
  verifyChain,
} from "./hash-chain.js";
import { ledgerReplaced } from "./ledger-refusals.js";
import type { ReplayedTotals } from "./replayed-totals.js";
import type { Store } from "./store.js";
import { type AccountSummary, EMPTY_SUMMARY, summarise, summariseShare } from "./summary.js";

/** Rows fetched or appended at once when the whole log is read or written. */
export const ROWS_AT_ONCE = 1000;
/** Rows fetched at once from the end of the log: each may hold a long answer. */
const ROWS_OF_THE_END = 20;
/** More keys than any ledger ever has. */
const MOST_KEYS = 10_000;

export class StoredLog {
  readonly #store: Store;
  readonly #replayed: ReplayedTotals | undefined;
  #head: ChainHead = EMPTY_CHAIN;
  /** The head of the store in this transaction. */
  #stored: ChainHead = EMPTY_CHAIN;
  /** The last entry that is known to be committed. */
  #seen: ChainHead = EMPTY_CHAIN;
  /** If the store has no summaries for its head. */
  #derived: Derived | undefined;
  /** What this transaction has added and the store doesn't have yet: rows that follow each other, what they changed, and their places. */
  #added: VerifiedRow[] = [];
  readonly #changed = new Map<string, AccountSummary>();
  readonly #addedPlaces = new Map<string, number>();
  /** Summaries of the store that this transaction has read and checked: all that share it look at the same ones. */
  readonly #checked = new Map<string, AccountSummary | undefined>();

  /** With `replayed`, every total that is read is compared with it. */
  constructor(store: Store, replayed?: ReplayedTotals) {
    this.#store = store;
    this.#replayed = replayed;
  }

  /** As of the last `refresh`. */
  get head(): ChainHead {
    return this.#head;
  }

  /** Reads the current state of the ledger; throws `ledger-broken` if anything is wrong with it. Within a transaction. */
  async refresh(): Promise<void> {
    this.#forgetAdded();
    const [problem] = await this.#store.schemaProblems();
    if (problem !== undefined) throw new Refusal("ledger-broken", problem);
    const head = await this.#storedHead();
    if (!(await this.#isLater(head))) throw ledgerReplaced(gone(this.#seen));
    const isKnown = this.#derived !== undefined && isSame(head, this.#head);
    this.#head = head;
    this.#stored = head;
    if (!isKnown) {
      this.#derived = undefined;
      const summarised = await this.#store.summarised();
      if (summarised !== undefined && isSame(summarised, head)) await this.#checkLast(head);
      else this.#derived = await this.#derive();
    }
    await this.#replayed?.advance(this.#store, head);
    this.#seen = head;
  }

  /** The transaction was committed, with all that it appended. */
  committed(): void {
    this.#seen = this.#head;
  }

  /** Whether the last entry that was seen is still there. */
  async #isLater(head: ChainHead): Promise<boolean> {
    const { sequence, hash } = this.#seen;
    if (isSame(head, this.#seen) || sequence === 0) return true;
    return head.sequence > sequence && (await this.hashAt(sequence)) === hash;
  }

  /** Stores the summaries with the log, for a ledger with outdated ones. */
  async store(): Promise<void> {
    if (this.#derived === undefined) return;
    const { accounts, places } = this.#derived;
    await this.#store.keepAnew({
      accounts: [...accounts].map(([key, summary]) => [key, canonicalJson(summary)]),
      places,
      head: this.#head,
    });
    this.#derived = undefined;
  }

  /** The summary of a data set's account, or of an analyst's share of it. Undefined without entries. */
  summaryOf(dataset: string, analyst?: string): Promise<AccountSummary | undefined> {
    return this.#summary(accountKey(dataset, analyst));
  }

  async #summary(key: string): Promise<AccountSummary | undefined> {
    const changed = this.#changed.get(key);
    if (changed !== undefined) return changed;
    if (this.#derived !== undefined) return this.#derived.accounts.get(key);
    if (this.#checked.has(key)) return this.#checked.get(key);
    const text = await this.#store.summaryOf(key);
    const summary = text === undefined ? undefined : readSummary(text);
    this.#replayed?.check(key, summary, this.#stored);
    this.#checked.set(key, summary);
    return summary;
  }

  /** In the order of their first entry. */
  async datasets(): Promise<string[]> {
    return (await this.#accounts()).filter((key) => !key.startsWith("[")).map(readText);
  }

  async #accounts(): Promise<string[]> {
    const stored =
      this.#derived === undefined ? await this.#store.accounts() : [...this.#derived.accounts.keys()];
    return this.#changed.size === 0 ? stored : [...new Set([...stored, ...this.#changed.keys()])];
  }

  /** The data set whose source had this mark. */
  async marked(mark: string): Promise<string | undefined> {
    const dataset = await this.#store.marked(mark);
    return dataset === undefined ? undefined : readText(dataset);
  }

  /** The row of a release id, with its hash checked. */
  find(id: string): Promise<ChainRow | undefined> {
    return this.#found(releaseKey(id));
  }

  /** The row of the reservation for a release id. */
  findReservation(id: string): Promise<ChainRow | undefined> {
    return this.#found(reservationKey(id));
  }

  async #found(key: string): Promise<ChainRow | undefined> {
    const sequence =
      this.#addedPlaces.get(key) ??
      (this.#derived === undefined ? await this.#store.placeOf(key) : this.#derived.places.get(key));
    return sequence === undefined ? undefined : this.#row(sequence);
  }

  /** The rows of an analyst's releases, the newest first, from those before the entry with a number. */
  own(analyst: string, before: number, limit: number): Promise<ChainRow[]> {
    return this.#between(ownKey(analyst, 0), ownKey(analyst, before), limit);
  }

  /** The rows of the entries with keys, the newest first. */
  keys(): Promise<ChainRow[]> {
    return this.#between(keyPlace(0), keyPlace(Number.MAX_SAFE_INTEGER), MOST_KEYS);
  }

  async #between(first: string, end: string, limit: number): Promise<ChainRow[]> {
    const places =
      this.#derived === undefined
        ? await this.#store.placesBetween(first, end, limit)
        : [...this.#derived.places]
            .filter(([key]) => key > first && key < end)
            .map(([, sequence]) => sequence)
            .sort((a, b) => b - a)
            .slice(0, limit);
    const rows: ChainRow[] = [];
    for (const sequence of places) rows.push(await this.#row(sequence));
    return rows;
  }

  /** The rows after a link, some hundreds of them, and up to a later one; verified to follow each other. */
  async page(after: ChainHead, end: ChainHead): Promise<ChainRow[]> {
    const rows = await this.#store.rowsAfter(
      after.sequence,
      Math.min(ROWS_AT_ONCE, end.sequence - after.sequence),
    );
    const isLast = rows.at(-1)?.sequence === end.sequence;
    refuseBroken(await verifyChain(rows, { after, head: isLast || rows.length === 0 ? end : undefined }));
    return rows;
  }

  /** The hash of the entry with this number, if there is one. */
  async hashAt(sequence: number): Promise<string | undefined> {
    return (await this.#store.row(sequence))?.hash;
  }

  /** The row that an entry becomes after the head, with a time that isn't before that of the last entry. */
  async rowOf(entry: NewEntry): Promise<ChainRow> {
    const { sequence } = this.#head;
    if (sequence === 0) return chain(entry, this.#head);
    const last = timeOf(this.#added.at(-1)?.entry ?? readEntry((await this.#row(sequence)).text));
    return chain(inOrderOfTime(entry, last), this.#head);
  }

  /** The head, after all rows up to it were verified. */
  async verifiedHead(): Promise<ChainHead> {
    refuseBroken(await this.verify());
    return this.#head;
  }

  /** Checks all rows. Within a transaction. */
  async verify(options: Omit<VerifyOptions, "head" | "after"> = {}): Promise<ChainReport> {
    return verifyChain(this.#rows(), { ...options, head: await this.#storedHead() });
  }

  /** Whether it went back while it was in use. */
  async verifySeen(): Promise<Finding[]> {
    const { sequence } = this.#seen;
    if (await this.#isLater(await this.#storedHead())) return [];
    const sentence = `The ledger was rolled back to an older copy, or is another one: ${gone(this.#seen)}.`;
    return [{ kind: "rolled-back", sequence, sentence }];
  }

  /** Tables and triggers that are missing, or not ours. */
  async verifySchema(): Promise<Finding[]> {
    const { sequence } = await this.#storedHead();
    return (await this.#store.schemaProblems()).map((sentence) => ({ kind: "schema", sequence, sentence }));
  }

  /** The faults of the data stored with the log, given the totals of its entries. */
  async verifyKept(derived: Derived): Promise<Finding[]> {
    const { sequence } = await this.#storedHead();
    this.#derived = undefined;
    const sentence = "The stored totals differ from the totals of the entries.";
    return (await this.#isKept(derived)) ? [] : [{ kind: "totals", sequence, sentence }];
  }

  async #isKept({ accounts, places }: Derived): Promise<boolean> {
    if ((await this.#accounts()).length !== accounts.size) return false;
    for (const [key, summary] of accounts) {
      const kept = await this.#summary(key);
      if (kept === undefined || canonicalJson(kept) !== canonicalJson(summary)) return false;
    }
    for (let last = "", count = 0; ; ) {
      const rows = await this.#store.placesAfter(last, ROWS_AT_ONCE);
      if (rows.some(([key, place]) => places.get(key) !== place)) return false;
      count += rows.length;
      if (rows.length < ROWS_AT_ONCE) return count === places.size;
      [last] = rows.at(-1)!;
    }
  }

  /** The database's own check of its pages. */
  async checkStore(): Promise<void> {
    if (await this.#store.isDamaged())
      throw new Refusal("ledger-broken", "The file of the ledger is damaged.");
  }

  /**
   * Adds a row that follows the head. Within a transaction that writes, after `refresh` and `store`; it is in the store after `flush`, and
   * everything that is read here knows it before.
   */
  async add(row: VerifiedRow, mark?: string): Promise<void> {
    if (mark !== undefined) await this.flush(); // a mark is that of the first entry
    const keys = placesOf(row.entry);
    await this.#count(row.entry);
    this.#added.push(row);
    for (const key of keys) this.#addedPlaces.set(key, row.row.sequence);
    this.#head = { sequence: row.row.sequence, hash: row.row.hash };
    if (mark !== undefined) await this.flush(mark);
  }

  /** Stores what was added, in one statement where the store has one. */
  async flush(mark?: string): Promise<void> {
    if (this.#added.length === 0) return;
    await this.#store.append(
      this.#added.map(({ row, entry }) => ({ row, keys: placesOf(entry) })),
      { accounts: [...this.#changed].map(([key, summary]) => [key, canonicalJson(summary)]), mark },
    );
    this.#forgetAdded();
    this.#stored = this.#head; // the stored totals are those of the head from now on
  }

  #forgetAdded(): void {
    this.#added = [];
    this.#changed.clear();
    this.#addedPlaces.clear();
    this.#checked.clear();
  }

  /** Counts an entry in its account, and in the shares that it changes: that of its analyst, or for a budget those that were counted as less than all. */
  async #count(entry: LedgerEntry): Promise<void> {
    if (!hasDataset(entry)) return;
    const dataset = accountKey(datasetOf(entry));
    this.#changed.set(dataset, summarise((await this.#summary(dataset)) ?? EMPTY_SUMMARY, entry));
    const shares = entry.kind === "budget" ? sharesIn(await this.#accounts(), entry.dataset) : shareOf(entry);
    for (const key of shares) {
      const share = await this.#summary(key);
      const after = summariseShare(share ?? EMPTY_SUMMARY, entry);
      if (after !== share) this.#changed.set(key, after);
    }
  }

  async #checkLast({ sequence, hash }: ChainHead): Promise<void> {
    if ((await this.#store.lastSequence()) !== sequence)
      throw new Refusal("ledger-broken", "The head of the ledger isn't its last entry.");
    if (sequence > 0 && (await this.#row(sequence)).hash !== hash)
      throw new Refusal("ledger-broken", `Entry ${sequence} was changed: its hash does not match.`);
  }

  async #derive(): Promise<Derived> {
    const derived = nothingDerived();
    refuseBroken(await this.verify({ onEntry: (entry) => addTo(derived, entry) }));
    return derived;
  }

  async #row(sequence: number): Promise<ChainRow> {
    const [first] = this.#added;
    if (first !== undefined && sequence >= first.row.sequence)
      return this.#added[sequence - first.row.sequence]!.row;
    const row = await this.#store.row(sequence);
    if (row === undefined || (await hashText(row.text)) !== row.hash)
      throw new Refusal("ledger-broken", `Entry ${sequence} was changed: its hash does not match.`);
    return row;
  }

  async *#rows(): AsyncGenerator<ChainRow> {
    for (let last = -1; ; ) {
      const rows = await this.#store.rowsAfter(last, ROWS_AT_ONCE);
      yield* rows;
      if (rows.length < ROWS_AT_ONCE) return;
      last = rows.at(-1)!.sequence;
    }
  }

  /** The last rows, oldest first: pages are read until there are `most` rows, or `longest` characters of them. */
  async lastRows(most: number, longest: number): Promise<readonly ChainRow[]> {
    const pages: ChainRow[][] = [];
    let [end, rows, length] = [this.#head.sequence, 0, 0];
    while (end > 0 && rows < most && length < longest) {
      const from = Math.max(0, end - ROWS_OF_THE_END);
      const page = await this.#store.rowsAfter(from, end - from);
      pages.unshift(page);
      rows += page.length;
      length += page.reduce((sum, { text }) => sum + text.length, 0);
      end = from;
    }
    return pages.flat();
  }

  async #storedHead(): Promise<ChainHead> {
    const head = await this.#store.head();
    if (head === undefined) throw new Refusal("ledger-broken", "The ledger is missing its head.");
    return head;
  }
}

function refuseBroken({ findings: [finding] }: ChainReport): void {
  if (finding !== undefined) throw new Refusal("ledger-broken", finding.sentence);
}

function gone({ sequence }: ChainHead): string {
  return `entry ${sequence}, which was there, isn't there any more`;
}

function isSame(one: ChainHead, other: ChainHead): boolean {
  return one.sequence === other.sequence && one.hash === other.hash;
}

function readSummary(text: string): AccountSummary {
  const summary = parsed(text) as AccountSummary | undefined;
  const isWhole =
    Array.isArray(summary?.charges) && Array.isArray(summary.units) && canonicalJson(summary) === text;
  if (!isWhole) throw keptBroken();
  return summary;
}

function readText(text: string): string {
  const value = parsed(text);
  if (typeof value !== "string") throw keptBroken();
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw keptBroken();
  }
}

function keptBroken(): Refusal {
  return new Refusal("ledger-broken", "The stored totals can't be read.");
}
