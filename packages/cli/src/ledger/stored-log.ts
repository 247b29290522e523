/**
 * The log of a ledger file, and the data stored with it: the summary of each account and the place of each release id,
 * written in the transaction that appends an entry. So a charge reads the last entry and one summary, however long the
 * log is. The stored data is derived from the log alone; `verify` and `entries` read the whole log.
 *
 * Before every use Winnow checks the cheap signs of tampering: the schema with its triggers, the head, the last entry and
 * its hash, and whether the summaries belong to the head. If they don't (someone appended without Winnow, or the ledger
 * is of the first version), Winnow verifies the whole log and summarises it again.
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
import type { Connection, Row } from "./connection.js";
import { migration, schemaProblems } from "./ledger-schema.js";

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
  readonly #connection: Connection;
  #head: ChainHead = EMPTY_CHAIN;
  /** If the file has no summaries for its head. */
  #derived: Derived | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** As of the last `refresh`. */
  get head(): ChainHead {
    return this.#head;
  }

  /** Reads the current state of the file; throws `ledger-broken` if anything is wrong with it. Within a transaction. */
  async refresh(): Promise<void> {
    const [problem] = schemaProblems(this.#connection);
    if (problem !== undefined) throw new LedgerError("ledger-broken", problem);
    const head = this.#storedHead();
    const isKnown = this.#derived !== undefined && isSame(head, this.#head);
    this.#head = head;
    if (isKnown) return;
    this.#derived = undefined;
    if (this.#isSummarised(head)) await this.#checkLast(head);
    else this.#derived = await this.#derive();
  }

  /** Stores the summaries with the log, for a ledger of the first version or one with outdated summaries. */
  async store(): Promise<void> {
    if (!this.#hasSummaries()) this.#connection.exec(migration());
    if (this.#derived === undefined) return;
    const { accounts, places } = this.#derived;
    this.#connection.exec("DELETE FROM accounts; DELETE FROM releases");
    for (const [dataset, summary] of accounts) this.#keepAccount(dataset, summary);
    for (const [id, sequence] of places) this.#keepPlace(id, sequence);
    this.#keepHead(this.#head);
    this.#derived = undefined;
  }

  /** Undefined for a data set without entries. */
  summaryOf(dataset: string): AccountSummary | undefined {
    if (this.#derived !== undefined) return this.#derived.accounts.get(dataset);
    const [row] = this.#connection.all(
      `SELECT ${bytes("summary")} FROM accounts WHERE dataset = ?`,
      JSON.stringify(dataset),
    );
    return row === undefined ? undefined : readSummary(textOf(row.summary));
  }

  /** In the order of their first entry. */
  datasets(): string[] {
    if (this.#derived !== undefined) return [...this.#derived.accounts.keys()];
    const rows = this.#connection.all(`SELECT ${bytes("dataset")} FROM accounts ORDER BY place`);
    return rows.map((row) => readText(textOf(row.dataset)));
  }

  /** The row of a release id, with its hash checked. */
  find(id: string): Promise<ChainRow | undefined> {
    return this.#found(id);
  }

  /** The row of the reservation for a release id. */
  findReservation(id: string): Promise<ChainRow | undefined> {
    return this.#found(reservationKey(id));
  }

  async #found(id: string): Promise<ChainRow | undefined> {
    const sequence = this.#derived === undefined ? this.#placeOf(id) : this.#derived.places.get(id);
    return sequence === undefined ? undefined : this.#row(sequence);
  }

  /** All rows, verified from the first on. */
  async rows(): Promise<ChainRow[]> {
    const [finding] = (await this.verify()).findings;
    if (finding !== undefined) throw new LedgerError("ledger-broken", finding.sentence);
    return [...this.#rows()];
  }

  /** The hash of the entry with this number, if there is one. */
  hashAt(sequence: number): string | undefined {
    const [row] = this.#connection.all(`SELECT ${bytes("hash")} FROM log WHERE sequence = ?`, sequence);
    return row === undefined ? undefined : textOf(row.hash);
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
  verify(options: Omit<VerifyOptions, "head" | "after"> = {}): Promise<ChainReport> {
    return verifyChain(this.#rows(), { ...options, head: this.#storedHead() });
  }

  /** Tables and triggers that are missing, or not ours. */
  verifySchema(): Finding[] {
    const { sequence } = this.#storedHead();
    return schemaProblems(this.#connection).map((sentence) => ({ kind: "schema", sequence, sentence }));
  }

  /**
   * The faults of the data stored with the log, given the totals of its entries; a ledger of the first version stores
   * none.
   */
  verifyKept({ accounts, places }: Derived): Finding[] {
    const { sequence } = this.#storedHead();
    if (!this.#hasSummaries()) return [];
    this.#derived = undefined;
    const isKept =
      this.datasets().length === accounts.size &&
      [...accounts].every(
        ([name, summary]) => canonicalJson(this.summaryOf(name)) === canonicalJson(summary),
      ) &&
      this.#countPlaces() === places.size &&
      [...places].every(([id, place]) => this.#placeOf(id) === place);
    const sentence = "The stored totals differ from the totals of the entries.";
    return isKept ? [] : [{ kind: "totals", sequence, sentence }];
  }

  /** SQLite's own check of its pages. */
  checkFile(): void {
    const [{ integrity_check: result }] = this.#connection.all("PRAGMA integrity_check(1)");
    if (result !== "ok") throw new LedgerError("ledger-broken", "The file of the ledger is damaged.");
  }

  /** Within a transaction that writes, after `refresh` and `store`. */
  append({ sequence, hash, text }: ChainRow, entry: LedgerEntry): void {
    this.#connection.run("INSERT INTO log (sequence, hash, text) VALUES (?, ?, ?)", sequence, hash, text);
    const dataset = datasetOf(entry);
    this.#keepAccount(dataset, summarise(this.summaryOf(dataset) ?? EMPTY_SUMMARY, entry));
    const key = placeKey(entry);
    if (key !== undefined) this.#keepPlace(key, sequence);
    this.#head = { sequence, hash };
    this.#keepHead(this.#head);
  }

  #isSummarised(head: ChainHead): boolean {
    if (!this.#hasSummaries()) return false;
    const [row] = this.#connection.all(
      `SELECT CAST(sequence AS INTEGER) AS sequence, ${bytes("hash")} FROM summarised`,
    );
    return row !== undefined && isSame({ sequence: Number(row.sequence), hash: textOf(row.hash) }, head);
  }

  async #checkLast({ sequence, hash }: ChainHead): Promise<void> {
    const [last] = this.#connection.all("SELECT max(sequence) AS sequence FROM log");
    if (Number(last?.sequence ?? 0) !== sequence)
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
    const [found] = this.#connection.all(
      `SELECT sequence, ${bytes("hash")}, ${bytes("text")} FROM log WHERE sequence = ?`,
      sequence,
    );
    const row = found === undefined ? undefined : readRow(found);
    if (row === undefined || (await hashText(row.text)) !== row.hash)
      throw new LedgerError("ledger-broken", `Entry ${sequence} was changed: its hash does not match.`);
    return row;
  }

  *#rows(): Generator<ChainRow> {
    for (let last = -1; ; ) {
      const rows = this.#connection.all(
        `SELECT sequence, ${bytes("hash")}, ${bytes("text")} FROM log WHERE sequence > ? ORDER BY sequence LIMIT ${ROWS_AT_ONCE}`,
        last,
      );
      for (const row of rows) yield readRow(row);
      if (rows.length < ROWS_AT_ONCE) return;
      last = Number(rows.at(-1)!.sequence);
    }
  }

  #hasSummaries(): boolean {
    return this.#connection.all("SELECT 1 FROM sqlite_master WHERE name = 'summarised'").length > 0;
  }

  #placeOf(id: string): number | undefined {
    const [row] = this.#connection.all("SELECT sequence FROM releases WHERE id = ?", JSON.stringify(id));
    return row === undefined ? undefined : Number(row.sequence);
  }

  #countPlaces(): number {
    return Number(this.#connection.all("SELECT count(*) AS n FROM releases")[0]?.n);
  }

  #keepAccount(dataset: string, summary: AccountSummary): void {
    this.#connection.run(
      `INSERT INTO accounts (dataset, place, summary) VALUES (?, (SELECT coalesce(max(place), 0) + 1 FROM accounts), ?)
        ON CONFLICT (dataset) DO UPDATE SET summary = excluded.summary`,
      JSON.stringify(dataset),
      canonicalJson(summary),
    );
  }

  #keepPlace(id: string, sequence: number): void {
    this.#connection.run(
      "INSERT OR IGNORE INTO releases (id, sequence) VALUES (?, ?)",
      JSON.stringify(id),
      sequence,
    );
  }

  #keepHead({ sequence, hash }: ChainHead): void {
    this.#connection.run("INSERT OR REPLACE INTO summarised VALUES (1, ?, ?)", sequence, hash);
  }

  #storedHead(): ChainHead {
    const [head] = this.#connection.all(
      `SELECT CAST(sequence AS INTEGER) AS sequence, ${bytes("hash")} FROM head`,
    );
    if (head === undefined) throw new LedgerError("ledger-broken", "The ledger is missing its head.");
    return { sequence: Number(head.sequence), hash: textOf(head.hash) };
  }
}

function isSame(one: ChainHead, other: ChainHead): boolean {
  return one.sequence === other.sequence && one.hash === other.hash;
}

/** A damaged file may contain bytes that aren't text, which would crash the driver: so bytes are fetched as digits. */
function bytes(column: string): string {
  return `hex(${column}) AS ${column}`;
}

function readRow(row: Row): ChainRow {
  return { sequence: Number(row.sequence), hash: textOf(row.hash), text: textOf(row.text) };
}

/** Text that isn't UTF-8 is decoded with changes, so it doesn't match its hash. */
function textOf(digits: unknown): string {
  return Buffer.from(String(digits), "hex").toString("utf8");
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
