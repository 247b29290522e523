/**
 * What the page may ask of its worker, of the ledger in this browser, and about attacks, in which the curator's data
 * take no part. Rows and counts stay in the worker. Results are either for the curator's eyes (`PrivateView`,
 * `PlanPoint`) or a release that has been charged. Every value is plain data, so it can cross the boundary between the
 * two as a copy.
 * @module
 */
import type { EpsilonFrom, NumberStyle, QuestionKind, WrittenNumbers } from "winnow-release";

/** The share done, from 0 to 1, or undefined while that is unknown. */
export type OnProgress = (share: number | undefined) => void;

type FileFormat = "csv" | "tsv" | "ndjson" | "parquet" | "generated";

/** What the header says, before a row is read. Safe to show: it holds no row. */
export interface FileShape {
  readonly name: string;
  readonly format: FileFormat;
  readonly bytes: number;
  /** Distinct and not empty. None without a header: then the names, or the numbers of CSV columns, are typed. */
  readonly columns: readonly string[];
  /** Whether the first line is a header (CSV and TSV only). */
  readonly hasHeader?: boolean;
  /** The encoding of the header, or the one that the curator chose (text files only). */
  readonly encoding?: Encoding;
  /** Fixed before a row is read, and recorded: format, delimiter, quote, encoding, compression. */
  readonly dialect: Readonly<Record<string, string>>;
  readonly guess: { readonly item?: string; readonly user?: string; readonly why: string };
  /** The public list of candidates (generated example only). */
  readonly candidates?: readonly string[];
}

export interface Columns {
  readonly item: string;
  readonly user: string;
  /** One or two, only for answers in groups. */
  readonly groups?: readonly string[];
  /** Which rows count: a condition on one row, read by the rules of `winnow-release`. */
  readonly where?: string;
}

/** How the bytes of a text file are read: fixed before a row is, and recorded. */
export type Encoding = "utf-8" | "windows-1252" | "utf-16le" | "utf-16be";

/** What the curator knows about a text file; the rest is taken from its name and its header. */
export interface ReadAs {
  readonly encoding?: Encoding;
  /** False if the first line is a row; columns are numbers from 1 then (CSV and TSV only). */
  readonly hasHeader?: boolean;
  /** The delimiter of CSV without a header. Default: a comma. */
  readonly delimiter?: string;
}

/** Why lines were skipped: how many of them each. */
export interface SkippedLines {
  /** Not text in the encoding of the file, or too long. */
  readonly encoding: number;
  /** A quote that no other quote on the line closes. */
  readonly quotes: number;
  /** More or fewer fields than the header, or not an object with both members. */
  readonly fields: number;
}

/** For the curator's eyes only. */
export interface PrivateView {
  readonly rows: number;
  readonly skipped: number;
  readonly skippedBy: SkippedLines;
  /** Rows without a person, an item or a group that is asked for, which count for no one. */
  readonly skippedRows: number;
  readonly items: number;
  readonly users: number;
  /** How many groups there are, where columns of them were read. */
  readonly groups?: number;
  /** How many rows fit the condition, where there is one. */
  readonly fitting?: number;
  /** How many of the items are numbers, by how numbers are written. */
  readonly numbers: Readonly<Record<NumberStyle, number>>;
  /** How many of those that aren't plain numbers are written in another style. */
  readonly written: WrittenNumbers;
  /** The items with the most users, most first. */
  readonly top: readonly { readonly item: string; readonly users: number }[];
}

export type Mechanism = string;

