/**
 * The state of the worker between two calls: the file, its counts, and the public lists of candidates and groups. Only values that
 * the curator may see leave the worker.
 * @module
 */
import { boundContributions, boundValues } from "winnow-dp";
import {
  type ComparedInputs,
  type CountedItems,
  candidatesWanted,
  columnsOf,
  type FoundFile,
  fits,
  type GroupedRows,
  groupLabel,
  groupOfText,
  groupText,
  guardPublicInputs,
  kindOf,
  listedDomain,
  NUMBER_STYLES,
  type NumberStyle,
  parseDelimitedLine,
  plainNumber,
  predicateText,
  type Question,
  Refusal,
  type ReleaseSource,
  type RowFacts,
  readPredicate,
} from "winnow-release";
import type { DataFile } from "../reading/data-file.js";
import { openFile, readCandidates } from "../reading/open-file.js";

import { UserCounter } from "../reading/user-counter.js";
import type {
  Asked,
  Candidates,
  Columns,
  FileShape,
  NumberPlan,
  OnProgress,
  PrivateView,
  ReadAs,
} from "./api.js";
import type { PublicLists } from "./asked-question.js";
import { GroupedCounter, type GroupLimits } from "./grouped-rows.js";
import type { Task } from "./task.js";

/** How many items the curator sees. */
const SHOWN = 50;

interface Counted {
  readonly counter: UserCounter;
  /** Where a column of groups was read. */
  readonly grouped: GroupedCounter | undefined;
  /** Totals of the rows; skipped rows have no person or no item. */
  readonly facts: Pick<RowFacts, "rows" | "skippedRows" | "skippedLines">;
  readonly source: ReleaseSource;
  /** The condition that rows were counted with, in canonical form, and the columns of groups. */
  readonly where: string | undefined;
  readonly by: readonly string[];
}

export class DataSession {
  #file: DataFile | undefined;
  #opened: File | undefined;
  #counted: Counted | undefined;
  #bounded:
    | { readonly counter: UserCounter; readonly most: number; readonly users: readonly number[] }
    | undefined;
  #contributions:
    | { readonly counter: UserCounter; readonly key: string; readonly found: Contributions }
    | undefined;
  #list:
    | { readonly names: readonly string[]; readonly candidates: Candidates; readonly file: File | undefined }
    | undefined;
  #groupList: { readonly names: readonly string[]; readonly candidates: Candidates } | undefined;
  #limits: { readonly counter: UserCounter; readonly found: readonly Counts[] } | undefined;
  #values:
    | { readonly counter: UserCounter; readonly style: NumberStyle; readonly found: SortedValues }
    | undefined;
  #marked:
    | { readonly file: File; readonly key: string; readonly mark: Promise<string | undefined> }
    | undefined;
  #matched:
    | { readonly counter: UserCounter; readonly names: readonly string[]; readonly found: number }
    | undefined;

