/**
 * The ledgers of this browser. A browser usually has one, its first book. Another begins when one was lost and an unrelated
 * data set continues, or when one is restored from a file. The rules are those of every ledger (`Ledger` of winnow-release);
 * here is only which book a data set is in. One tab at a time looks, decides and writes (a Web Lock). A book that is gone,
 * broken or can't be stored is never taken for empty: its data sets are refused, and those that were never in it continue.
 *
 * It can't detect two things: storage that is wiped together with the memory of it, as when all data of the site are cleared,
 * and a whole profile that is reset to an older copy. Every release carries its place in the chain, so a release that was published
 * shows it (`winnow budget verify --against`). A ledger that was saved to a file can be restored from it.
 * @module
 */
import {
  Account,
  type Asked,
  type BudgetJson,
  type ChainRow,
  compareChains,
  datasetOf,
  EMPTY_CHAIN,
  EMPTY_SUMMARY,
  hasDataset,
  Ledger,
  ledgerFileLines,
  type Recorded,
  Refusal,
  type Release,
  readEntry,
  readLedgerFile,
  readRelease,
  type VerifiedRow,
} from "winnow-release";
import { SOFTWARE } from "../worker/published.js";
import type { Witness } from "./indexed-db-store.js";
import {
  type Books,
  booksText,
  browserShelf,
  FIRST_BOOK,
  type LedgerMemory,
  type Remembered,
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

interface Book {
  readonly ledger: Ledger;
  /** As of the last look. */
  readonly datasets: readonly string[];
}

export class BrowserLedger {
  readonly #memory: LedgerMemory;
  readonly #shelf: Shelf;
  /** By name; each remembers the last entry that it has seen. */
  readonly #ledgers = new Map<string, Ledger>();
  /** Those that can be relied on, as of the last look. */
  #books = new Map<string, Book>();
  #remembered: Map<string, Remembered> = new Map();
  #lost = new Map<string, LostBook>();

  constructor(memory: LedgerMemory, shelf: Shelf = browserShelf) {
    this.#memory = memory;
    this.#shelf = shelf;
  }

  /** Budget and charges of a data set; without a budget, an empty account. */
  account(dataset: string): Promise<Account> {
    return this.#locked(() => this.#account(dataset));
  }

  /** The names of the data sets that have a budget. */
  datasets(): Promise<string[]> {
    return this.#locked(async () => {
      const limited: string[] = [];
      for (const { ledger, datasets } of this.#books.values())
        for (const name of datasets)
          if ((await ledger.account(name)).budget !== undefined) limited.push(name);
      return limited;
    });
  }

  /** Books that cannot be relied on. */
  lost(): Promise<readonly LostBook[]> {
    return this.#locked(async () => [...this.#lost.values()]);
  }

  /** Every release of a data set with its place in the chain, oldest first; of those that a page can show. */
  releases(dataset: string): Promise<Release[]> {
    return this.#locked(async () => {
      const [, { ledger } = {}] = this.#bookOf(dataset) ?? [];
      return ledger === undefined ? [] : releasesIn(ledger, (about) => about === dataset);
    });
  }

  /** The release that was recorded last, of any data set. */
  last(): Promise<Release | undefined> {
    return this.#locked(async () => {
      const newest: Release[] = [];
      for (const { ledger } of this.#books.values()) newest.push(...(await releasesIn(ledger)).slice(-1));
      return newest.sort((a, b) => (a.time < b.time ? 1 : -1))[0];
    });
  }

  /** The same budget again changes nothing; another is refused. */
  setBudget(dataset: string, budget: BudgetJson): Promise<Account> {
    return this.#locked(async () => {
      const ledger = await this.#ledgerFor(dataset);
      await ledger.setBudget(dataset, budget);
      return ledger.account(dataset);
    });
  }

  /** The account of a data set, and the release with this id if there is one. Refuses if that answers another question. */
  look(
    id: string,
    asked: Asked,
  ): Promise<{ readonly account: Account; readonly stored: Release | undefined }> {
    return this.#locked(async () => ({
      account: await this.#account(asked.dataset),
      stored: await this.#find(id, asked),
    }));
  }

  /** Admits the charge, stores it with the answer, and only then returns the release. */
  record(
    release: Omit<Release, "ledger">,
  ): Promise<{ readonly account: Account; readonly release: Release }> {
    return this.#locked(async () => {
      const { dataset } = release;
      const account = await this.#account(dataset);
      const stored = await this.#find(release.id, release);
      if (stored !== undefined) return { account, release: stored };
      if (account.budget === undefined)
        throw new Refusal("no-budget", `${JSON.stringify(dataset)} has no budget yet.`);
      const ledger = await this.#ledgerFor(dataset);
      const recorded = await ledger.record(dataset, release);
      return { account: await ledger.account(dataset), release: published(recorded) };
    });
  }

  /** The book that a data set is in, or else the newest one, as a file. */
  exported(dataset: string): Promise<string> {
    return this.#locked(async () => {
      const [, book] = this.#bookOf(dataset) ?? [...this.#books].at(-1) ?? [];
      return book === undefined ? [...ledgerFileLines(EMPTY_CHAIN, [])].join("") : textOf(book.ledger);
    });
  }

  /** Takes over the verified rows of a file; says which data sets they are about. */
  takeOver(rows: readonly ChainRow[]): Promise<readonly string[]> {
    return this.#locked(async () => {
      const verified = rows.map((row): VerifiedRow => ({ row, entry: readEntry(row.text) }));
      const datasets = [
        ...new Set(verified.flatMap(({ entry }) => (hasDataset(entry) ? [datasetOf(entry)] : []))),
      ];
      const found = await this.#placeFor(rows, datasets);
      const isLost = this.#lost.has(found);
      const name = isLost ? this.#newName() : found;
      if (isLost) await this.#shelf.remove(found); // the memory of it stays until another has its place
      await this.#remember(name, datasets);
      await this.#open(name)
        .takeOver({ head: rows.at(-1) ?? EMPTY_CHAIN, rows: () => verified })
        .catch((error: unknown) => {
          throw isOfLedger(error) ? new Refusal("ledger-file", error.message) : error;
        });
      if (isLost) await this.#forget(found);
      return datasets;
    });
  }

  /** The book that the rows of a file belong to, or the name of a new one. */
  async #placeFor(rows: readonly ChainRow[], datasets: readonly string[]): Promise<string> {
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
      const own = await readLedgerFile((await textOf(book.ledger)).split("\n"));
      const relation = compareChains(rows, own.at(-1) ?? EMPTY_CHAIN, (sequence) => own[sequence - 1]?.hash);
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
    const taken = new Set([...this.#books.keys(), ...this.#lost.keys(), ...this.#remembered.keys()]);
    for (let number = 1; ; number++) {
      const name = number === 1 ? FIRST_BOOK : `${FIRST_BOOK}-${number}`;
      if (!taken.has(name)) return name;
    }
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return this.#shelf.locked(async () => {
      await this.#look();
      return work();
    });
  }

  async #look(): Promise<void> {
    const text = await this.#memory.read();
    const remembered: Books | undefined = text === null ? new Map() : readBooks(text);
    if (remembered === undefined) throw unknown("Its memory of the ledger was changed.");
    this.#remembered = new Map(remembered);
    this.#books = new Map();
    this.#lost = new Map();
    for (const name of new Set([FIRST_BOOK, ...remembered.keys(), ...(await this.#shelf.names())]))
      await this.#lookAt(name);
  }

  async #lookAt(name: string): Promise<void> {
    try {
      const ledger = this.#open(name);
      this.#books.set(name, { ledger, datasets: await ledger.datasets() });
    } catch (error) {
      if (!isOfLedger(error)) throw error;
      this.#ledgers.delete(name);
      const { datasets, head } = this.#remembered.get(name) ?? {};
      this.#lost.set(name, {
        why: unknown(error.message).message,
        entries: head?.sequence ?? 0,
        ...(datasets && { datasets }),
      });
    }
  }

  /** The ledger of a book, which replays the log once and then every new entry. */
  #open(name: string): Ledger {
    const witness: Witness = {
      seen: async () => this.#remembered.get(name)?.head,
      keep: (head) => this.#keep(name, { datasets: [], ...this.#remembered.get(name), head }),
    };
    const ledger =
      this.#ledgers.get(name) ??
      new Ledger(this.#shelf.store(name, witness), { software: SOFTWARE, replays: true });
    this.#ledgers.set(name, ledger);
    return ledger;
  }

  /** Undefined for a data set that was never in any book; throws if it could have been in one that is lost. */
  #bookOf(dataset: string): [name: string, Book] | undefined {
    const book = [...this.#books].find(([, { datasets }]) => datasets.includes(dataset));
    if (book !== undefined) return book;
    for (const { datasets, why } of this.#lost.values())
      if (datasets === undefined || datasets.includes(dataset)) throw new Refusal("ledger-unknown", why);
    return undefined;
  }

  async #account(dataset: string): Promise<Account> {
    const [, book] = this.#bookOf(dataset) ?? [];
    return book === undefined ? new Account(dataset, EMPTY_SUMMARY) : book.ledger.account(dataset);
  }

  /** To write to: its data set is remembered before anything is charged, so a book that is lost is never taken for another. */
  async #ledgerFor(dataset: string): Promise<Ledger> {
    const [name] = this.#bookOf(dataset) ?? [...this.#books].at(-1) ?? [this.#newName()];
    await this.#remember(name, [dataset]);
    return this.#open(name);
  }

  async #remember(name: string, datasets: readonly string[]): Promise<void> {
    const known = this.#remembered.get(name) ?? { head: EMPTY_CHAIN, datasets: [] };
    const all = [...new Set([...known.datasets, ...datasets])];
    if (all.length > known.datasets.length) await this.#keep(name, { head: known.head, datasets: all });
  }

  async #keep(name: string, book: Remembered): Promise<void> {
    this.#remembered.set(name, book);
    await this.#memory.write(booksText(this.#remembered));
  }

  async #forget(name: string): Promise<void> {
    this.#remembered.delete(name);
    await this.#memory.write(booksText(this.#remembered));
  }

  async #find(id: string, asked: Asked): Promise<Release | undefined> {
    for (const { ledger } of this.#books.values()) {
      const stored = await ledger.find(id, asked);
      if (stored !== undefined) return published(stored);
    }
    return undefined;
  }
}

