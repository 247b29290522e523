/**
 * The ledger of a file: accounts of data sets, stored releases and their chain. A release is admitted, chained and
 * committed in one transaction that holds the write lock from its first read on; only then is it handed back to be
 * printed. So several runs at once never overspend, and a run that dies has printed nothing that is not recorded.
 * @module
 */
import { type Loss, lossFromJson } from "winnow-dp";
import {
  Account,
  type Asked,
  type BudgetJson,
  type ChainReport,
  type ChainRow,
  canonicalJson,
  chain,
  datasetOf,
  isReleaseId,
  type LedgerEntry,
  LedgerError,
  type NewEntry,
  type PublishedRelease,
  type RecordedRelease,
  type Release,
  type ReleaseEntry,
  readEntry,
  replay,
} from "winnow-release";
import { Refusal } from "../refusal.js";
import { SOFTWARE } from "../this-package.js";
import { type Connection, ledgerRefusal } from "./connection.js";

import { StoredLog } from "./stored-log.js";

/** A release and its place in the ledger. */
type Recorded<R extends RecordedRelease> = R & Pick<PublishedRelease, "ledger">;

export class Ledger {
  readonly path: string;
  readonly #connection: Connection;
  readonly #log: StoredLog;
  /** Work on one connection is done one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, connection: Connection) {
    this.path = path;
    this.#connection = connection;
    this.#log = new StoredLog(connection);
  }

  /** The account of a data set: budget, spent, remaining, how many more releases. */
  status(dataset: string): Promise<Account> {
    return this.#read(() => this.#account(dataset));
  }

  /** The names of all data sets, in the order of their first entry. */
  datasets(): Promise<string[]> {
    return this.#read(() => this.#datasets());
  }

  /** All entries, oldest first. */
  entries(): Promise<readonly LedgerEntry[]> {
    return this.#read(() => [...this.#log.entries]);
  }

  /** Throws `over-budget` if such a release would not be admitted now. */
  admits(dataset: string, loss: Loss, question?: unknown): Promise<void> {
    return this.#read(() => this.#account(dataset).admit(loss, question));
  }

  /** The release with this id, if it is stored; one that was asked for otherwise is `release-id-taken`. */
  find<R extends RecordedRelease = Release>(id: string, asked?: Asked): Promise<Recorded<R> | undefined> {
    return this.#read(() => this.#stored<R>(id, asked));
  }

  /**
   * Admits and records a release, or throws and records nothing. If a release with its id and its parameters is there
   * already, that one is the answer: the new one is dropped unseen and costs nothing.
   */
  async record<R extends RecordedRelease>(dataset: string, unnamed: R): Promise<Recorded<R>> {
    const release = { ...unnamed, dataset };
    checkReleaseId(release.id);
    return this.#write(async () => {
      const stored = this.#stored<R>(release.id, release);
      if (stored !== undefined) return stored;
      this.#account(dataset).admit(lossFromJson(release.loss), release.question);
      const row = await this.#append({ kind: "release", release });
      return published(readEntry<R>(row.text) as ReleaseEntry<R>, row.hash);
    });
  }

  /** Gives a data set its budget. Whether it is new: the same budget again changes nothing, another needs `replace`. */
  setBudget(dataset: string, budget: BudgetJson, { replace = false } = {}): Promise<boolean> {
    return this.#write(async () => {
      const account = this.#account(dataset);
      if (account.budgetJson !== undefined) {
        if (canonicalJson(account.budgetJson) === canonicalJson(budget)) return false;
        if (!replace) throw budgetExists(dataset);
      }
      account.admitBudget(budget);
      const time = new Date().toISOString();
      await this.#append({ kind: "budget", dataset, budget, time, software: SOFTWARE });
      return true;
    });
  }

  /** Checks the file, every entry from the first on, and that no account is overspent. */
  verify(against: readonly PublishedRelease[] = []): Promise<ChainReport> {
    return this.#inTurn("reading", async () => {
      this.#log.checkFile();
      const report = await this.#log.verify({ against });
      if (report.findings.length === 0) {
        await this.#log.refresh();
        for (const dataset of this.#datasets()) this.#account(dataset);
      }
      return report;
    });
  }

  close(): void {
    this.#connection.close();
  }

  #datasets(): string[] {
    return [...new Set(this.#log.entries.map(datasetOf))];
  }

  #account(dataset: string): Account {
    return new Account(
      dataset,
      this.#log.entries.filter((entry) => datasetOf(entry) === dataset),
    );
  }

  #stored<R extends RecordedRelease>(id: string, asked?: Asked): Recorded<R> | undefined {
    const entry = this.#log.entries.find((one) => one.kind === "release" && one.release.id === id);
    if (entry === undefined) return undefined;
    if (asked !== undefined) replay((entry as ReleaseEntry<R>).release, asked);
    return published(entry as ReleaseEntry<R>, this.#hashOf(entry));
  }

  /** The next entry names it; the last one's is the head. */
  #hashOf({ sequence }: LedgerEntry): string {
    const { entries, head } = this.#log;
    return entries[sequence]?.previous ?? head.hash;
  }

  async #append(entry: NewEntry): Promise<ChainRow> {
    const row = await chain(entry, this.#log.head);
    this.#log.append(row);
    return row;
  }

  #read<T>(work: () => T): Promise<T> {
    return this.#inTurn("reading", async () => {
      await this.#log.refresh();
      return work();
    });
  }

  #write<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn("writing", async () => {
      await this.#log.refresh();
      return work();
    });
  }

  async #inTurn<T>(mode: "reading" | "writing", work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(() => this.#connection[mode](work));
    this.#turn = mine.catch(() => {});
    try {
      return await mine;
    } catch (error) {
      throw ledgerRefusal(this.path, error);
    }
  }
}

/** As it is stored, so that the first print and every later one are the same. */
function published<R extends RecordedRelease>(
  { release, sequence }: ReleaseEntry<R>,
  head: string,
): Recorded<R> {
  return { ...release, ledger: { sequence, head } };
}

function checkReleaseId(id: string): void {
  if (!isReleaseId(id))
    throw new Refusal(
      "usage",
      "A release id must be 1 to 200 visible characters without spaces around them.",
    );
}

function budgetExists(dataset: string): LedgerError {
  return new LedgerError(
    "budget-exists",
    `The data set ${JSON.stringify(dataset)} has another budget already.`,
  );
}
