/**
 * The ledger: accounts of data sets, stored releases and their chain, in a store of any kind. A release is accepted,
 * chained and committed in one transaction that holds the write lock from its first read on, and is returned for printing
 * only then. So concurrent runs never overspend, and a run that dies has printed nothing that isn't recorded.
 * @module
 */

import { type Loss, lossFromJson, lossToJson } from "winnow-dp";
import { releaseLoss } from "../document/new-release.js";
import type { Release, ReleaseCharge, ReservedBits, Software } from "../document/release-document.js";
import type { Charge } from "../mechanisms/of-question.js";
import type { AccountPromise } from "../question/period.js";
import type { Question } from "../question/question.js";
import { mustBeButIs } from "../refusal/must-be.js";
import { Refusal } from "../refusal/refusal.js";
import { isNearName } from "../words/near-names.js";
import { Account, type AdmittedAs, type Spender } from "./account.js";
import type { BudgetJson } from "./budget.js";
import { canonicalJson } from "./canonical-json.js";
import { accountKey, releaseKey, reservationKey } from "./derived.js";
import {
  type Asked,
  checkReservation,
  entryText,
  type KeyEntry,
  type LedgerEntry,
  type NewEntry,
  type RecordedRelease,
  type ReleaseEntry,
  type ReservationEntry,
  readEntry,
  replay,
} from "./entry.js";
import { ledgerFileLines, type PublishedRelease, type VerifiedRow } from "./hash-chain.js";
import type { ConsistencyProof, InclusionProof, TreeHasher } from "./inclusion.js";
import { isKeyChange } from "./key-changes.js";
import {
  budgetExists,
  checkAnalyst,
  checkPage,
  checkReleaseId,
  notNamed,
  outcomeUnknown,
  type Page,
  refuseUnclearAccount,
} from "./ledger-refusals.js";
import { appendText, type LedgerText, rowsUpTo } from "./ledger-text.js";
import { LogTree, type RootedHead } from "./log-tree.js";
import { periodKey } from "./periods.js";
import { PLAIN_HASHER } from "./plain-hasher.js";
import { ReplayedTotals } from "./replayed-totals.js";
import { OutcomeUnknown, type Sought, type Store } from "./store.js";
import { StoredLog } from "./stored-log.js";
import { EMPTY_SUMMARY } from "./summary.js";
import { type TurnOptions, Turns } from "./turns.js";
import { type Verification, verifyLog } from "./verify-log.js";

/** A release and its place in the ledger. */
export type Recorded<R extends RecordedRelease> = R & Pick<PublishedRelease, "ledger">;

/**
 * Who writes to a ledger, and how careful it is.
 *
 * @inline
 */
export interface LedgerOptions {
  /** The program that sets budgets and reserves, as entries name it. */
  readonly software: Pick<Software, "name" | "version">;
  /** For a process that runs for long: replay the log, and never take the stored totals on trust. */
  readonly replays?: boolean | undefined;
  /** For the Merkle tree over the entries, if the runtime has a faster SHA-256 than plain JavaScript. */
  readonly hasher?: TreeHasher | undefined;
}

/** How a release is charged. */
export interface ChargeOptions {
  /** Whom the release is for; it must fit their cap too. */
  readonly spender?: Spender | undefined;
  /** The keyed mark of the source, stored with the charge. */
  readonly mark?: string | undefined;
  /** For a reservation: the bits that its release will be drawn with. */
  readonly bits?: ReservedBits | undefined;
  /** The curator says that a new account is about other people. */
  readonly isNewDataset?: boolean | undefined;
}

/**
 * The first entries, by their number and the node over them (RFC 6962), which isn't a root: that stands for the number too.
 *
 * @inline
 */
export interface TreeTop {
  readonly size: number;
  readonly top: string;
}

/**
 * How an entry leads to a node over entries.
 *
 * @inline
 */
export interface PlaceUnder {
  /** The hash of the entry before. */
  readonly previous: string;
  readonly path: readonly string[];
}

/** The charges of each data set, and the rules for the next one. */
export class Ledger {
  readonly #store: Store;
  readonly #software: LedgerOptions["software"];
  readonly #log: StoredLog;
  readonly #tree: LogTree;
  readonly #turns: Turns;

