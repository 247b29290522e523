/**
 * The log of a ledger file, read and checked. What was checked once is kept: the log only grows, so a second look reads
 * the new rows alone and checks that they follow. A log in which anything is found is not used at all.
 * @module
 */
import {
  type ChainHead,
  type ChainReport,
  type ChainRow,
  EMPTY_CHAIN,
  type LedgerEntry,
  LedgerError,
  type VerifyOptions,
  verifyChain,
} from "winnow-release";
import type { Connection, Row } from "./connection.js";

export class StoredLog {
  readonly #connection: Connection;
  readonly #entries: LedgerEntry[] = [];
  #head: ChainHead = EMPTY_CHAIN;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The entries as of the last `refresh`. */
  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  get head(): ChainHead {
    return this.#head;
  }

  /** Reads what is new; throws `ledger-broken` if anything is wrong with it. Within a transaction. */
  async refresh(): Promise<void> {
    const added: LedgerEntry[] = [];
    const report = await this.verify({ after: this.#head, onEntry: (entry) => added.push(entry) });
    const [finding] = report.findings;
    if (finding !== undefined) throw new LedgerError("ledger-broken", finding.sentence);
    for (const entry of added) this.#entries.push(entry);
    this.#head = report.head;
  }

  /** Checks the rows after a link, by default all. Within a transaction. */
  verify(options: Omit<VerifyOptions, "head"> = {}): Promise<ChainReport> {
    const { sequence } = options.after ?? EMPTY_CHAIN;
    const rows = this.#connection.all(
      `SELECT sequence, ${bytes("hash")}, ${bytes("text")} FROM log WHERE sequence > ? ORDER BY sequence`,
      sequence,
    );
    return verifyChain(rows.map(readRow), { ...options, head: this.#storedHead() });
  }

  /** SQLite's own check of its pages. */
  checkFile(): void {
    const [{ integrity_check: result }] = this.#connection.all("PRAGMA integrity_check(1)");
    if (result !== "ok") throw new LedgerError("ledger-broken", "The file of the ledger is damaged.");
  }

  /** Within a transaction that writes, after `refresh`. */
  append({ sequence, hash, text }: ChainRow): void {
    this.#connection.run("INSERT INTO log (sequence, hash, text) VALUES (?, ?, ?)", sequence, hash, text);
  }

  #storedHead(): ChainHead {
    const [head] = this.#connection.all(
      `SELECT CAST(sequence AS INTEGER) AS sequence, ${bytes("hash")} FROM head`,
    );
    if (head === undefined) throw new LedgerError("ledger-broken", "The ledger has lost its head.");
    return { sequence: Number(head.sequence), hash: textOf(head.hash) };
  }
}

/** Text of a damaged file may be no text, which ends the process inside the driver: its bytes are fetched, in digits. */
function bytes(column: string): string {
  return `hex(${column}) AS ${column}`;
}

function readRow(row: Row): ChainRow {
  return { sequence: Number(row.sequence), hash: textOf(row.hash), text: textOf(row.text) };
}

/** What is not UTF-8 comes out changed, and does not fit its hash. */
function textOf(digits: unknown): string {
  return Buffer.from(String(digits), "hex").toString("utf8");
}
