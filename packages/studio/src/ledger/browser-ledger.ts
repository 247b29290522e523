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
  MemoryStore,
  type Recorded,
  Refusal,
  type Release,
  readEntry,
  readLedgerFile,
  readRelease,
  type VerifiedRow,
} from "winnow-release";
import type { Kin } from "../worker/api.js";
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

  /** The accounts of all data sets. */
  accounts(): Promise<readonly Account[]> {
    return this.#locked(async () => {
      const all: Account[] = [];
      for (const { ledger, datasets } of this.#books.values())
        for (const name of datasets) all.push(await ledger.account(name));
      return all;
    });
  }

  /** The same budget again changes nothing; another is refused, unless nothing is spent of the one that is there. */
  setBudget(dataset: string, budget: BudgetJson): Promise<Account> {
    return this.#locked(async () => {
      const ledger = await this.#ledgerFor(dataset);
      const { releases, reservations } = await ledger.account(dataset);
      await ledger.setBudget(dataset, budget, { replace: releases === 0 && reservations === 0 });
      return ledger.account(dataset);
    });
  }

  /** The key of the marks of files, of the first book; it never leaves the worker. */
  markKey(): Promise<string | undefined> {
    return this.#locked(async () => this.#firstBook()?.ledger.markKey());
  }

  /** The data set that rows of this mark were charged to. */
  chargedTo(mark: string): Promise<string | undefined> {
    return this.#locked(async () => this.#firstBook()?.ledger.chargedTo(mark));
  }

  /** A data set with a budget that may be about the same people as a new one: these rows were charged to it, or it has nearly this name. */
  kin(dataset: string, mark: string | undefined): Promise<Kin | undefined> {
    return this.#locked(async () => {
      if (this.#bookOf(dataset) !== undefined) return undefined;
      const marked = mark === undefined ? undefined : await this.#firstBook()?.ledger.chargedTo(mark);
      if (marked !== undefined && marked !== dataset) return { name: marked, why: "rows" };
      for (const { ledger } of this.#books.values()) {
        const [near] = await ledger.near(dataset);
        if (near !== undefined && (await ledger.account(near)).budget !== undefined)
          return { name: near, why: "name" };
      }
      return undefined;
    });
  }

  /** Marks of files are kept in the first book that there is, whichever has their data set. */
  #firstBook(): Book | undefined {
    return [...this.#books.values()][0];
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
    mark?: string,
  ): Promise<{ readonly account: Account; readonly release: Release }> {
    return this.#locked(async () => {
      const { dataset } = release;
      const account = await this.#account(dataset);
      const stored = await this.#find(release.id, release);
      if (stored !== undefined) return { account, release: stored };
      if (account.budget === undefined)
        throw new Refusal("no-budget", `${JSON.stringify(dataset)} has no budget yet.`);
      const ledger = await this.#ledgerFor(dataset);
      // Someone said that these are other people when they set the budget.
      const recorded = await ledger.record(dataset, release, { mark, isNewDataset: true });
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

  /**
   * Adds the releases of a ledger that was charged elsewhere since both were one, each as a charge of its own: nothing is counted
   * less than before, and nothing happens if a budget has no room for all of them. Returns how many there were.
   */
  join(rows: readonly ChainRow[]): Promise<number> {
    return this.#locked(async () => {
      const [book, added] = await this.#forked(rows);
      const trial = await this.#copyOf(book.ledger);
      for (const ledger of [trial, book.ledger])
        for (const { dataset, release, budget } of added)
          await (release === undefined
            ? ledger.setBudget(dataset, budget)
            : ledger.record(dataset, release, { isNewDataset: true })
          ).catch((error: unknown) => {
            throw error instanceof Refusal && error.code === "over-budget"
              ? new Refusal(
                  "ledger-file",
                  `Together, both ledgers have charged more than the budget of ${JSON.stringify(dataset)}, so they can't be joined.`,
                )
              : error;
          });
      return added.filter(({ release }) => release !== undefined).length;
    });
  }

  /** The book that a file was one with, and the releases of the file since. */
  async #forked(rows: readonly ChainRow[]): Promise<readonly [Book, readonly Charged[]]> {
    for (const book of this.#books.values()) {
      const own = await readLedgerFile((await textOf(book.ledger)).split("\n"));
      const shared = rows.findIndex((row, i) => row.hash !== own[i]?.hash);
      if (shared < 1 || shared >= own.length) continue;
      const known = new Set(own.slice(shared).flatMap(({ text }) => releaseIdOf(text)));
      const limited: string[] = [];
      for (const name of book.datasets)
        if ((await book.ledger.account(name)).budget !== undefined) limited.push(name);
      return [book, rows.slice(shared).flatMap(({ text }) => chargedIn(text, known, limited))];
    }
    throw new Refusal("ledger-file", "The file and the ledger of this browser were never the same ledger.");
  }

  /** A ledger in memory with the same entries. */
  async #copyOf(ledger: Ledger): Promise<Ledger> {
    const rows = await readLedgerFile((await textOf(ledger)).split("\n"));
    const copy = new Ledger(new MemoryStore("copy"), { software: SOFTWARE });
    const verified = rows.map((row): VerifiedRow => ({ row, entry: readEntry(row.text) }));
    await copy.takeOver({ head: rows.at(-1) ?? EMPTY_CHAIN, rows: () => verified });
    return copy;
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
        throw new Refusal("ledger-file", `${forkedInWords(both, rows, own)} ${JOIN_THEM}`);
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

/** A release, or the first budget of a data set. */
type Charged =
  | { readonly dataset: string; readonly release: Omit<Release, "ledger">; readonly budget?: undefined }
  | { readonly dataset: string; readonly release?: undefined; readonly budget: BudgetJson };

/** A release that isn't known yet, as it was recorded; budgets that were set again are those of this browser. */
function chargedIn(text: string, known: ReadonlySet<string>, limited: readonly string[]): Charged[] {
  const entry = readEntry(text);
  if (!hasDataset(entry)) return []; // keys of another ledger say nothing about charges
  const dataset = datasetOf(entry);
  if (entry.kind === "budget") return limited.includes(dataset) ? [] : [{ dataset, budget: entry.budget }];
  if (entry.kind === "release" && known.has(entry.release.id)) return [];
  if (entry.kind !== "release")
    throw new Refusal(
      "ledger-file",
      "The file has reservations that wait for their releases, so it can't be joined.",
    );
  const { charge: _, ...release } = entry.release as Omit<Release, "ledger">;
  return [{ dataset, release }];
}

function releaseIdOf(text: string): string[] {
  const entry = readEntry(text);
  return entry.kind === "release" ? [entry.release.id] : [];
}

/** Ends a refusal after which the ledgers can be joined. */
export const JOIN_THEM =
  "Neither includes the charges of the other, so join them: the charges of the file are then counted here too.";

/** How two copies of one ledger came apart. */
function forkedInWords(dataset: string, rows: readonly ChainRow[], own: readonly ChainRow[]): string {
  const shared = rows.findIndex((row, i) => row.hash !== own[i]?.hash);
  const name = JSON.stringify(dataset);
  if (shared < 1) return `The file and this browser have separate ledgers of ${name}.`;
  return `The file and this browser have the same ledger up to entry ${shared}; since then ${own.length - shared} were added here and ${rows.length - shared} in the file, and both have charged ${name}.`;
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
