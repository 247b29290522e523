/**
 * A database server as a source, whatever its engine: which question is sent to it. What differs between engines,
 * their statements and how answers arrive, is behind `ServerEngine`.
 *
 * A short public list of candidates is sent along and joined in the engine, so only listed items come back. A long
 * one stays here: the histogram streams past it, and candidates that never appear have no users. A public table on
 * the server is joined there, whatever its size. Either way each candidate comes out once.
 * @module
 */
import { Refusal } from "../refusal.js";
import type { Relation } from "./server-relation.js";
import {
  type Batch,
  type Candidates,
  type HistogramRequest,
  type PublicTable,
  type Source,
  sameColumn,
} from "./source.js";

/** The columns that a question is about. */
export interface Roles<Column> {
  readonly item: Column;
  readonly user: Column;
}

/** Counts of distinct users: each answer has each of its items once. */
export interface ServerEngine<Column extends { readonly name: string }> {
  readonly relation: Relation;
  /** The columns of the relation. */
  readonly schema: readonly Column[];
  readonly dialect: Readonly<Record<string, string>>;
  /** How long a list may be to be sent along, in UTF-16 units; undefined if the engine does not mind. */
  readonly longestList: number | undefined;
  /** The items that have users, and whose text has at most so many bytes. */
  countAll(roles: Roles<Column>, mostBytes: number, request: HistogramRequest): AsyncIterable<Batch>;
  /** The items of a list, also those without users. */
  countListed(
    roles: Roles<Column>,
    items: readonly string[],
    request: HistogramRequest,
  ): AsyncIterable<Batch>;
  /** The names of a public table, also those without users. */
  countNamed(roles: Roles<Column>, names: PublicTable, request: HistogramRequest): AsyncIterable<Batch>;
  /** The items that are whole numbers below a bound, and have users. */
  countIntegers(roles: Roles<Column>, below: number, request: HistogramRequest): AsyncIterable<Batch>;
  /** The items that are numbers, and have users. */
  countNumbers(roles: Roles<Column>, request: HistogramRequest): AsyncIterable<Batch>;
  /** How many people items have, with how many items have so many. */
  countFrequencies(roles: Roles<Column>, request: HistogramRequest): AsyncIterable<Batch>;
  /** At most so many items, those with the most users first. */
  countLargest(roles: Roles<Column>, rows: number, request: HistogramRequest): AsyncIterable<Batch>;
  /** Names that could not be read and counted for nobody; undefined where there can be none. */
  skipped(): number | undefined;
  /** Rows of counts that came from the server for the last question. */
  delivered(): number;
  close(): Promise<void>;
}

export function serverSource<Column extends { readonly name: string }>(engine: ServerEngine<Column>): Source {
  return {
    columns: engine.schema.map(({ name }) => name),
    dialect: engine.dialect,
    histogram: (request) => count(engine, request),
    skippedLines: () => engine.skipped(),
    skippedValues: () => undefined,
    itemsInRows: () => undefined,
    rowsDelivered: () => engine.delivered(),
    close: () => engine.close(),
  };
}

async function* count<Column extends { readonly name: string }>(
  engine: ServerEngine<Column>,
  request: HistogramRequest,
): AsyncGenerator<Batch> {
  const { candidates } = request;
  if (request.item === request.user) throw sameColumn(candidates.kind === "numbers");
  const roles = { item: columnOf(engine, request.item), user: columnOf(engine, request.user) };
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
  }
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

/** Of text, in UTF-16 units: what is sent along costs the network and the engine less than most histograms. */
const MOST_SENT = 1 << 20;
const ITEMS_IN_A_BATCH = 10_000;

type PublicList =
  | { readonly kind: "sent"; readonly items: readonly string[] }
  | {
      readonly kind: "kept";
      readonly items: Set<string>;
      /** No item has more bytes: what is longer is not listed, and need not come, however long somebody made it. */
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

/** The counts of the listed items, then 0 for the others; uses the list up. */
export async function* joinHere(counted: AsyncIterable<Batch>, listed: Set<string>): AsyncGenerator<Batch> {
  for await (const { items, users } of counted) {
    const places = [...items.keys()].filter((place) => listed.delete(items[place]));
    yield { items: places.map((place) => items[place]), users: places.map((place) => users[place]) };
  }
  yield* withoutUsers(listed);
}

/** What a public table was joined with, if its names are still those that the question was asked about. */
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