/** The question as the form holds it: numbers are the text that was typed. */
export interface Asked {
  /**
   * A fixed number of winners, a number that the data decides, every name that enough people have, quantiles of a column of
   * numbers, or how many items have how many people.
   */
  readonly kind: QuestionKind;
  /** How many winners, or the most of them; absent for all names and for numbers. */
  readonly k?: number;
  /** "listed" is the public list given by `setCandidates`, "grid" the points of `range`. */
  readonly domain: "listed" | "unknown" | "grid";
  readonly neighbours: "add-remove" | "replace";
  /** By default the one that fits the rest. */
  readonly mechanism?: Mechanism;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  readonly resolution?: string;
  /** Whether noisy counts come with the names. */
  readonly counts?: boolean;
  /** The most items that a person counts for, or values of a column of numbers. */
  readonly maxItemsPerUser?: number;
  /** The quantiles, as shares of the values below. */
  readonly quantiles?: readonly string[];
  /** Which values can be published; the usual step by default. */
  readonly range?: { readonly lower: string; readonly upper: string; readonly step?: string };
  /** A public bound on the number of values. */
  readonly atMost?: number;
  /** How numbers are written in the column; plain by default. */
  readonly numbers?: NumberStyle;
  /** One answer for each group. */
  readonly groups?: AskedGroups;
  /** Which rows count: the condition that they were counted with. */
  readonly where?: string;
  /** What one person is, in the curator's words. */
  readonly unit: string;
}

export interface AskedGroups {
  /** The columns of the groups: one or two. */
  readonly by: readonly string[];
  /** "listed" is the public list given by `setGroups`; otherwise those that enough people are in. */
  readonly list: "listed" | "selected";
  readonly maxGroupsPerUser: number;
}

/** A public list of candidates or groups, kept in the worker. */
export interface Candidates {
  readonly size: number;
  /** SHA-256 of the list, as it goes into the release. */
  readonly hash: string;
}

/** What a release would cost, from public values only. */
export interface Cost {
  /** The price that must fit into the budget, in words: "ε = 1". The answer may turn out to be cheaper. */
  readonly loss: string;
  readonly mechanism: Mechanism;
  /** Whether the budget has room for it. */
  readonly admitted: boolean;
  /** Why not, in a sentence; absent if it is admitted. */
  readonly why?: string;
  /** How many more like it the budget has room for; undefined without a budget. */
  readonly times?: number;
  /** What would be left of the budget after it; absent if it is not admitted. */
  readonly left?: string;
  /** Why someone must agree to it first: it protects hardly anyone, or the rows may be read wrong. For the curator's eyes only. */
  readonly concern?: string;
  /** The part of the concern that is about the rows: while there is one, a plan says little. For the curator's eyes only. */
  readonly doubt?: string;
  /** The same price counted in ρ, where it has one: "ρ = 0.03". */
  readonly inRho?: string;
}

/** One mechanism at one ε, from runs of the mechanism itself on the private counts. For the curator's eyes only. */
export interface PlanPoint {
  readonly mechanism: Mechanism;
  readonly epsilon: string;
  /** The expected share of the true winners that is found, with its standard error. */
  readonly recall: number;
  readonly recallError: number;
  /** How many names are released on average. */
  readonly length: number;
  /** How many of those are right: they have people, and are among the true first. */
  readonly right: number;
  /** How many candidates of a public list have people. */
  readonly real?: number;
  /** Where people count for a limited number of items: the share of their items that is counted. */
  readonly kept?: number;
  /** The share of runs that name no item. */
  readonly nothing: number;
  /** The expected distance between a released and the true lead, in users; only of mechanisms with leads. */
  readonly gapError?: number;
  /** The expected distance between a released and the true count, in users. */
  readonly countError?: number;
  /** In groups: the one that this is for, the middle one by size. */
  readonly group?: string;
  /** The share of its price that an answer is charged on average, where only used rounds are paid. */
  readonly charged?: number;
}

export interface PlanRequest {
  readonly asked: Asked;
  readonly epsilons: readonly string[];
  /** Runs of each mechanism at each ε. */
  readonly runs: number;
}

/** Other settings at the same ε, and what they would do. For the curator's eyes only. */
export interface Alternative {
  readonly change:
    | { readonly k: number }
    | { readonly maxItemsPerUser: number; readonly mechanism: Mechanism }
    /** The best that a list could do: one of exactly the items in the rows. */
    | { readonly domain: "listed" };
  readonly point: PlanPoint;
}

