/**
 * A database server as a source, whatever its engine: which relation is read, and which question is sent. The differences
 * between engines, in their statements and in how answers arrive, are behind `ServerEngine`.
 *
 * A short public list of candidates is sent along and joined in the engine, so only listed items come back. A long
 * one stays here: the histogram streams past it, and candidates that never appear have no users. A public table on
 * the server is joined there, whatever its size. Either way each candidate comes out once.
 *
 * The relation is a table by its name, one SELECT as a subquery (as we print it, unless it is trusted), or the column of a
 * public table with the candidates, chosen by the schema, never by rows. A name is split at its dots and quoted part by part, so it can only ever be a name.
 * @module
 */

import { didYouMean, Refusal } from "winnow-release";
import { checkGroupColumns, splitGroups } from "./groups.js";
import { lengthOfMap, madeName } from "./item-sql.js";
import type { QueryDialect, TableColumn } from "./query/query-dialect.js";
import { readQuery } from "./query/read-query.js";
import {
  type Batch,
  type Candidates,
  type ComputedItems,
  type GroupsRequest,
  type HistogramRequest,
  type PublicTable,
  type Source,
  type SourceOptions,
  sameColumn,
} from "./source.js";

/** The columns of a question. */
export interface Roles<Column> {
  readonly item: Column;
  readonly user: Column;
}

/** The columns of a question in groups, and which of its items may come back. */
export interface GroupedRoles<Column> extends Roles<Column> {
  /** Those of the groups. */
  readonly by: readonly Column[];
  /** A list that is sent along. */
  readonly listed?: readonly string[] | undefined;
  /** Items whose text has more bytes don't come back. */
  readonly mostBytes?: number | undefined;
}

export type GroupedHistogramRequest = HistogramRequest & { readonly groups: GroupsRequest };

/** Counts of distinct users: each answer contains each of its items once. */
export interface ServerEngine<Column extends { readonly name: string }> {
  readonly relation: Relation;
  /** The columns of the relation. */
  readonly schema: readonly Column[];
  /** A column of texts that a statement makes. */
  textColumn(name: string): Column;
  readonly dialect: Readonly<Record<string, string>>;
  /** The longest list that may be sent along, in UTF-16 units; undefined if the engine has no limit. */
  readonly longestList: number | undefined;
  /** The items with users whose text has at most this many bytes. */
  countAll(roles: Roles<Column>, mostBytes: number, request: HistogramRequest): AsyncIterable<Batch>;
  /** The items of a list, including those without users. */
  countListed(
    roles: Roles<Column>,
    items: readonly string[],
    request: HistogramRequest,
  ): AsyncIterable<Batch>;
  /** The names of a public table, including those without users. */
  countNamed(roles: Roles<Column>, names: PublicTable, request: HistogramRequest): AsyncIterable<Batch>;
  /** The items that are whole numbers below a bound, and have users. */
  countIntegers(roles: Roles<Column>, below: number, request: HistogramRequest): AsyncIterable<Batch>;
  /** The items that are numbers, and have users. */
  countNumbers(roles: Roles<Column>, request: HistogramRequest): AsyncIterable<Batch>;
  /** Each number of people that items have, with the number of such items. */
  countFrequencies(roles: Roles<Column>, request: HistogramRequest): AsyncIterable<Batch>;
  /** At most this many items, those with the most users first. */
  countLargest(roles: Roles<Column>, rows: number, request: HistogramRequest): AsyncIterable<Batch>;
  /**
   * Counts of each group, one group after the other: the text of the group with its length (`measured`) is before each item. Of
   * groups themselves (`candidates.kind`), how many people are in each.
   */
  countInGroups(roles: GroupedRoles<Column>, request: GroupedHistogramRequest): AsyncIterable<Batch>;
  /** Skipped names; undefined if the engine never skips any. */
  skipped(): number | undefined;
  /** Rows of counts that the server sent for the last question. */
  delivered(): number;
  close(): Promise<void>;
}

export function serverSource<Column extends { readonly name: string }>(engine: ServerEngine<Column>): Source {
  return {
    columns: engine.schema.map(({ name }) => name),
    dialect: engine.dialect,
    histogram: (request) => count(engine, request),
    skippedLines: () => engine.skipped(),
    skippedValues: () => ({}),
    skippedRows: () => ({}),
    itemsInRows: () => undefined,
    similarUsers: async () => undefined, // would be another query
    rowsDelivered: () => engine.delivered(),
    close: () => engine.close(),
  };
}

