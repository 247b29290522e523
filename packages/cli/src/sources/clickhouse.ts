/**
 * ClickHouse as a source, one server or a cluster behind a Distributed table: the engine counts where the rows are, and the
 * counts come as a stream of lines, as fast as they are taken. Only counts cross the network to us.
 * @module
 */
import { Refusal } from "../refusal.js";
import { readCounts } from "./clickhouse-lines.js";
import { ClickhouseServer } from "./clickhouse-server.js";
import {
  type Column,
  countAll,
  countIntegers,
  countLargest,
  countListed,
  countPublic,
  describe,
  publicNames,
  quoteClickhouse,
} from "./clickhouse-sql.js";
import { chooseColumn } from "./public-column.js";
import { checkNames, joinHere, readList } from "./server-list.js";
import { type Relation, readRelation, tableNamed } from "./server-relation.js";
import type { Batch, Candidates, HistogramRequest, PublicTable, Source, SourceOptions } from "./source.js";

export async function openClickhouse(location: string, options: SourceOptions): Promise<Source> {
  const relation = readRelation(options, quoteClickhouse);
  const server = await ClickhouseServer.open(location, options);
  try {
    return new ClickhouseSource(server, relation, await readColumns(server, relation));
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function readColumns(server: ClickhouseServer, relation: Relation): Promise<Column[]> {
  return (await server.table(describe(relation))).map(([name, type]) => ({ name, type }));
}

/** The names of a public table, some at a time; a name that is no text is none. */
export async function* readClickhouseNames(
  location: string,
  listed: PublicTable,
  limits: SourceOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly string[]> {
  const server = await ClickhouseServer.open(location, limits);
  try {
    const [relation, column] = await readPublicColumn(server, listed);
    const bytes = server.stream(publicNames(relation, column), signal, undefined);
    for await (const { items } of readCounts(bytes, () => {})) yield items;
  } finally {
    await server.close();
  }
}

async function readPublicColumn(server: ClickhouseServer, listed: PublicTable): Promise<[Relation, Column]> {
  const relation = tableNamed(listed.table, quoteClickhouse, "--domain-table");
  return [relation, chooseColumn(await readColumns(server, relation), listed)];
}

class ClickhouseSource implements Source {
  readonly columns: readonly string[];
  readonly dialect: Readonly<Record<string, string>>;
  readonly #server: ClickhouseServer;
  readonly #relation: Relation;
  readonly #schema: ReadonlyMap<string, Column>;
  #skipped = 0;

  constructor(server: ClickhouseServer, relation: Relation, schema: readonly Column[]) {
    this.#server = server;
    this.#relation = relation;
    this.#schema = new Map(schema.map((column) => [column.name, column]));
    this.columns = schema.map(({ name }) => name);
    this.dialect = { engine: "clickhouse", read: relation.kind, encoding: "UTF8" };
  }

  async *histogram(request: HistogramRequest): AsyncGenerator<Batch> {
    const item = this.#column(request.item);
    const user = this.#column(request.user);
    const { candidates } = request;
    switch (candidates.kind) {
      case "largest":
        return yield* this.#countLargest(item, user, candidates.rows, request);
      case "integers":
        return yield* this.#count(countIntegers(this.#relation, item, user, candidates.below), request);
      case "listed":
        return yield* this.#countListed(item, user, candidates, request);
    }
  }

  /** Names that are no text are none of the largest: if there are any among them, more rows are asked for. */
  async *#countLargest(
    item: Column,
    user: Column,
    rows: number,
    request: HistogramRequest,
  ): AsyncGenerator<Batch> {
    for (let limit = rows; ; limit *= 2) {
      const items: string[] = [];
      const users: number[] = [];
      this.#skipped = 0;
      for await (const batch of this.#count(countLargest(this.#relation, item, user, limit), request)) {
        items.push(...batch.items);
        users.push(...batch.users);
      }
      if (items.length < rows && items.length + this.#skipped === limit) continue;
      return yield { items: items.slice(0, rows), users: users.slice(0, rows) };
    }
  }

  async *#countListed(
    item: Column,
    user: Column,
    { items, table }: Extract<Candidates, { kind: "listed" }>,
    request: HistogramRequest,
  ): AsyncGenerator<Batch> {
    if (table !== undefined) {
      const statement = countPublic(
        this.#relation,
        item,
        user,
        ...(await readPublicColumn(this.#server, table)),
      );
      return yield* checkNames(this.#count(statement, request), items);
    }
    const list = await readList(items, this.#server.longestList);
    if (list.kind === "kept")
      return yield* joinHere(this.#count(countAll(this.#relation, item, user), request), list.items);
    if (list.items.length === 0) return;
    yield* this.#count(countListed(this.#relation, item, user, list.items), request);
  }

  #count(statement: string, { signal, onProgress }: HistogramRequest): AsyncGenerator<Batch> {
    signal?.throwIfAborted();
    return readCounts(this.#server.stream(statement, signal, onProgress), (names) => {
      this.#skipped += names;
    });
  }

  #column(name: string): Column {
    const column = this.#schema.get(name);
    if (column !== undefined) return column;
    throw new Refusal("unknown-column", `The ${this.#relation.kind} has no column ${JSON.stringify(name)}.`);
  }

  /** Names that are not valid UTF-8. */
  skippedLines(): number {
    return this.#skipped;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