/** A guess as it was typed: how many people there are, and how many items each has on average. */
export interface GuessedWay {
  readonly people: string;
  readonly items: string;
}

/** What the chooser takes on a guess. All of it is public. */
export interface Guessed {
  readonly mechanism: Mechanism;
  readonly maxItemsPerUser?: number;
  /** How many of the k best it names on average. */
  readonly right: number;
  readonly k: number;
  /** "the guess of 4,000 people with 13 items each". */
  readonly origin: string;
}

/** How far off numbers can be at one ε, from public values alone. */
export interface NumberPoint {
  readonly epsilon: string;
  /** How many ranks a quantile can be off, at most; or about how many people noise adds to a list. */
  readonly error: number;
  /** What the error grows by with each value, as a share; 0 except after a recursion without a public bound. */
  readonly share: number;
  /** As a sentence without its full stop. */
  readonly words: string;
  /** For each quantile, between which values of the column it most likely comes out. For the curator's eyes only. */
  readonly inUnits?: readonly { readonly quantile: string; readonly low: string; readonly high: string }[];
  /** What other limits per person would count in frequencies at this ε. For the curator's eyes only. */
  readonly limits?: readonly LimitPoint[];
}

export interface NumberPlan {
  readonly points: readonly NumberPoint[];
  /** How many values or items count, once people are counted and cut to `maxItemsPerUser`. For the curator's eyes only. */
  readonly counted?: number;
  /** How many there would be without a limit per person. For the curator's eyes only. */
  readonly all?: number;
  /** How many different values aren't numbers. For the curator's eyes only. */
  readonly skipped?: number;
  /** In groups: the one that this is for, the middle one by size. */
  readonly group?: string;
}

/** A limit on the items of a person. */
export interface LimitPoint {
  readonly limit: number;
  /** How many pairs of a person and an item are counted. */
  readonly counted: number;
  /** About how many people noise adds to the list. */
  readonly error: number;
}

/** The release in every form. All of it is safe to publish. */
export interface Documents {
  /** The release in the schema "winnow-release/2". */
  readonly json: string;
  readonly csv: string;
  /** To take away in light and dark; for the page in the colours that the reader prefers, wide and narrow. */
  readonly svg: {
    readonly light: string;
    readonly dark: string;
    readonly screen: string;
    readonly narrow: string;
  };
  /** The sentence under a published chart. */
  readonly caption: string;
  /** The paragraph and fields for a privacy officer. */
  readonly statement: string;
  /** The same under the picture, as a page to file or print. */
  readonly statementPage: string;
  readonly typescript: string;
  readonly command: string;
}