async function* count<Column extends { readonly name: string }>(
  engine: ServerEngine<Column>,
  request: HistogramRequest,
): AsyncGenerator<Batch> {
  const { candidates, computed, groups } = request;
  const read = computed?.parts.map(({ column }) => column) ?? [request.item];
  if (read.includes(request.user)) throw sameColumn(candidates.kind === "numbers");
  for (const name of read) columnOf(engine, name);
  checkMapLength(computed, engine.longestList);
  const item =
    computed === undefined ? columnOf(engine, request.item) : engine.textColumn(madeName(engine.schema));
  const roles = { item, user: columnOf(engine, request.user) };
  if (groups !== undefined) return yield* countGroups(engine, roles, { ...request, groups });
  switch (candidates.kind) {
    case "largest":
      return yield* engine.countLargest(roles, candidates.rows, request);
    case "frequencies":
      return yield* engine.countFrequencies(roles, request);
    case "numbers":
      return yield* engine.countNumbers(roles, request);
    case "integers":
      return yield* engine.countIntegers(roles, candidates.below, request);
    case "listed":
      return yield* countListed(engine, roles, candidates, request);
    case "groups":
      throw new Refusal("usage", "Groups are counted in a count by groups only.");
  }
}

/** A map is part of a statement, once for each item of a row. */
function checkMapLength(computed: ComputedItems | undefined, longestList = MOST_SENT): void {
  if (computed?.map === undefined) return;
  if (lengthOfMap(computed.map) * computed.parts.length > longestList)
    throw new Refusal(
      "usage",
      "--map must be a shorter map for this server, because it is part of a statement; in PostgreSQL its database must be UTF8.",
    );
}

/** A short list of candidates is sent along; of a long one, all items come that aren't too long to be in it. */
async function* countGroups<Column extends { readonly name: string }>(
  engine: ServerEngine<Column>,
  roles: Roles<Column>,
  request: GroupedHistogramRequest,
): AsyncGenerator<Batch> {
  const { candidates, groups } = request;
  checkGroupColumns(groups, request.item, request.user);
  checkListed(groups, engine.longestList);
  const by = groups.by.map((name) => columnOf(engine, name));
  const list =
    candidates.kind === "listed" ? await readList(candidates.items, engine.longestList) : undefined;
  const items =
    list === undefined ? {} : list.kind === "sent" ? { listed: list.items } : { mostBytes: list.mostBytes };
  const batches = engine.countInGroups({ ...roles, by, ...items }, request);
  if (candidates.kind === "groups") return yield* batches;
  const isListed = (item: string) => list?.kind !== "kept" || list.items.has(item);
  for await (const { group, items, users } of splitGroups(batches)) {
    const places = [...items.keys()].filter((place) => isListed(items[place]));
    if (places.length > 0)
      yield { group, items: places.map((place) => items[place]), users: places.map((place) => users[place]) };
  }
}

/** In UTF-16 units, as a list of candidates. */
function checkListed({ listed = [], only = [] }: GroupsRequest, longestList: number | undefined): void {
  const length = [...listed, ...only].reduce((sum, name) => sum + name.length + 1, 0);
  if (longestList !== undefined && longestList > 0 && length > longestList)
    throw new Refusal(
      "usage",
      "--groups must be a shorter list for this server, because it is part of a statement.",
    );
}

async function* countListed<Column extends { readonly name: string }>(
  engine: ServerEngine<Column>,
  roles: Roles<Column>,
  { items, table }: Extract<Candidates, { kind: "listed" }>,
  request: HistogramRequest,
): AsyncGenerator<Batch> {
  if (table !== undefined) return yield* checkNames(engine.countNamed(roles, table, request), items);
  const list = await readList(items, engine.longestList);
  if (list.kind === "kept")
    return yield* joinHere(engine.countAll(roles, list.mostBytes, request), list.items);
  if (list.items.length > 0) yield* engine.countListed(roles, list.items, request);
}

function columnOf<Column extends { readonly name: string }>(
  { relation, schema }: ServerEngine<Column>,
  name: string,
): Column {
  const column = schema.find((one) => one.name === name);
  if (column !== undefined) return column;
  throw new Refusal("unknown-column", `The ${relation.kind} has no column ${JSON.stringify(name)}.`);
}

/** In UTF-16 units: sending a list of this length costs the network and the engine less than most histograms. */
const MOST_SENT = 1 << 20;
const ITEMS_IN_A_BATCH = 10_000;

type PublicList =
  | { readonly kind: "sent"; readonly items: readonly string[] }
  | {
      readonly kind: "kept";
      readonly items: Set<string>;
      /** No listed item has more bytes; longer items aren't listed and needn't be sent, however long someone made them. */
      readonly mostBytes: number;
    };

/** Reads the list, each item once. */
export async function readList(
  items: Iterable<string> | AsyncIterable<string>,
  mostSent = MOST_SENT,
): Promise<PublicList> {
  const listed = new Set<string>();
  let length = 0;
  for await (const item of items) {
    if (!listed.has(item)) length += item.length + 1;
    listed.add(item);
  }
  if (length <= mostSent) return { kind: "sent", items: [...listed] };
  return { kind: "kept", items: listed, mostBytes: mostBytesOf(listed) };
}