/** The releases of all data sets, or of some; a ledger that came from the command line may hold releases of other kinds, which only count. */
async function releasesIn(
  ledger: Ledger,
  isWanted: (dataset: string) => boolean = () => true,
): Promise<Release[]> {
  const ids: string[] = [];
  for await (const entry of ledger.entries())
    if (entry.kind === "release" && isWanted(entry.release.dataset)) ids.push(entry.release.id);
  const releases: Release[] = [];
  for (const id of ids)
    try {
      releases.push(published((await ledger.find(id))!));
    } catch (error) {
      if (error instanceof Refusal) throw error;
    }
  return releases;
}

/** Whether the stored entries can't be relied on; a browser that stores nothing has codes of its own. */
function isOfLedger(error: unknown): error is Refusal {
  return error instanceof Refusal && /^(ledger-broken|ledger-replaced|other-ledger)$/.test(error.code);
}

/** Read as strictly as if someone else had written it. */
function published(recorded: Recorded<Omit<Release, "ledger">>): Release {
  return readRelease(JSON.stringify(recorded));
}

async function textOf(ledger: Ledger): Promise<string> {
  const lines: string[] = [];
  for await (const line of ledger.exported()) lines.push(line);
  return lines.join("");
}

function unknown(why: string): Refusal {
  return new Refusal("ledger-unknown", `The page doesn't know what was spent before. ${why}`);
}
