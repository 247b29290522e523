/**
 * The log of a ledger, and the data stored with it: the summary of each account and the place of each release id,
 * written in the transaction that appends an entry. So a charge reads the last entry and one summary, however long the
 * log is. The stored data is derived from the log alone; `verify` and `entries` read the whole log.
 *
 * Before every use Winnow checks the cheap signs of tampering: the schema with its triggers, the head, the last entry and
 * its hash, and whether the summaries belong to the head. If they don't (someone appended without Winnow, or the ledger
 * is of the first version), Winnow verifies the whole log and summarises it again.
 *
 * `Store` is what the ledger needs of the database that keeps it. `Ledger` and `StoredLog` hold the rules and know nothing
 * else about a database, so a ledger follows the same rules in a SQLite file and on a PostgreSQL server. A transaction that
 * writes has the ledger to itself from its first read on, and is on disk when it returns. A store that can lose its
 * connection runs the work of a transaction again when it doesn't know whether the first attempt was committed, so the work
 * must look whether it is already done: a release is looked up by its id.
 * @module
 */
import {
  type AccountSummary,
  type ChainHead,
  type ChainReport,
  type ChainRow,
  canonicalJson,
  datasetOf,
  EMPTY_CHAIN,
  EMPTY_SUMMARY,
  type Finding,
  hashText,
  type LedgerEntry,
  LedgerError,
  summarise,
  type VerifyOptions,
  verifyChain,
} from "winnow-release";

/** What is stored with an entry. Names and ids are stored as JSON, which every database can store. */
export interface Kept {
  readonly dataset: string;
  /** The summary of the data set's account after the entry. */
  readonly summary: string;
  /** The name that the entry is found by, if it has one. */
  readonly key: string | undefined;
  /** The keyed mark of the source that was charged. */
  readonly mark: string | undefined;
}

/** What all entries add up to, to be kept in place of what is there. */
export interface KeptAnew {
  readonly accounts: Iterable<readonly [dataset: string, summary: string]>;
  readonly places: Iterable<readonly [key: string, sequence: number]>;
  readonly head: ChainHead;
}

/** A transaction ended without an answer: its work may have been recorded, or not. */
export class OutcomeUnknown extends Error {}

export interface Store {
  /** As sentences call it: the path of a file, or the address of a server without account and password. */
  readonly name: string;

  /** One look at one state of the ledger. */
  reading<T>(work: () => Promise<T>): Promise<T>;
  /** All of the work or nothing, and no one else writes in the meantime. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** The refusal for an error met while using the store; errors about something else are returned as they are. */
  refusal(error: unknown): unknown;

  // Within a transaction:

  /** Sentences about tables and triggers that are missing, or not Winnow's. */
  schemaProblems(): Promise<string[]>;
  /** Whether the database finds its own pages damaged. */
  isDamaged(): Promise<boolean>;
  /** The head, which is kept apart from the log, as of the start of the transaction. */
  head(): Promise<ChainHead | undefined>;
  /** The entry that the kept summaries include; undefined if there are none. */
  summarised(): Promise<ChainHead | undefined>;
  /** The number of the last entry, 0 if there is none. */
  lastSequence(): Promise<number>;
  row(sequence: number): Promise<ChainRow | undefined>;
  /** At most so many rows, in the order of their numbers. */
  rowsAfter(sequence: number, limit: number): Promise<ChainRow[]>;
  summaryOf(dataset: string): Promise<string | undefined>;
  /** In the order of their first entry. */
  datasets(): Promise<string[]>;
  placeOf(key: string): Promise<number | undefined>;
  /** At most so many keys after this one with their places, in the order of the keys' bytes. */
  placesAfter(key: string, limit: number): Promise<(readonly [key: string, sequence: number])[]>;
  /** The key of the marks of sources. */
  markKey(): Promise<string | undefined>;
  /** A data set whose source had this mark. */
  marked(mark: string): Promise<string | undefined>;

  // Within a transaction that writes:

  /** Brings the tables of an older version up to date. */
  migrate(): Promise<void>;
  append(row: ChainRow, kept: Kept): Promise<void>;
  keepAnew(derived: KeptAnew): Promise<void>;
}

/** The data stored with the log, by data set and by release id. */
export interface Derived {
  readonly accounts: Map<string, AccountSummary>;
  readonly places: Map<string, number>;
}

