/**
 * The ledger of this browser: the rules of the command line's, with IndexedDB for storage. One tab at a time reads it,
 * decides and writes (a Web Lock), and the write itself looks at the last row again. A ledger that is gone, broken
 * or can't be stored is never taken for empty: its data sets are refused. Data sets that were never in it continue, in a
 * new book.
 *
 * It can't detect two things: storage that is wiped together with the memory of it, as when all data of the site are cleared,
 * and a whole profile that is reset to an older copy. Every release carries its place in the chain, so a release that was published
 * shows it (`winnow budget verify --against`). A ledger that was saved to a file can be restored from it.
 * @module
 */
import { lossFromJson } from "winnow-dp";
import {
  Account,
  type Asked,
  type BudgetJson,
  type ChainRow,
  type Charge,
  canonicalJson,
  compareChains,
  datasetOf,
  type NewEntry,
  Refusal,
  type Release,
  type ReleaseCharge,
  readEntry,
  releaseLoss,
  replay,
} from "winnow-release";
import type { SOFTWARE } from "../worker/published.js";
import { Book, type Entry, type Recorded, type ReleaseRow, unknown } from "./book.js";
import {
  type Books,
  booksText,
  browserShelf,
  FIRST_BOOK,
  type LedgerMemory,
  type Remembered,
  type RowStore,
  readBooks,
  type Shelf,
} from "./ledger-storage.js";

/** A book that cannot be relied on. */
interface LostBook {
  readonly why: string;
  /** Undefined if any data set could have been in it. */
  readonly datasets?: readonly string[];
  /** How many entries the browser remembers. */
  readonly entries: number;
}

export class BrowserLedger {
  readonly #memory: LedgerMemory;
  readonly #shelf: Shelf;
  readonly #books = new Map<string, Book>();
  /** As of the last look. */
  #remembered: Books = new Map();
  #lost = new Map<string, LostBook>();

  constructor(memory: LedgerMemory, shelf: Shelf = browserShelf) {
    this.#memory = memory;
    this.#shelf = shelf;
  }

  /** Budget and charges of a data set; without a budget, an empty account. */
  account(dataset: string): Promise<Account> {
    return this.#locked(async () => this.#accountOf(dataset));
  }