  get lists(): PublicLists {
    return { candidates: this.#list?.candidates, groups: this.#groupList?.candidates };
  }

  /** The name of the file, as far as there is one. */
  get fileName(): string | undefined {
    return this.isExample ? undefined : this.#file?.shape.name;
  }

  get isExample(): boolean {
    return this.#file?.shape.format === "generated";
  }

  /** Whether the rows of a file are counted. */
  get isCounted(): boolean {
    return this.#counted !== undefined;
  }

  close(): void {
    this.#file = undefined;
    this.#opened = undefined;
    this.#counted = undefined;
    this.#matched = undefined;
    this.#contributions = undefined;
  }

  async open(file: File | "example", task: Task, as?: ReadAs): Promise<FileShape> {
    this.close();
    const opened = await openFile(file, as);
    task.signal.throwIfAborted(); // a newer file may have been opened faster
    this.#file = opened;
    this.#opened = file === "example" ? undefined : file;
    return opened.shape;
  }

  async count(columns: Columns, task: Task, onProgress: OnProgress): Promise<PrivateView> {
    this.#counted = undefined;
    if (this.#file === undefined) throw noFile();
    const counter = new UserCounter();
    const { item, user, groups: by = [] } = columns;
    const where = columns.where === undefined ? undefined : readPredicate(columns.where);
    const grouped = by.length === 0 ? undefined : new GroupedCounter();
    const names = [item, user, ...by, ...(where === undefined ? [] : columnsOf(where))];
    const places = new Map(names.map((name, place) => [name, place]));
    let [skippedRows, fitting] = [0, 0];
    const take = (texts: readonly string[]) => {
      if (where !== undefined && !fits(where, (name) => texts[places.get(name)!])) return;
      fitting++;
      const [itemOfRow, userOfRow] = texts as [string, string];
      const group = texts.slice(2, 2 + by.length);
      if (itemOfRow === "" || userOfRow === "" || group.includes("")) skippedRows++;
      counter.add(itemOfRow, userOfRow);
      if (!group.includes("")) grouped?.add(itemOfRow, userOfRow, groupText(group));
    };
    const { dialect } = this.#file.shape;
    const totals = await this.#file.read(names, { task, onProgress, take });
    task.signal.throwIfAborted(); // another file may have been opened after the last row
    const { skipped: skippedLines } = totals;
    const facts = { rows: fitting, skippedRows, skippedLines };
    const source = { item, user, dialect };
    this.#counted = { counter, grouped, source, facts, by, where: where && predicateText(where) };
    const { items, users } = counter;
    return {
      ...totals,
      skippedRows,
      items,
      users,
      ...(grouped && { groups: grouped.groups }),
      ...(where && { fitting }),
      ...numbersIn(counter),
      top: counter.largest(SHOWN),
    };
  }

  async setCandidates(list: File | readonly string[], task: Task): Promise<Candidates> {
    this.#list = undefined;
    const names = await readCandidates(list);
    const { size, hash } = await listedDomain(names);
    task.signal.throwIfAborted(); // a newer list may have been read faster
    this.#list = { names, candidates: { size, hash }, file: list instanceof File ? list : undefined };
    await this.guardInputs().catch((error: unknown) => {
      this.#list = undefined;
      throw error;
    });
    return { size, hash };
  }

  async setGroups(list: readonly string[], columns: number, task: Task): Promise<Candidates> {
    this.#groupList = undefined;
    const names = await readCandidates(list.map((line) => groupOfLine(line, columns)));
    const { size, hash } = await listedDomain(names);
    task.signal.throwIfAborted();
    this.#groupList = { names, candidates: { size, hash } };
    return { size, hash };
  }

  /** Throws `not-public` if the list is the file of the rows, or a copy of it. */
  guardInputs(): Promise<ComparedInputs> {
    const list = this.#list?.file;
    const opened = this.#opened;
    const inputs = list === undefined ? [] : [{ role: "The list", name: list.name, file: foundFile(list) }];
    return guardPublicInputs(inputs, async () =>
      opened === undefined ? [] : [{ what: "the file of the rows", file: foundFile(opened) }],
    );
  }

  /** Facts about the rows, for the curator only. */
  facts(
    { kind, domain }: Pick<Question, "kind" | "domain">,
    style?: NumberStyle,
  ): RowFacts & { readonly matched: number } {
    const { counter, facts } = this.#require();
    const { items } = counter;
    if (domain.kind !== "grid" || kindOf({ kind }).shape !== "values")
      return { ...facts, items, matched: this.#listed(counter) };
    const { numbers, written } = numbersIn(counter);
    const values = numbers[style ?? "plain"];
    const isPlain = (style ?? "plain") === "plain";
    return {
      ...{ ...facts, items, matched: values, values, skippedValues: items - values },
      ...(isPlain && { writtenNumbers: written }),
    };
  }

  /** How many candidates of the list have people. */
  #listed(counter: UserCounter): number {
    const names = this.#list?.names ?? [];
    if (this.#matched?.counter !== counter || this.#matched.names !== names) {
      const found = names.reduce((sum, name) => sum + (counter.usersOf(name) > 0 ? 1 : 0), 0);
      this.#matched = { counter, names, found };
    }
    return this.#matched.found;
  }

  /** Every candidate of the list once, or every item of the rows. */
  counts(domain: Asked["domain"]): CountedItems {
    const { counter } = this.#require();
    if (domain !== "listed") return counter.histogram();
    const names = this.#list?.names ?? [];
    return { items: names, users: names.map((name) => counter.usersOf(name)) };
  }

  /** The counts that the question's mechanism wants, after each person was cut to `maxItemsPerUser` items if it is given. */
  histogram(question: Question, style?: NumberStyle): CountedItems {
    const { counter } = this.#require();
    const { domain, maxItemsPerUser } = question;
    if (maxItemsPerUser === undefined) return this.counts(domain.kind === "listed" ? "listed" : "unknown");
    const wanted = candidatesWanted(question).kind;
    if (wanted === "numbers") return boundedNumbers(counter, maxItemsPerUser, style);
    const bounded = boundedCounts(counter, maxItemsPerUser);
    return wanted === "frequencies" ? frequenciesOf(bounded) : bounded;
  }

  /** The rows of a question in groups, after each person was cut to its limits by one key. */
  groupedRows(question: Question, style?: NumberStyle): GroupedRows {
    const rows = this.#requireGroups().rows(this.#limitsOf(question, style));
    const wanted = candidatesWanted(question).kind;
    if (wanted !== "frequencies") return rows;
    return {
      ...rows,
      counts: async function* (only) {
        for await (const { group, ...counts } of rows.counts(only)) yield { group, ...frequenciesOf(counts) };
      },
    };
  }

  /** What a plan of a question in groups is for. */
  middleGroup(
    question: Pick<Question, "kind" | "groups" | "domain" | "maxItemsPerUser">,
    style?: NumberStyle,
  ) {
    return this.#requireGroups().middle(this.#limitsOf(question, style));
  }

  #limitsOf(
    {
      kind,
      groups,
      domain,
      maxItemsPerUser,
    }: Pick<Question, "kind" | "groups" | "domain" | "maxItemsPerUser">,
    style: NumberStyle = "plain",
  ): GroupLimits {
    const { by, list, maxGroupsPerUser } = groups!;
    return {
      ...(list !== "selected" && { groups: this.#groupList?.names ?? [] }),
      ...(domain.kind === "listed" && { items: this.#list?.names ?? [] }),
      ...(kindOf({ kind }).shape === "values" && { numbers: style }),
      ...{ maxGroupsPerUser, maxItemsPerUser, columns: by.length },
    };
  }

  /** The rows must have been counted with the condition and the columns of the question: the page may ask a moment too early. */
  checkCounted({ where, groups }: Question): void {
    const { where: counted, by } = this.#require();
    const columns = groups?.by ?? by;
    if (counted !== where || columns.join("\0") !== by.join("\0"))
      throw new Refusal("no-file", "The rows were counted for another question.");
  }

  /** How many groups of the public list have people. */
  matchedGroups(): { readonly matched: number; readonly listed: number } {
    const { names } = this.#groupList!;
    return { matched: this.#requireGroups().matched(names), listed: names.length };
  }

  /**
   * How many values or pairs of a person and an item count for numbers, if people are counted, and how many items don't. In groups it
   * is about the middle one.
   */
  contributions(question: Question, style: NumberStyle = "plain"): Contributions {
    const { kind, maxItemsPerUser = 1, groups } = question;
    const counter = this.#counted?.counter;
    if (counter === undefined) return {};
    if (groups !== undefined) {
      const middle = this.middleGroup(question, style);
      const counted = sum(middle?.bounded ?? middle?.users ?? []);
      const name = middle && groupLabel(groupOfText(middle.name, groups.by.length) ?? [middle.name]);
      return { counted, all: middle?.all ?? 0, ...(name !== undefined && { group: name }) };
    }
    const key = `${kind} ${maxItemsPerUser} ${style}`;
    if (this.#contributions?.counter !== counter || this.#contributions.key !== key)
      this.#contributions = { counter, key, found: contributionsOf(counter, kind, maxItemsPerUser, style) };
    return this.#contributions.found;
  }

  /** How many pairs of a person and an item each limit would count. */
  pairsByLimit(): readonly { readonly limit: number; readonly counted: number }[] {
    const { counter } = this.#require();
    if (this.#limits?.counter !== counter)
      this.#limits = {
        counter,
        found: LIMITS.map((limit) => ({ limit, counted: counter.pairsOfAtMost(limit) })),
      };
    return this.#limits.found;
  }

  /** The values of the column, sorted, for the curator's eyes; in groups those of the middle one. */
  values(question: Question, style: NumberStyle = "plain"): SortedValues {
    const { counter } = this.#require();
    if (question.groups !== undefined) {
      const { items = [], users = [] } = this.middleGroup(question, style) ?? {};
      return sortedValues(items.map((value, i) => [value, users[i]!]));
    }
    if (this.#values?.counter !== counter || this.#values.style !== style)
      this.#values = { counter, style, found: sortedValues(valuesOf(counter, style)) };
    return this.#values.found;
  }

  /** A keyed mark of the open file, which recognises its rows under another name; undefined for the example. */
  async mark(key: string | undefined): Promise<string | undefined> {
    const file = this.#opened;
    if (file === undefined || key === undefined) return undefined;
    this.#marked = this.#marked?.file === file && this.#marked.key === key ? this.#marked : undefined;
    this.#marked ??= { file, key, mark: markOf(file, key) };
    return this.#marked.mark;
  }

  /**
   * The counts of all items, in the order of `counts`, after people were cut to `maxItemsPerUser`. For plans only: the page keeps it,
   * while each release cuts people with a new key.
   */
  boundedUsers(domain: Asked["domain"], maxItemsPerUser?: number): readonly number[] | undefined {
    if (domain === "listed" || maxItemsPerUser === undefined) return undefined;
    const { counter } = this.#require();
    if (this.#bounded?.counter !== counter || this.#bounded.most !== maxItemsPerUser) {
      const { items, users } = boundedCounts(counter, maxItemsPerUser);
      const left = new Map(items.map((item, index) => [item, users[index]!]));
      const all = counter.histogram().items.map((item) => left.get(item) ?? 0);
      this.#bounded = { counter, most: maxItemsPerUser, users: all };
    }
    return this.#bounded.users;
  }

  /** Where the counts came from, in public terms. */
  sourceOf(question: Question, style: NumberStyle = "plain"): ReleaseSource {
    const { source } = this.#require();
    if (style === "plain" || kindOf(question).shape !== "values") return source;
    return { ...source, dialect: { ...source.dialect, numbers: style } };
  }

  #requireGroups(): GroupedCounter {
    const { grouped } = this.#require();
    if (grouped === undefined) throw noFile();
    return grouped;
  }

  #require(): Counted {
    if (this.#counted === undefined) throw noFile();
    return this.#counted;
  }
}

function boundedCounts(counter: UserCounter, maxItemsPerUser: number): CountedItems {
  const counts = boundContributions(counter.pairs(), { maxItemsPerUser });
  return { items: [...counts.keys()], users: [...counts.values()] };
}

/** Values that aren't numbers are left out first, so that they take no place of one that is. */
function boundedNumbers(counter: UserCounter, maxValuesPerUser: number, style?: NumberStyle): CountedItems {
  const counts = boundValues(plainRows(counter, style), { maxValuesPerUser });
  return { items: [...counts.keys()], users: [...counts.values()] };
}

/** By the rule that the command line's engine reads by. */
function isNumber(style: NumberStyle = "plain"): (item: string) => boolean {
  return (item) => plainNumber(item, style) !== undefined;
}

function* plainRows(counter: UserCounter, style?: NumberStyle): Generator<readonly [string, string], void> {
  const plain = new Map<string, string>();
  const isOne = (item: string) => {
    const number = plainNumber(item, style);
    if (number !== undefined) plain.set(item, number);
    return number !== undefined;
  };
  for (const [user, item] of counter.rows(isOne)) yield [user, plain.get(item)!];
}

/** How many items are numbers in each style, and how many of those that aren't plain ones are in another. */
function numbersIn(counter: UserCounter): Pick<PrivateView, "numbers" | "written"> {
  const numbers = { plain: 0, point: 0, comma: 0 };
  const written = { point: 0, comma: 0 };
  counter.itemsThat((item) => {
    const isPlain = plainNumber(item) !== undefined;
    for (const style of NUMBER_STYLES) {
      if (plainNumber(item, style) === undefined) continue;
      numbers[style]++;
      if (!isPlain && style !== "plain") written[style]++;
    }
    return false;
  });
  return { numbers, written };
}

type Counts = { readonly limit: number; readonly counted: number };
const LIMITS = [1, 2, 3, 5, 10, 20, 50, 100, 200];

/** A value by the share of values below it. */
interface SortedValues {
  readonly total: number;
  at(share: number): string;
}

function valuesOf(counter: UserCounter, style: NumberStyle): Iterable<readonly [string, number]> {
  const copies = new Map<string, number>();
  for (const [, value] of plainRows(counter, style)) copies.set(value, (copies.get(value) ?? 0) + 1);
  return copies;
}

function sortedValues(copies: Iterable<readonly [string, number]>): SortedValues {
  const sorted = [...copies].sort(([a], [b]) => Number(a) - Number(b));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return {
    total,
    at: (share) => {
      let rank = Math.min(Math.max(share, 0), 1) * total;
      for (const [value, count] of sorted) {
        rank -= count;
        if (rank <= 0) return value;
      }
      return sorted.at(-1)?.[0] ?? "";
    },
  };
}

const [BLOCK, BLOCKS] = [65_536, 64];

/** HMAC-SHA-256 of the size of a file and of blocks spread evenly over it, as the command line marks files. */
async function markOf(file: File, key: string): Promise<string | undefined> {
  const blocks = Math.ceil(file.size / BLOCK);
  const places = Array.from({ length: Math.min(blocks, BLOCKS) }, (_, i) =>
    blocks <= BLOCKS ? i * BLOCK : Math.floor((i * (file.size - BLOCK)) / (BLOCKS - 1)),
  );
  const parts = [new Blob([`${file.size}\n`]), ...places.map((place) => file.slice(place, place + BLOCK))];
  try {
    const bytes = Uint8Array.from(key.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const secret = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    return hexOf(await crypto.subtle.sign("HMAC", secret, await new Blob(parts).arrayBuffer()));
  } catch {
    return undefined; // the file is gone; reading its rows says so
  }
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How many items have how many people. */
function frequenciesOf({ users }: Pick<CountedItems, "users">): CountedItems {
  const items = new Map<string, number>();
  for (const count of users) items.set(String(count), (items.get(String(count)) ?? 0) + 1);
  return { items: [...items.keys()], users: [...items.values()] };
}

type Contributions = Pick<NumberPlan, "counted" | "all" | "skipped" | "group">;

function contributionsOf(
  counter: UserCounter,
  kind: Question["kind"],
  most: number,
  style: NumberStyle,
): Contributions {
  if (kindOf({ kind }).shape !== "values")
    return { counted: counter.pairsOfAtMost(most), all: counter.pairsOfAtMost(Infinity) };
  const isOne = isNumber(style);
  return {
    counted: counter.rowsOfAtMost(most, isOne),
    all: counter.rowsOfAtMost(Infinity, isOne),
    skipped: counter.items - counter.itemsThat(isOne),
  };
}

function foundFile(file: File): FoundFile {
  const hash = async () => {
    const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    return hexOf(digest);
  };
  return { size: file.size, hash, mark: (key) => markOf(file, key) };
}

/** By two columns a line is one of CSV. */
function groupOfLine(line: string, columns: number): string {
  if (columns === 1 || line === "") return line;
  const fields = parseDelimitedLine(line, { delimiter: ",", quote: '"' });
  if (fields?.length !== columns || fields.includes(""))
    throw new Refusal(
      "no-candidates",
      "Each line of the list of groups must have two names, such as 2026-10,DE.",
    );
  return groupText(fields);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function noFile(): Refusal {
  return new Refusal("no-file", "No file has been counted yet.");
}