export function nothingDerived(): Derived {
  return { accounts: new Map(), places: new Map() };
}

/** Counts an entry, read in the order of the log; throws if its loss cannot be read. */
export function addTo({ accounts, places }: Derived, entry: LedgerEntry): void {
  const dataset = datasetOf(entry);
  accounts.set(dataset, summarise(accounts.get(dataset) ?? EMPTY_SUMMARY, entry));
  const key = placeKey(entry);
  if (key !== undefined && !places.has(key)) places.set(key, entry.sequence);
}

/** The name under which the place of an entry is stored; an id has no control characters. */
function placeKey(entry: LedgerEntry): string | undefined {
  if (entry.kind === "release") return entry.release.id;
  return entry.kind === "reservation" ? reservationKey(entry.id) : undefined;
}

function reservationKey(id: string): string {
  return `\0${id}`;
}

/** Rows fetched at once when the whole log is read. */
const ROWS_AT_ONCE = 1000;

export class StoredLog {
  readonly #store: Store;
  #head: ChainHead = EMPTY_CHAIN;
  /** If the store has no summaries for its head. */
  #derived: Derived | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** As of the last `refresh`. */
  get head(): ChainHead {
    return this.#head;
  }

  /** Reads the current state of the ledger; throws `ledger-broken` if anything is wrong with it. Within a transaction. */
  async refresh(): Promise<void> {
    const [problem] = await this.#store.schemaProblems();
    if (problem !== undefined) throw new LedgerError("ledger-broken", problem);
    const head = await this.#storedHead();
    const isKnown = this.#derived !== undefined && isSame(head, this.#head);
    this.#head = head;
    if (isKnown) return;
    this.#derived = undefined;
    const summarised = await this.#store.summarised();
    if (summarised !== undefined && isSame(summarised, head)) await this.#checkLast(head);
    else this.#derived = await this.#derive();
  }