/** A released number; where it has an interval, the true one lies between `low` and `high` with the stated confidence. */
export interface ReleasedNumber {
  readonly exact: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

export interface ReleasedRow {
  readonly rank: number;
  /** A name, or the value of a quantile as an exact number. */
  readonly item: string;
  /** The name of a quantile, and how far its rank can be off. */
  readonly quantile?: { readonly name: string; readonly within: string };
  /** The lead over the next, in users; only of mechanisms with leads. */
  readonly gap?: ReleasedNumber;
  /** How many users it has. */
  readonly count?: ReleasedNumber;
  /** The count as readers are shown it: fitted to the order, never below 0. */
  readonly shown?: number;
}

export interface Published {
  readonly id: string;
  readonly dataset: string;
  readonly time: string;
  /** The release in the schema "winnow-release/2", as an object. */
  readonly release: unknown;
  /** False where the mechanism answered that nothing can be released. */
  readonly released: boolean;
  /** Best first, or in an order that says nothing (by name). */
  readonly ordered: boolean;
  /** What the answer says, as a heading. */
  readonly headline: string;
  /** Why there are fewer names than were asked for; empty where there are not. */
  readonly end: string;
  /** What else a reader must know, in sentences. */
  readonly notes: readonly string[];
  /** What its numbers count, for the head of a column, and what a reader of limited counts must know. */
  readonly counted: { readonly column: string; readonly limit?: string };
  readonly rows: readonly ReleasedRow[];
  /** The answers of groups, in place of rows. */
  readonly groups?: readonly ReleasedGroup[];
  /** The steps of a frequency list, in place of rows: `items` items that have `users` people each, the most people first. */
  readonly frequencies?: readonly { readonly users: number; readonly items: number }[];
  /** Name and value of every parameter, for a table. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly loss: string;
  /** What the account had set aside and what it counts instead, where that is less. */
  readonly charge?: { readonly reserved: string; readonly settled: string };
  readonly documents: Documents;
}

export interface ReleasedGroup {
  readonly label: string;
  readonly ordered: boolean;
  readonly rows: readonly ReleasedRow[];
  /** The steps of a frequency list, in place of rows. */
  readonly frequencies?: Published["frequencies"];
}

export interface ReleaseRequest {
  readonly dataset: string;
  readonly asked: Asked;
  /** Chosen when the button is pressed: asked again with the same id, the stored release comes back and nothing is charged. */
  readonly id: string;
  /** The concern that someone has agreed to, as they read it. */
  readonly agreed?: string;
  /** How ε was chosen, for the statement. */
  readonly epsilonFrom?: EpsilonFrom;
}

/** What the worker does one at a time: a new one ends the one before, whose promise rejects with the code "cancelled". */
export type Work = "open" | "count" | "list" | "groups" | "plan" | "compare" | "attack";

/** The worker as the page sees it. Every call may reject with a `Refusal`. */
export interface StudioWorker {
  /** Reads the header only. A new file replaces the one before, and ends its work. */
  open(file: File | "example", as?: ReadAs): Promise<FileShape>;
  /** Forgets the file. */
  close(): Promise<void>;
  count(columns: Columns, onProgress: OnProgress): Promise<PrivateView>;
  /** One candidate per line, or a release as JSON or CSV. */
  setCandidates(list: File | readonly string[]): Promise<Candidates>;
  /** A public list of groups by one column or two: one group a line, by two columns as in CSV. */
  setGroups(list: readonly string[], columns: number): Promise<Candidates>;
  /** The loss from the question alone, and whether the data set's budget has room for it. */
  cost(dataset: string, asked: Asked): Promise<Cost>;
  plan(request: PlanRequest, onPoint: (point: PlanPoint) => void): Promise<readonly PlanPoint[]>;
  /** What other settings would do at the same ε: fewer names, a limit per person, a public list. Nothing is charged. */
  alternatives(asked: Asked): Promise<readonly Alternative[]>;
  /** What the chooser takes on public numbers; no row takes part. */
  choose(asked: Asked, guess: GuessedWay): Promise<Guessed>;
  /** Plans quantiles and frequencies. Nothing is run, because their errors have public bounds. */
  planNumbers(request: Omit<PlanRequest, "runs">): Promise<NumberPlan>;
  /** Selects, charges, stores, and only then answers. */
  release(request: ReleaseRequest): Promise<Published>;
  /** Ends work of one kind, if there is any: its promise rejects with the code "cancelled". */
  cancel(work: Work): Promise<void>;
  readonly ledger: LedgerApi;
  attacks(): Promise<readonly AttackShape[]>;
  /** Plays against textbook code and against ours, and tells the score as it goes. */
  attack(id: string, rounds: number, onScore: (score: AttackScore) => void): Promise<AttackScore>;
}

/** A budget in one measure: exactly one of `epsilon` and `rho`. */
export interface BudgetRequest {
  readonly epsilon?: string;
  readonly delta?: string;
  readonly rho?: string;
  /** Someone has agreed to a budget that protects hardly anyone. */
  readonly agreed?: boolean;
  /** Someone says that these are other people than those of a data set that looks like it. */
  readonly isNewDataset?: boolean;
}

/** A data set with a budget, for an overview. */
export interface KnownDataset {
  readonly name: string;
  readonly budget: string;
  readonly spent: string;
  readonly remaining: string;
  readonly releases: number;
}

/** A data set that may be about the same people. */
export interface Kin {
  readonly name: string;
  /** The open rows were charged to it, or its name is nearly the same. */
  readonly why: "rows" | "name";
}

export type LedgerStatus =
  /** This browser has never held a budget for the data set. */
  | { readonly state: "absent" }
  | {
      readonly state: "ready";
      readonly budget: string;
      readonly spent: string;
      readonly remaining: string;
      /** The largest share of the budget that is spent in any of its numbers, 0 to 1, for a picture. */
      readonly share: number;
      readonly releases: number;
      /** Whether nothing is spent, so that the budget may be corrected. */
      readonly isUnspent: boolean;
    }
  /** There was a ledger and it is gone or broken: nothing can be released. */
  | { readonly state: "unknown"; readonly why: string };

/** A part of the ledger that is gone or broken. */
export interface LostLedger {
  readonly why: string;
  /** The data sets in it; undefined if any could have been. */
  readonly datasets?: readonly string[];
  /** How many entries this browser remembers. */
  readonly entries: number;
}

export interface LedgerEntry {
  readonly sequence: number;
  readonly time: string;
  /** What it is counted as. */
  readonly loss: string;
  readonly question: string;
  readonly head: string;
  /** The release's id. */
  readonly id: string;
}

export interface LedgerApi {
  status(dataset: string): Promise<LedgerStatus>;
  /** Why someone must agree to such a budget first, if someone must. */
  concern(budget: BudgetRequest): Promise<string | undefined>;
  init(dataset: string, budget: BudgetRequest): Promise<LedgerStatus>;
  /** Oldest first. */
  log(dataset: string): Promise<readonly LedgerEntry[]>;
  /** A release of the log; nothing is charged. */
  show(dataset: string, id: string): Promise<Published>;
  /** The names of all data sets with a budget in this browser; none while the example is open. */
  datasets(): Promise<readonly string[]>;
  lost(): Promise<readonly LostLedger[]>;
  /** All data sets with a budget in this browser. */
  overview(): Promise<readonly KnownDataset[]>;
  /** A data set that may be about the same people as a new one of this name with the open rows. */
  kin(dataset: string): Promise<Kin | undefined>;
  /** The newest release in this browser. */
  last(): Promise<Published | undefined>;
  /** The ledger that a data set is in, as a file for the command line or for a drawer. */
  save(dataset: string): Promise<string>;
  /** Takes over a ledger that was saved, here or by the command line; says which data sets it is about. */
  restore(file: File): Promise<readonly string[]>;
  /** Adds the charges of a ledger that went its own way to the one of this browser; says how many there were. */
  join(file: File): Promise<number>;
}

/** A mistake of textbook code and the adversary who uses it, in words. */
export interface AttackShape {
  readonly id: string;
  readonly title: string;
  /** What textbook code does wrong. */
  readonly mistake: string;
  /** What the adversary looks at. */
  readonly trick: string;
  /** Why it does not work here. */
  readonly defence: string;
  readonly epsilon: string;
  /** The largest share of right answers that ε allows. */
  readonly bound: number;
  /** How many rounds are enough to see it. */
  readonly rounds: number;
  /** The names of the two mechanisms that are attacked. */
  readonly textbook: string;
  readonly ours: string;
}

/** How often the adversary told two neighbouring worlds apart, in `rounds` rounds each. */
export interface AttackScore {
  readonly rounds: number;
  readonly textbook: number;
  readonly ours: number;
  /** What that proves about the probability of being right, 95 times out of 100; once all rounds are played. */
  readonly intervals?: { readonly textbook: Shares; readonly ours: Shares };
  /** The ε that the answers prove at least, wrongly in one run of 1000; once all rounds are played. */
  readonly proven?: { readonly textbook: number; readonly ours: number };
}

/** Exact by Clopper and Pearson, rounded outward. */
export type Shares = readonly [low: number, high: number];
