/**
 * A database server as a source, whatever its engine: which question is put to it. What differs between engines, their
 * statements and how answers come in, is behind `ServerEngine`.
 * @module
 */
import { Refusal } from "../refusal.js";
import { checkNames, joinHere, readList } from "./server-list.js";
import type { Relation } from "./server-relation.js";
import type { Batch, Candidates, HistogramRequest, PublicTable, Source } from "./source.js";

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
  /** At most so many items, those with the most users first. */
  countLargest(roles: Roles<Column>, rows: number, request: HistogramRequest): AsyncIterable<Batch>;
  /** Names that could not be read and counted for nobody; undefined where there can be none. */
  skipped(): number | undefined;
  close(): Promise<void>;
}

export function serverSource<Column extends { readonly name: string }>(engine: ServerEngine<Column>): Source {
  return {
    columns: engine.schema.map(({ name }) => name),
    dialect: engine.dialect,
    histogram: (request) => count(engine, request),
    skippedLines: () => engine.skipped(),
    close: () => engine.close(),
  };
}

async function* count<Column extends { readonly name: string }>(
  engine: ServerEngine<Column>,
  request: HistogramRequest,
): AsyncGenerator<Batch> {
  const { candidates } = request;
  if (request.item === request.user)
    throw new Refusal("usage", "--item and --user must be different columns.");
  const roles = { item: columnOf(engine, request.item), user: columnOf(engine, request.user) };
  switch (candidates.kind) {
    case "largest":
      return yield* engine.countLargest(roles, candidates.rows, request);
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