  /** Stores the summaries with the log, for a ledger of the first version or one with outdated summaries. */
  async store(): Promise<void> {
    await this.#store.migrate();
    if (this.#derived === undefined) return;
    const { accounts, places } = this.#derived;
    await this.#store.keepAnew({
      accounts: [...accounts].map(([name, summary]) => [JSON.stringify(name), canonicalJson(summary)]),
      places: [...places].map(([key, sequence]) => [JSON.stringify(key), sequence]),
      head: this.#head,
    });
    this.#derived = undefined;
  }

  /** Undefined for a data set without entries. */
  async summaryOf(dataset: string): Promise<AccountSummary | undefined> {
    if (this.#derived !== undefined) return this.#derived.accounts.get(dataset);
    const text = await this.#store.summaryOf(JSON.stringify(dataset));
    return text === undefined ? undefined : readSummary(text);
  }

  /** In the order of their first entry. */
  async datasets(): Promise<string[]> {
    if (this.#derived !== undefined) return [...this.#derived.accounts.keys()];
    return (await this.#store.datasets()).map(readText);
  }

  /** The data set whose source had this mark. */
  async marked(mark: string): Promise<string | undefined> {
    const dataset = await this.#store.marked(mark);
    return dataset === undefined ? undefined : readText(dataset);
  }

  /** The row of a release id, with its hash checked. */
  find(id: string): Promise<ChainRow | undefined> {
    return this.#found(id);
  }

  /** The row of the reservation for a release id. */
  findReservation(id: string): Promise<ChainRow | undefined> {
    return this.#found(reservationKey(id));
  }

  async #found(key: string): Promise<ChainRow | undefined> {
    const sequence = this.#derived === undefined ? await this.#placeOf(key) : this.#derived.places.get(key);
    return sequence === undefined ? undefined : this.#row(sequence);
  }

  /** All rows, verified from the first on. */
  async rows(): Promise<ChainRow[]> {
    const [finding] = (await this.verify()).findings;
    if (finding !== undefined) throw new LedgerError("ledger-broken", finding.sentence);
    const rows: ChainRow[] = [];
    for await (const row of this.#rows()) rows.push(row);
    return rows;
  }

  /** The hash of the entry with this number, if there is one. */
  async hashAt(sequence: number): Promise<string | undefined> {
    return (await this.#store.row(sequence))?.hash;
  }

  /** All entries, verified from the first on. */
  async entries(): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    const { findings } = await this.verify({ onEntry: (entry) => entries.push(entry) });
    const [finding] = findings;
    if (finding !== undefined) throw new LedgerError("ledger-broken", finding.sentence);
    return entries;
  }

  /** Checks all rows. Within a transaction. */
  async verify(options: Omit<VerifyOptions, "head" | "after"> = {}): Promise<ChainReport> {
    return verifyChain(this.#rows(), { ...options, head: await this.#storedHead() });
  }

  /** Tables and triggers that are missing, or not ours. */
  async verifySchema(): Promise<Finding[]> {
    const { sequence } = await this.#storedHead();
    return (await this.#store.schemaProblems()).map((sentence) => ({ kind: "schema", sequence, sentence }));
  }

  /**
   * The faults of the data stored with the log, given the totals of its entries; a ledger of the first version stores
   * none.
   */
  async verifyKept(derived: Derived): Promise<Finding[]> {
    const { sequence } = await this.#storedHead();
    if ((await this.#store.summarised()) === undefined) return [];
    this.#derived = undefined;
    const sentence = "The stored totals differ from the totals of the entries.";
    return (await this.#isKept(derived)) ? [] : [{ kind: "totals", sequence, sentence }];
  }

  async #isKept({ accounts, places }: Derived): Promise<boolean> {
    if ((await this.datasets()).length !== accounts.size) return false;
    for (const [name, summary] of accounts)
      if (canonicalJson(await this.summaryOf(name)) !== canonicalJson(summary)) return false;
    const expected = new Map([...places].map(([key, place]) => [JSON.stringify(key), place]));
    for (let last = "", count = 0; ; ) {
      const rows = await this.#store.placesAfter(last, ROWS_AT_ONCE);
      if (rows.some(([key, place]) => expected.get(key) !== place)) return false;
      count += rows.length;
      if (rows.length < ROWS_AT_ONCE) return count === expected.size;
      [last] = rows.at(-1)!;
    }
  }

  /** The database's own check of its pages. */
  async checkStore(): Promise<void> {
    if (await this.#store.isDamaged())
      throw new LedgerError("ledger-broken", "The file of the ledger is damaged.");
  }

  /** Within a transaction that writes, after `refresh` and `store`. */
  async append(row: ChainRow, entry: LedgerEntry, mark?: string): Promise<void> {
    const dataset = datasetOf(entry);
    const summary = summarise((await this.summaryOf(dataset)) ?? EMPTY_SUMMARY, entry);
    const key = placeKey(entry);
    await this.#store.append(row, {
      dataset: JSON.stringify(dataset),
      summary: canonicalJson(summary),
      key: key === undefined ? undefined : JSON.stringify(key),
      mark,
    });
    this.#head = { sequence: row.sequence, hash: row.hash };
  }

  async #checkLast({ sequence, hash }: ChainHead): Promise<void> {
    if ((await this.#store.lastSequence()) !== sequence)
      throw new LedgerError("ledger-broken", "The head of the ledger isn't its last entry.");
    if (sequence > 0 && (await this.#row(sequence)).hash !== hash)
      throw new LedgerError("ledger-broken", `Entry ${sequence} was changed: its hash does not match.`);
  }

  async #derive(): Promise<Derived> {
    const derived = nothingDerived();
    const [finding] = (await this.verify({ onEntry: (entry) => addTo(derived, entry) })).findings;
    if (finding !== undefined) throw new LedgerError("ledger-broken", finding.sentence);
    return derived;
  }

  async #row(sequence: number): Promise<ChainRow> {
    const row = await this.#store.row(sequence);
    if (row === undefined || (await hashText(row.text)) !== row.hash)
      throw new LedgerError("ledger-broken", `Entry ${sequence} was changed: its hash does not match.`);
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

  #placeOf(key: string): Promise<number | undefined> {
    return this.#store.placeOf(JSON.stringify(key));
  }

  async #storedHead(): Promise<ChainHead> {
    const head = await this.#store.head();
    if (head === undefined) throw new LedgerError("ledger-broken", "The ledger is missing its head.");
    return head;
  }
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

function keptBroken(): LedgerError {
  return new LedgerError("ledger-broken", "The stored totals can't be read.");
}