function mostBytesOf(items: Iterable<string>): number {
  let most = 0;
  for (const item of items) most = Math.max(most, Buffer.byteLength(item));
  return most;
}

/** The counts of the listed items, then 0 for the others; consumes the list. */
export async function* joinHere(counted: AsyncIterable<Batch>, listed: Set<string>): AsyncGenerator<Batch> {
  for await (const { items, users } of counted) {
    const places = [...items.keys()].filter((place) => listed.delete(items[place]));
    yield { items: places.map((place) => items[place]), users: places.map((place) => users[place]) };
  }
  yield* withoutUsers(listed);
}

/** The counts joined with a public table, if its names are still those of the question. */
async function* checkNames(
  counted: AsyncIterable<Batch>,
  names: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Batch> {
  const missing = new Set<string>();
  for await (const name of names) missing.add(name);
  for await (const batch of counted) {
    if (!batch.items.every((item) => missing.delete(item))) throw tableChanged();
    yield batch;
  }
  if (missing.size > 0) throw tableChanged();
}

function tableChanged(): Refusal {
  return new Refusal("server-failed", "The public table of --domain-table changed while it was read.");
}

/** Batches of items that have no users. */
export function* withoutUsers(absent: Iterable<string>): Generator<Batch> {
  let items: string[] = [];
  for (const item of absent) {
    if (items.push(item) < ITEMS_IN_A_BATCH) continue;
    yield { items, users: new Array(ITEMS_IN_A_BATCH).fill(0) };
    items = [];
  }
  if (items.length > 0) yield { items, users: new Array(items.length).fill(0) };
}

/** How an engine quotes a name. */
type Quote = (name: string) => string;

export interface Relation {
  /** For the FROM clause; a subquery still needs an alias. */
  readonly sql: string;
  readonly kind: "table" | "query";
}

/** Looks up the columns of a table in the schema. */
type LookUp = (table: Relation) => Promise<readonly TableColumn[]>;

/**
 * The relation of the options. A query that isn't trusted is checked at once, and again when the columns of its table are
 * known.
 */
export function readRelation(
  { table, query, trustQuery }: SourceOptions,
  dialect: QueryDialect,
): (lookUp: LookUp) => Promise<Relation> {
  if ((table === undefined) === (query === undefined))
    throw new Refusal("usage", "A database server needs one of --table and --query.");
  if (query === undefined) {
    const named = tableNamed(table ?? "", dialect.quote, "--table");
    return async () => named;
  }
  if (trustQuery) {
    const trusted = { kind: "query", sql: asSubquery(query) } as const;
    return async () => trusted;
  }
  const rows = readQuery(query, dialect);
  return async (lookUp) => {
    const columns = await lookUp({ kind: "table", sql: rows.table });
    return { kind: "query", sql: `(${rows.print(columns)})` };
  };
}

/** `option` is the option with the name. */
export function tableNamed(name: string, quote: Quote, option: string): Relation {
  return { kind: "table", sql: splitName(name, option).map(quote).join(".") };
}

/** A comment at the end can't swallow the parenthesis, and one semicolon at the end doesn't make a second statement. */
function asSubquery(query: string): string {
  const statement = query.trim().replace(/;$/, "").trim();
  if (!/^(select|with)\b/i.test(statement))
    throw new Refusal("bad-query", "--query must be one statement that starts with SELECT or WITH.");
  return `(${statement}\n)`;
}

/** `schema.table` has two parts; dots between double quotes or backticks belong to the name, doubled quotes are one. */
export function splitName(name: string, option = "--table"): string[] {
  const parts = [...name.matchAll(/\s*(?:"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^."`\s]+))\s*(\.|$)/gy)];
  const length = parts.reduce((sum, [whole]) => sum + whole.length, 0);
  const isWhole = parts.length > 0 && length === name.length && parts.at(-1)?.[4] === "";
  if (!isWhole || name.includes("\0"))
    throw new Refusal(
      "usage",
      `${option} must be the name of a table, such as visits or "my schema".visits.`,
    );
  return parts.map(
    ([, quoted, backticked, plain]) =>
      quoted?.replaceAll('""', '"') ?? backticked?.replaceAll("``", "`") ?? plain,
  );
}

/** The named column, or the only one. */
export function chooseColumn<C extends { readonly name: string }>(
  columns: readonly C[],
  { table, column }: PublicTable,
): C {
  const names = columns.map(({ name }) => name);
  const chosen = column === undefined && columns.length === 1 ? 0 : names.indexOf(column ?? "");
  if (chosen >= 0) return columns[chosen];
  throw new Refusal(
    "unknown-column",
    column === undefined
      ? `The public table ${JSON.stringify(table)} has several columns: choose the one with the candidates with --domain-column.`
      : `The public table ${JSON.stringify(table)} has no column ${JSON.stringify(column)}.${didYouMean(column, names)}`,
  );
}