  constructor(store: Store, { software, replays = false, hasher = PLAIN_HASHER }: LedgerOptions) {
    this.#store = store;
    this.#software = software;
    this.#log = new StoredLog(store, replays ? new ReplayedTotals() : undefined);
    this.#tree = new LogTree(store, hasher);
    this.#turns = new Turns(store, {
      begin: async (mode) => {
        await this.#log.refresh();
        if (mode === "writing") await this.#log.store();
      },
      end: () => this.#log.flush(),
      committed: () => this.#log.committed(),
      refusal: (error, id) =>
        store.refusal(error instanceof OutcomeUnknown ? outcomeUnknown(this.name, id) : error),
    });
  }

  /** As sentences call it; it never holds a password. */
  get name(): string {
    return this.#store.name;
  }

  /** The account of a data set; with a spender, their share of it with their cap as its budget. */
  account(dataset: string, spender?: Spender): Promise<Account> {
    return this.#read(() => this.#account(dataset, spender), accountsOf(dataset, spender));
  }

  /** The number of the last entry. */
  length(): Promise<number> {
    return this.#read(() => this.#log.head.sequence);
  }

  /** The names of all data sets, in the order of their first entry. */
  datasets(): Promise<string[]> {
    return this.#read(() => this.#log.datasets());
  }

  /** All entries, oldest first, after the whole log was verified. */
  async *entries(): AsyncGenerator<LedgerEntry, void> {
    const { rows } = await this.#text();
    for await (const { text } of rows) yield readEntry(text);
  }

  /** The releases of a data set among the last entries, oldest first: to compare with, not to rely on. */
  async lately<R extends RecordedRelease>(dataset: string): Promise<readonly R[]> {
    const rows = await this.#read(() => this.#log.lastRows(LATELY, LONGEST_LATELY));
    return rows.flatMap(({ text }) => {
      const entry = readEntry<R>(text);
      return entry.kind === "release" && entry.release.dataset === dataset ? [entry.release] : [];
    });
  }

  /** Throws `over-budget` if a release that costs this would be refused now. */
  admitLoss(dataset: string, loss: Loss, question?: unknown): Promise<void> {
    return this.#read(async () => (await this.#account(dataset)).admit(loss, question));
  }

  /** Throws if a release that answers the question would be refused now. Returns the highest price of an answer. */
  admit(dataset: string, question: Question, charge: ChargeOptions = {}): Promise<Loss> {
    return this.#read(
      () => this.#admitQuestion(dataset, question, charge.spender),
      accountsOf(dataset, charge.spender),
    );
  }

  async #admitQuestion(dataset: string, question: Question, spender?: Spender, as?: AdmittedAs) {
    const account = await this.#account(dataset);
    const reserved = account.reservationFor(question);
    await this.#admit(account, reserved, question, as ?? account.admittedAs(question), spender);
    return reserved;
  }

  /** Throws unless the loss fits the budget and the cap of the analyst. */
  async #admit(account: Account, loss: Loss, question: unknown, as: AdmittedAs, spender?: Spender) {
    account.admit(loss, question, as);
    if (spender !== undefined) (await this.#account(account.dataset, spender)).admit(loss, question, as);
  }

  /**
   * Reserves the price of a release durably: it counts in full until the release with this id is recorded, and forever if
   * it never is.
   */
  reserve(dataset: string, id: string, question: Question, options: ChargeOptions = {}): Promise<Loss> {
    const { spender } = options;
    const time = new Date().toISOString();
    let written = "";
    return this.#write(
      async () => {
        checkReleaseId(id);
        if (spender !== undefined) checkAnalyst(spender.analyst);
        const stored = await this.#reservation(id);
        // The transaction runs again if a connection is lost at its end: then this reservation is the one it made.
        if (stored !== undefined && entryText(stored) === written) return lossFromJson(stored.loss);
        if (stored !== undefined || (await this.#log.find(id)) !== undefined)
          throw new Refusal("release-id-taken", `The release id ${JSON.stringify(id)} is taken.`);
        await this.#admitAccount(dataset, options);
        const reserved = await this.#admitQuestion(dataset, question, spender, "reservation");
        const asked = { id, dataset, analyst: spender?.analyst, question, loss: lossToJson(reserved) };
        const { bits } = options;
        const entry = { kind: "reservation", ...asked, bits, time, software: this.#software } as const;
        written = (await this.#append(entry, options.mark)).row.text;
        return reserved;
      },
      charging(id, dataset, spender),
    );
  }

  /** The reservation for a release id, if there is one. */
  reservation(id: string): Promise<ReservationEntry | undefined> {
    return this.#read(() => this.#reservation(id), { places: [reservationKey(id)] });
  }

  /** The stored release with this id, if there is one; if its question differs, throws `release-id-taken`. */
  find<R extends RecordedRelease = Release>(id: string, asked?: Asked): Promise<Recorded<R> | undefined> {
    return this.#read(() => this.#stored<R>(id, asked), { places: [releaseKey(id)] });
  }

  /** An analyst's releases, the newest first. `before` is the number of an entry: that of the last release of the page before. */
  releasesOf<R extends RecordedRelease = Release>(
    analyst: string,
    { before = Number.MAX_SAFE_INTEGER, limit = 100 }: Page = {},
  ): Promise<readonly Recorded<R>[]> {
    return this.#read(async () => {
      checkPage({ before, limit });
      return (await this.#log.own(analyst, before, limit)).map((row) => {
        const entry = readEntry<R>(row.text) as ReleaseEntry<R>;
        if (entry.kind !== "release" || entry.release.analyst !== analyst) throw notNamed(row.sequence);
        return published(entry, row.hash);
      });
    });
  }

  /** The data set that rows of this mark were charged to. */
  chargedTo(mark: string): Promise<string | undefined> {
    return this.#read(() => this.#log.marked(mark));
  }

  /** Throws if the curator must say first which account is meant: an existing one, or a new one that no budget limits. */
  admitAccount(dataset: string, options: Pick<ChargeOptions, "mark" | "isNewDataset"> = {}): Promise<void> {
    return this.#read(() => this.#admitAccount(dataset, options), accountsOf(dataset));
  }

  /** Data sets with nearly this name. */
  near(dataset: string): Promise<string[]> {
    return this.#read(async () => (await this.#log.datasets()).filter((name) => isNearName(name, dataset)));
  }

  /** The key of the marks of sources; it never leaves the run. */
  markKey(): Promise<string | undefined> {
    return this.#read(() => this.#store.markKey());
  }

  /**
   * Accepts and records a release, or throws and records nothing. If a release with its id and its parameters already
   * exists, that one is the answer: the new one is dropped unseen and costs nothing.
   */
  record<R extends RecordedRelease>(
    dataset: string,
    unnamed: R,
    options: ChargeOptions = {},
  ): Promise<Recorded<R>> {
    const { spender } = options;
    const release = { ...unnamed, dataset, ...(spender && { analyst: spender.analyst }) };
    return this.#write(
      async () => {
        checkReleaseId(release.id);
        if (release.analyst !== undefined) checkAnalyst(release.analyst);
        const stored = await this.#stored<R>(release.id, release);
        if (stored !== undefined) return stored;
        const reservation = await this.#reservation(release.id);
        if (reservation) checkReservation(reservation, release);
        else if (release.bits !== undefined)
          throw new Refusal("usage", "A release commits to its bits in a reservation, and there is none.");
        else await this.#admitAccount(dataset, options);
        const account = await this.#account(dataset);
        const charge = chargeFor(account, release, reservation);
        const reserved = charge?.reserved ?? lossFromJson(release.loss);
        const as = charge ? "settled" : "charge";
        if (!reservation) await this.#admit(account, reserved, release.question, as, spender);
        const charged = charge === undefined ? release : { ...release, charge: inWords(charge) };
        const { row, entry } = await this.#append({ kind: "release", release: charged }, options.mark);
        return published(entry as ReleaseEntry<R>, row.hash);
      },
      charging(release.id, dataset, spender),
    );
  }

  /** Gives a data set its budget and returns whether it is new: the same budget again changes nothing, a different one needs `replace`. */
  setBudget(
    dataset: string,
    budget: BudgetJson,
    { replace = false, promise }: { readonly replace?: boolean; readonly promise?: AccountPromise } = {},
  ): Promise<boolean> {
    return this.#write(async () => {
      const account = await this.#account(dataset);
      checkPromise(account, budget, promise);
      if (account.budgetJson !== undefined) {
        const isSame = canonicalJson(account.budgetJson) === canonicalJson(budget);
        if (isSame && (account.promise === undefined) === (promise === undefined)) return false;
        if (!replace) throw budgetExists(dataset);
      }
      account.admitBudget(budget);
      const time = new Date().toISOString();
      await this.#append({
        ...{ kind: "budget", dataset, budget: account.ruled(budget), time, software: this.#software },
        ...(promise !== undefined && { promise }),
      });
      return true;
    });
  }

  /** The key that says who is counted in which period of a data set's horizon; it never leaves the run. */
  async periodKey(dataset: string, promise: AccountPromise): Promise<string | undefined> {
    const secret = await this.markKey();
    return secret === undefined ? undefined : periodKey(secret, dataset, promise);
  }

  /** The ledger as a file that the page and other machines read, line by line, after the whole log was verified. */
  async *exported(): AsyncGenerator<string, void> {
    const { head, rows } = await this.#text();
    yield* ledgerFileLines(head, []);
    for await (const { text } of rows) yield `${text}\n`;
  }

  async #text() {
    const head = await this.#read(() => this.#log.verifiedHead());
    return { head, rows: rowsUpTo(head, (last) => this.#read(() => this.#log.page(last, head))) };
  }

  /**
   * Adds the entries that a longer copy of this ledger has beyond it, verified one by one, and returns their number. An
   * older copy or a different ledger is refused, because the charges in this one would be lost.
   */
  takeOver(text: LedgerText): Promise<number> {
    return this.#write(async () => {
      const added = await appendText(this.#log, this.name, text);
      for (const dataset of await this.#log.datasets()) await this.#account(dataset); // throws if one is overspent
      return added;
    }, ALONE);
  }

  /** Checks the file, its schema, every entry from the first on, the stored totals, and that no account is overspent. */
  verify(against: readonly PublishedRelease[] = []): Promise<Verification> {
    return this.#turns.take("reading", () => verifyLog(this.#log, against), {
      ...ALONE,
      looksItself: true,
    });
  }

  /**
   * The last entry, and the root of the Merkle tree over all entries. The first call reads the hash of each, in turns with
   * other work on the ledger; later calls read the new ones.
   */
  head(): Promise<RootedHead> {
    return this.#atHead(async () => this.#tree.head);
  }

  /** That a release is under the root; undefined if the release does not exist. */
  proof(id: string): Promise<InclusionProof | undefined> {
    return this.#atHead(() => this.#log.find(id).then((row) => row && this.#tree.inclusion(row, id)));
  }

  /** Proof that the first `size` entries are the first of the first `later`, by default of all. */
  consistency(size: number, later?: number): Promise<ConsistencyProof> {
    return this.#atHead(() => this.#tree.consistency(size, later));
  }

  /** The number of the first entries and the node over them, which a signed head has; by default of all entries. */
  treeHead(size?: number): Promise<TreeTop> {
    return this.#atHead(async () => ({
      size: size ?? this.#tree.head.sequence,
      top: await this.#tree.topAt(size),
    }));
  }

  /** How a release leads to the node over the first `size` entries; undefined if it isn't among them. */
  placeUnder(id: string, size: number): Promise<PlaceUnder | undefined> {
    return this.#atHead(async () => {
      const row = await this.#log.find(id);
      if (row === undefined || row.sequence > size) return undefined;
      const { previous } = readEntry(row.text);
      return { previous, path: await this.#tree.pathOf(row.sequence, size) };
    });
  }

  /** That the first `first` entries are the first of the first `size`, as in RFC 6962. */
  pathBetween(first: number, size: number): Promise<string[]> {
    return this.#atHead(() => this.#tree.pathBetween(first, size));
  }

  /** The changes of the keys that sign heads, oldest first. */
  keyEntries(): Promise<readonly KeyEntry[]> {
    return this.#read(async () =>
      (await this.#log.keys()).reverse().map(({ text, sequence }) => {
        const entry = readEntry(text);
        if (entry.kind !== "key") throw notNamed(sequence);
        return entry;
      }),
    );
  }

  /** Records a change of the keys that sign heads, if it is one; returns whether it is. */
  changeKeys(change: Pick<KeyEntry, "adds" | "revokes">): Promise<boolean> {
    return this.#write(async () => {
      const entries = (await this.#log.keys()).map(({ text }) => readEntry(text) as KeyEntry);
      if (!isKeyChange(entries.reverse(), change)) return false;
      const time = new Date().toISOString();
      await this.#append({ kind: "key", ...change, time, software: this.#software });
      return true;
    });
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #account(dataset: string, spender?: Spender): Promise<Account> {
    const summary = await this.#log.summaryOf(dataset, spender?.analyst);
    return new Account(dataset, summary ?? EMPTY_SUMMARY, spender);
  }

  async #admitAccount(dataset: string, { mark, isNewDataset = false }: ChargeOptions): Promise<void> {
    if (isNewDataset || (await this.#log.summaryOf(dataset)) !== undefined) return;
    const marked = mark === undefined ? undefined : await this.#log.marked(mark);
    const limited: string[] = [];
    for (const name of await this.#log.datasets())
      if ((await this.#log.summaryOf(name))?.budget !== undefined) limited.push(name);
    refuseUnclearAccount(dataset, marked, limited);
  }

  async #reservation(id: string): Promise<ReservationEntry | undefined> {
    const row = await this.#log.findReservation(id);
    const entry = row === undefined ? undefined : readEntry(row.text);
    if (entry === undefined) return undefined;
    if (entry.kind === "reservation" && entry.id === id) return entry;
    throw notNamed(entry.sequence);
  }

  async #stored<R extends RecordedRelease>(id: string, asked?: Asked): Promise<Recorded<R> | undefined> {
    const row = await this.#log.find(id);
    if (row === undefined) return undefined;
    const entry = readEntry<R>(row.text) as ReleaseEntry<R>;
    if (entry.kind !== "release" || entry.release.id !== id || entry.sequence !== row.sequence)
      throw notNamed(row.sequence);
    if (asked !== undefined) replay(entry.release, asked);
    return published(entry, row.hash);
  }

  /** As it is stored, and as it is read from there. */
  async #append(entry: NewEntry, mark?: string): Promise<VerifiedRow> {
    const row = await this.#log.rowOf(entry);
    const added = { row, entry: readEntry(row.text) };
    await this.#log.add(added, mark);
    return added;
  }

  /** Work that needs the whole tree. */
  async #atHead<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      const done = await this.#read(async () =>
        (await this.#tree.advance(this.#log.head)) ? [await work()] : [],
      );
      if (done.length > 0) return done[0]!;
      await nextTurn();
    }
  }

  #read<T>(work: () => T | Promise<T>, sought?: Sought): Promise<T> {
    return this.#turns.take("reading", work, { sought });
  }

  #write<T>(work: () => Promise<T>, options?: TurnOptions): Promise<T> {
    return this.#turns.take("writing", work, options);
  }
}