  /** The names of the data sets that have a budget, in the order in which they got it. */
  datasets(): Promise<string[]> {
    return this.#locked(async () => [
      ...new Set(
        this.#intact().flatMap(({ entries }) =>
          entries.filter(({ kind }) => kind === "budget").map(datasetOf),
        ),
      ),
    ]);
  }

  /** Books that cannot be relied on. */
  lost(): Promise<readonly LostBook[]> {
    return this.#locked(async () => [...this.#lost.values()]);
  }

  /** Every release of a data set with its place in the chain, oldest first; of those that a page can show. */
  releases(dataset: string): Promise<Release[]> {
    return this.#locked(async () => {
      const book = this.#bookOf(dataset);
      const about = book?.entries.filter(isAbout(dataset)) ?? [];
      return about.filter(isRelease).flatMap((entry) => shown(book!, entry));
    });
  }

  /** The release that was recorded last, of any data set. */
  last(): Promise<Release | undefined> {
    return this.#locked(async () => {
      const newest = this.#intact().flatMap((book) => {
        const entry = book.entries.findLast(isRelease);
        return entry === undefined ? [] : shown(book, entry);
      });
      return newest.sort((a, b) => (a.time < b.time ? 1 : -1))[0];
    });
  }

  /** The same budget again changes nothing; another is refused. */
  setBudget(dataset: string, budget: BudgetJson, time: string, software: typeof SOFTWARE): Promise<Account> {
    return this.#locked(async (use) => {
      const account = this.#accountOf(dataset);
      if (account.budgetJson !== undefined) {
        if (canonicalJson(account.budgetJson) === canonicalJson(budget)) return account;
        throw new Refusal("budget-exists", `${JSON.stringify(dataset)} has another budget already.`);
      }
      account.admitBudget(budget);
      await this.#append(use, dataset, { kind: "budget", dataset, time, software, budget });
      return this.#accountOf(dataset);
    });
  }

  /** The account of a data set, and the release with this id if there is one. Refuses if that answers another question. */
  look(
    id: string,
    asked: Asked,
  ): Promise<{ readonly account: Account; readonly stored: Release | undefined }> {
    return this.#locked(async () => ({
      account: this.#accountOf(asked.dataset),
      stored: this.#find(id, asked),
    }));
  }

  /** Admits the charge, stores it with the answer, and only then returns the release. */
  record(release: Recorded): Promise<{ readonly account: Account; readonly release: Release }> {
    return this.#locked(async (use) => {
      const { dataset } = release;
      const account = this.#accountOf(dataset);
      const stored = this.#find(release.id, release);
      if (stored !== undefined) return { account, release: stored };
      if (account.budget === undefined)
        throw new Refusal("no-budget", `${JSON.stringify(dataset)} has no budget yet.`);
      const charge = account.chargeFor(release.question, release.answer);
      account.admit(charge?.reserved ?? lossFromJson(release.loss), release.question);
      const charged = charge === undefined ? release : { ...release, charge: inWords(charge) };
      const book = await this.#append(use, dataset, { kind: "release", release: charged });
      return {
        account: this.#accountOf(dataset),
        release: book.published(book.entries.at(-1) as ReleaseRow),
      };
    });
  }

  /** All entries of the book that a data set is in, or of the newest one. */
  rows(dataset: string): Promise<readonly ChainRow[]> {
    return this.#locked(async () => (this.#bookOf(dataset) ?? this.#intact().at(-1))?.rows ?? []);
  }

  /** Takes over the verified rows of a file; says which data sets they are about. */
  takeOver(rows: readonly ChainRow[]): Promise<readonly string[]> {
    return this.#locked(async (use) => {
      const entries = rows.map(({ text }) => readEntry<Recorded>(text));
      const datasets = [...new Set(entries.map(datasetOf))];
      for (const dataset of datasets) new Account(dataset, entries.filter(isAbout(dataset))); // throws if it is overspent
      const name = this.#placeFor(rows, datasets);
      const book = this.#books.get(name) ?? new Book();
      await use(name, async (store) => {
        if (this.#lost.has(name)) await book.restore(store, rows);
        else await book.extend(store, rows.slice(book.head.sequence));
      });
      this.#books.set(name, book);
      this.#lost.delete(name);
      await this.#remember();
      return datasets;
    });
  }

  /** The book that the rows of a file belong to, or the name of a new one. */
  #placeFor(rows: readonly ChainRow[], datasets: readonly string[]): string {
    for (const [name, { datasets: gone, entries }] of this.#lost) {
      const head = this.#remembered.get(name)?.head;
      if (head !== undefined && rows[head.sequence - 1]?.hash === head.hash) return name;
      if (gone === undefined || gone.some((dataset) => datasets.includes(dataset)))
        throw new Refusal(
          "ledger-file",
          head === undefined
            ? "This browser has no memory to check the file against."
            : `The file doesn't contain entry ${entries}, the last one that this browser remembers.`,
        );
    }
    for (const [name, book] of this.#books) {
      if (this.#lost.has(name)) continue;
      const relation = compareChains(rows, book.head, (sequence) => book.hashAt(sequence));
      if (relation === "behind")
        throw new Refusal("ledger-file", "The file is an older copy of the ledger of this browser.");
      if (relation !== "other") return name;
      const both = book.datasets.find((dataset) => datasets.includes(dataset));
      if (both !== undefined)
        throw new Refusal(
          "ledger-file",
          `The file and this browser both have charged ${JSON.stringify(both)}, and neither includes the charges of the other.`,
        );
    }
    return this.#newName();
  }

  #newName(): string {
    const taken = new Set([...this.#books.keys(), ...this.#remembered.keys()]);
    for (let number = 1; ; number++) {
      const name = number === 1 ? FIRST_BOOK : `${FIRST_BOOK}-${number}`;
      if (!taken.has(name)) return name;
    }
  }

  #locked<T>(work: (use: Use) => Promise<T>): Promise<T> {
    return this.#shelf.locked(async () => {
      await this.#catchUp();
      return work((name, change) => this.#with(name, change));
    });
  }

  async #with(name: string, work: (store: RowStore) => Promise<void>): Promise<void> {
    const store = await this.#shelf.open(name);
    try {
      await work(store);
    } finally {
      store.close();
    }
  }

  async #catchUp(): Promise<void> {
    const text = await this.#memory.read();
    const remembered = text === null ? new Map<string, Remembered>() : readBooks(text, FIRST_BOOK);
    if (remembered === undefined) throw unknown("the memory of it was changed");
    this.#remembered = remembered;
    this.#lost = new Map();
    for (const name of new Set([FIRST_BOOK, ...remembered.keys(), ...(await this.#shelf.names())]))
      await this.#catchUpWith(name);
  }

  async #catchUpWith(name: string): Promise<void> {
    const book = this.#books.get(name) ?? new Book();
    const remembered = this.#remembered.get(name);
    try {
      await this.#with(name, (store) => book.catchUp(store, remembered));
      this.#books.set(name, book);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "ledger-unknown") throw error;
      const { datasets, head } = remembered ?? {};
      this.#lost.set(name, {
        why: error.message,
        entries: head?.sequence ?? 0,
        ...(datasets && { datasets }),
      });
    }
  }

  #intact(): Book[] {
    return [...this.#books].flatMap(([name, book]) => (this.#lost.has(name) ? [] : [book]));
  }

  /** Undefined for a data set that was never in any book; throws if it could have been in one that is lost. */
  #bookOf(dataset: string): Book | undefined {
    const book = this.#intact().find(({ datasets }) => datasets.includes(dataset));
    if (book !== undefined) return book;
    for (const { datasets, why } of this.#lost.values())
      if (datasets === undefined || datasets.includes(dataset)) throw new Refusal("ledger-unknown", why);
    return undefined;
  }

  #accountOf(dataset: string): Account {
    return new Account(dataset, this.#bookOf(dataset)?.entries.filter(isAbout(dataset)) ?? []);
  }

  async #append(use: Use, dataset: string, entry: NewEntry): Promise<Book> {
    const known = this.#bookOf(dataset) ?? this.#intact().at(-1);
    const [name, book] = [...this.#books].find(([, one]) => one === known) ?? [this.#newName(), new Book()];
    await use(name, (store) => book.append(store, entry));
    this.#books.set(name, book);
    await this.#remember();
    return book;
  }

  /** The memory of a lost book stays as it was. */
  async #remember(): Promise<void> {
    const books = new Map(this.#remembered);
    for (const [name, { head, datasets, entries }] of this.#books)
      if (!this.#lost.has(name) && entries.length > 0) books.set(name, { head, datasets });
    this.#remembered = books;
    await this.#memory.write(booksText(books));
  }

  #find(id: string, asked: Asked): Release | undefined {
    for (const book of this.#intact()) {
      const stored = book.entries.filter(isRelease).find(({ release }) => release.id === id);
      if (stored === undefined) continue;
      replay(stored.release, asked);
      return book.published(stored);
    }
    return undefined;
  }
}

type Use = (name: string, change: (store: RowStore) => Promise<void>) => Promise<void>;

function inWords({ reserved, settled }: Charge): ReleaseCharge {
  return { reserved: releaseLoss(reserved), settled: releaseLoss(settled) };
}

/** A ledger that came from the command line may hold releases of other kinds, which only count. */
function shown(book: Book, entry: ReleaseRow): Release[] {
  try {
    return [book.published(entry)];
  } catch {
    return [];
  }
}

function isRelease(entry: Entry): entry is ReleaseRow {
  return entry.kind === "release";
}

function isAbout(dataset: string): (entry: Entry) => boolean {
  return (entry) => datasetOf(entry) === dataset;
}
