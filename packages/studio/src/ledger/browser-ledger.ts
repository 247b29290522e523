/**
 * The ledger of this browser: the rules of the command line's, with IndexedDB for storage. One tab at a time reads it,
 * decides and writes (a Web Lock), and the write itself looks at the last row again. What is gone, broken or cannot be
 * stored is never taken for empty: it refuses.
 *
 * What it cannot see: storage that is wiped together with the memory of it, as when all data of the site are cleared, and a
 * whole profile put back to an older copy. Every release carries its place in the chain, so a release that was published
 * shows it (`winnow budget verify --against`).
 * @module
 */
import { lossFromJson } from "winnow-dp";
import {
  Account,
  type Asked,
  type BudgetJson,
  type ChainHead,
  canonicalJson,
  chain,
  datasetOf,
  EMPTY_CHAIN,
  type LedgerEntry,
  LedgerError,
  type NewEntry,
  type Release,
  readEntry,
  readRelease,
  releaseLoss,
  replay,
  verifyChain,
} from "winnow-release";
import type { SOFTWARE } from "../worker/published.js";
import { StudioRefusal } from "../worker/studio-refusal.js";
import { LedgerDatabase, withLedgerLock } from "./ledger-database.js";

import { headText, type LedgerMemory, readHead } from "./ledger-memory.js";

type Recorded = Omit<Release, "ledger">;
type Entry = LedgerEntry<Recorded>;
type ReleaseRow = Extract<Entry, { kind: "release" }>;

export class BrowserLedger {
  readonly #memory: LedgerMemory;
  /** What was verified so far; the hash of entry n is at n. */
  #entries: Entry[] = [];
  #hashes: string[] = [EMPTY_CHAIN.hash];

  constructor(memory: LedgerMemory) {
    this.#memory = memory;
  }

  /** Budget and charges of a data set; without a budget, the account of a data set that nobody has met. */
  account(dataset: string): Promise<Account> {
    return this.#locked(async () => this.#accountOf(dataset));
  }

  /** The names of the data sets that have a budget, in the order in which they got it. */
  datasets(): Promise<string[]> {
    return this.#locked(async () => [
      ...new Set(this.#entries.filter(({ kind }) => kind === "budget").map(datasetOf)),
    ]);
  }

  /** Every release of a data set with its place in the chain, oldest first. */
  releases(dataset: string): Promise<Release[]> {
    return this.#locked(async () => {
      const about = this.#entries.filter((entry) => datasetOf(entry) === dataset);
      return about.filter(isRelease).map((entry) => this.#published(entry));
    });
  }

  /** The same budget again changes nothing; another is refused. */
  setBudget(dataset: string, budget: BudgetJson, time: string, software: typeof SOFTWARE): Promise<Account> {
    return this.#locked(async (database) => {
      const account = this.#accountOf(dataset);
      if (account.budgetJson !== undefined) {
        if (canonicalJson(account.budgetJson) === canonicalJson(budget)) return account;
        throw new LedgerError("budget-exists", `${JSON.stringify(dataset)} has another budget already.`);
      }
      account.admitBudget(budget);
      await this.#append(database, { kind: "budget", dataset, time, software, budget });
      return this.#accountOf(dataset);
    });
  }

  /** The account of a data set, and the release that has this id, if it answers what is asked; if not, a refusal. */
  look(
    id: string,
    asked: Asked,
  ): Promise<{ readonly account: Account; readonly stored: Release | undefined }> {
    return this.#locked(async () => ({
      account: this.#accountOf(asked.dataset),
      stored: this.#find(id, asked),
    }));
  }

  /** Admits the charge, stores it with the answer, and only then gives the release to whoever asked. */
  record(release: Recorded): Promise<{ readonly account: Account; readonly release: Release }> {
    return this.#locked(async (database) => {
      const account = this.#accountOf(release.dataset);
      const stored = this.#find(release.id, release);
      if (stored !== undefined) return { account, release: stored };
      if (account.budget === undefined)
        throw new StudioRefusal("no-budget", `${JSON.stringify(release.dataset)} has no budget yet.`);
      const charge = account.chargeFor(release.question, release.answer);
      account.admit(charge?.reserved ?? lossFromJson(release.loss), release.question);
      const counted = charge && {
        reserved: releaseLoss(charge.reserved),
        settled: releaseLoss(charge.settled),
      };
      const charged = counted === undefined ? release : { ...release, charge: counted };
      await this.#append(database, { kind: "release", release: charged });
      const row = this.#entries.at(-1) as ReleaseRow;
      return { account: this.#accountOf(release.dataset), release: this.#published(row) };
    });
  }

  #locked<T>(work: (database: LedgerDatabase) => Promise<T>): Promise<T> {
    return withLedgerLock(async () => {
      const database = await LedgerDatabase.open();
      try {
        await this.#catchUp(database);
        return await work(database);
      } finally {
        database.close();
      }
    });
  }

  /** Reads what other tabs added, and checks it against what is known and remembered. */
  async #catchUp(database: LedgerDatabase): Promise<void> {
    const known = this.#head;
    const { rows, size } = await readOrUnknown(database, Math.max(known.sequence, 1));
    if (known.sequence > 0 && rows.shift()?.hash !== known.hash)
      throw unknown("its rows are gone or were changed");
    const added: Entry[] = [];
    const onEntry = (entry: LedgerEntry) => added.push(entry as Entry);
    const { findings } = await verifyChain(rows, { after: known, onEntry });
    const isWhole = size === known.sequence + rows.length;
    if (findings.length > 0 || !isWhole) throw unknown("its chain of entries is broken");
    this.#entries.push(...added);
    this.#hashes.push(...rows.map(({ hash }) => hash));
    await this.#compareWithMemory();
  }

  async #compareWithMemory(): Promise<void> {
    const text = await this.#memory.read();
    if (text === null) return;
    const head = readHead(text);
    if (head === undefined || this.#hashes[head.sequence] !== head.hash)
      throw unknown("the browser has removed it, or part of it");
  }

  async #append(database: LedgerDatabase, entry: NewEntry): Promise<void> {
    const head = this.#head;
    const row = await chain(entry, head);
    await database.append(row, head);
    this.#entries.push(readEntry<Recorded>(row.text));
    this.#hashes.push(row.hash);
    await this.#memory.write(headText(this.#head));
  }

  get #head(): ChainHead {
    return { sequence: this.#entries.length, hash: this.#hashes[this.#entries.length]! };
  }

  #accountOf(dataset: string): Account {
    return new Account(
      dataset,
      this.#entries.filter((entry) => datasetOf(entry) === dataset),
    );
  }

  #find(id: string, asked: Asked): Release | undefined {
    const stored = this.#entries.filter(isRelease).find(({ release }) => release.id === id);
    if (stored === undefined) return undefined;
    replay(stored.release, asked);
    return this.#published(stored);
  }

  /** Read as strictly as if somebody else had written it. */
  #published({ release, sequence }: ReleaseRow): Release {
    return readRelease(JSON.stringify({ ...release, ledger: { sequence, head: this.#hashes[sequence]! } }));
  }
}

async function readOrUnknown(database: LedgerDatabase, from: number) {
  try {
    return { rows: await database.rowsFrom(from), size: await database.size() };
  } catch {
    throw unknown("the browser cannot read it");
  }
}

function isRelease(entry: Entry): entry is ReleaseRow {
  return entry.kind === "release";
}

function unknown(what: string): StudioRefusal {
  return new StudioRefusal(
    "ledger-unknown",
    `What was spent before is unknown: there was a ledger, and ${what}.`,
  );
}