/** Entries that are read to find what a release is compared with. */
const LATELY = 1000;
/** In characters; then earlier entries are left out. */
const LONGEST_LATELY = 20_000_000;

const ALONE: TurnOptions = { isAlone: true };

/** What charging a release looks at. */
function charging(id: string, dataset: string, spender?: Spender): TurnOptions {
  return { id, sought: { places: [releaseKey(id), reservationKey(id)], ...accountsOf(dataset, spender) } };
}

/** What admitting a charge looks at. */
function accountsOf(dataset: string, spender?: Spender): Sought {
  const own = accountKey(dataset);
  return { accounts: spender === undefined ? [own] : [own, accountKey(dataset, spender.analyst)] };
}

/** The loss that the account counts for a release, where that is less than it promises. */
function chargeFor(
  account: Account,
  release: RecordedRelease,
  reservation: ReservationEntry | undefined,
): Charge | undefined {
  const { question, answer }: RecordedRelease & Partial<Pick<Release, "answer">> = release;
  return answer === undefined ? undefined : account.chargeFor(question as Question, answer, reservation);
}

/** A promise over time is made before the first charge, and never changes; what it is about adds up in ε or ρ. */
function checkPromise(account: Account, { measure }: BudgetJson, promise: AccountPromise | undefined): void {
  const known = account.promise;
  const name = JSON.stringify(account.dataset);
  if (canonicalJson({ promise }) === canonicalJson({ promise: known })) return;
  if (known !== undefined)
    throw new Refusal(
      "budget-exists",
      `The budget of ${name} has periods, and what it promises never changes.`,
    );
  if (account.summary.charges.length > 0 || account.releases > 0)
    throw new Refusal("budget-exists", `Releases about ${name} were charged before, without periods.`);
  if (measure !== "pure" && measure !== "zcdp")
    throw new Refusal("usage", mustBeButIs("A budget with periods", "in ε or ρ", measure));
}

function inWords({ reserved, settled }: Charge): ReleaseCharge {
  return { reserved: releaseLoss(reserved), settled: releaseLoss(settled) };
}

/** As stored, so that the first print and every later one are the same. */
function published<R extends RecordedRelease>(
  { release, sequence }: ReleaseEntry<R>,
  head: string,
): Recorded<R> {
  return { ...release, ledger: { sequence, head } };
}

/** Lets other work go on. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
