/**
 * PostgreSQL as a source: the server counts, in one transaction that may only read and is rolled back, and the counts come
 * through a server-side cursor as fast as they are taken. Only counts cross the network.
 * @module
 */
import type { Client } from "pg";
import { Refusal } from "../refusal.js";
import { readPostgresAddress } from "./postgres-connection.js";
import { refuseQuery } from "./postgres-refusal.js";
import { PostgresSession } from "./postgres-session.js";
import {
  type Column,
  countAll,
  countIntegers,
  countLargest,
  countListed,
  countPublic,
  describe,
  publicNames,
  quotePostgres,
  type Statement,
} from "./postgres-sql.js";
import { chooseColumn } from "./public-column.js";
import { checkNames, joinHere, readList, withoutUsers } from "./server-list.js";
import { type Relation, readRelation, tableNamed } from "./server-relation.js";
import type { Batch, Candidates, HistogramRequest, PublicTable, Source, SourceOptions } from "./source.js";

export async function openPostgres(location: string, options: SourceOptions): Promise<Source> {
  const relation = readRelation(options, quotePostgres);
  const address = readPostgresAddress(location);
  const session = await PostgresSession.open(address, options);
  try {
    const { encoding, columns } = await readSchema(session.client, relation);
    if (encoding === "SQL_ASCII")
      throw new Refusal(
        "unreadable-source",
        "The database has the encoding SQL_ASCII, which does not say what its bytes mean.",
      );
    return new PostgresSource(() => PostgresSession.open(address, options), relation, columns, encoding);
  } catch (error) {
    throw refuseQuery(error);
  } finally {
    await session.close();
  }
}

/** A text without values would go by the simple protocol, which runs several statements, a COMMIT among them. */
const ONE_STATEMENT = { queryMode: "extended" } as const;

async function readSchema(
  client: Client,
  relation: Relation,
): Promise<{ encoding: string; columns: Column[] }> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  return { encoding: rows[0].server_encoding, columns: await readColumns(client, relation) };
}

async function readColumns(client: Client, relation: Relation): Promise<Column[]> {
  const { fields } = await client.query({ ...ONE_STATEMENT, text: describe(relation), rowMode: "array" });
  return fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
}

/** The names of a public table, some at a time. */
export async function* readPostgresNames(
  location: string,
  listed: PublicTable,
  limits: SourceOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<string[]> {
  const connect = () => PostgresSession.open(readPostgresAddress(location), limits);
  for await (const rows of rowsOf(connect, (client) => namesOf(client, listed), signal))
    yield rows.map(([name]) => name);
}

async function namesOf(client: Client, listed: PublicTable): Promise<Statement> {
  const relation = tableNamed(listed.table, quotePostgres, "--domain-table");
  return publicNames(relation, chooseColumn(await readColumns(client, relation), listed));
}

/** The rows of a statement, which may be made of what the schema says, in a session of its own. */
async function* rowsOf(
  connect: () => Promise<PostgresSession>,
  ask: (client: Client) => Statement | Promise<Statement>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string[][]> {
  signal?.throwIfAborted();
  const session = await connect();
  const stopListening = session.cancelOn(signal);
  try {
    yield* session.rows(await ask(session.client));
  } catch (error) {
    signal?.throwIfAborted();
    throw session.refuse(error);
  } finally {
    stopListening();
    await session.close();
  }
}

class PostgresSource implements Source {
  readonly columns: readonly string[];
  readonly dialect: Readonly<Record<string, string>>;
  readonly #connect: () => Promise<PostgresSession>;
  readonly #relation: Relation;
  readonly #schema: ReadonlyMap<string, Column>;

  constructor(
    connect: () => Promise<PostgresSession>,
    relation: Relation,
    schema: readonly Column[],
    encoding: string,
  ) {
    this.#connect = connect;
    this.#relation = relation;
    this.#schema = new Map(schema.map((column) => [column.name, column]));
    this.columns = schema.map(({ name }) => name);
    this.dialect = { engine: "postgresql", read: relation.kind, encoding };
  }

  async *histogram(request: HistogramRequest): AsyncGenerator<Batch> {
    const item = this.#column(request.item);
    const user = this.#column(request.user);
    const { candidates } = request;
    switch (candidates.kind) {
      case "largest":
        return yield* this.#count(() => countLargest(this.#relation, item, user, candidates.rows), request);
      case "integers":
        return yield* this.#count(() => countIntegers(this.#relation, item, user, candidates.below), request);
      case "listed":
        return yield* this.#countListed(item, user, candidates, request);
    }
  }

  async *#countListed(
    item: Column,
    user: Column,
    { items, table }: Extract<Candidates, { kind: "listed" }>,
    request: HistogramRequest,
  ): AsyncGenerator<Batch> {
    if (table !== undefined)
      return yield* checkNames(
        this.#count(
          async (client) => countPublic(this.#relation, item, user, await namesOf(client, table)),
          request,
        ),
        items,
      );
    const list = await readList(items);
    if (list.kind === "kept")
      return yield* joinHere(
        this.#count(() => countAll(this.#relation, item, user), request),
        list.items,
      );
    // No text of PostgreSQL holds a NUL, and none may be sent.
    const possible = list.items.filter((name) => !name.includes("\0"));
    yield* withoutUsers(list.items.filter((name) => name.includes("\0")));
    const sent = { kind: "sent", items: possible } as const;
    yield* this.#count(() => countListed(this.#relation, item, user, sent), request);
  }

  async *#count(
    ask: (client: Client) => Statement | Promise<Statement>,
    { signal, onProgress }: HistogramRequest,
  ): AsyncGenerator<Batch> {
    onProgress?.(undefined); // PostgreSQL does not tell how far a count is
    for await (const rows of rowsOf(this.#connect, ask, signal))
      yield { items: rows.map(([item]) => item), users: rows.map(([, users]) => Number(users)) };
  }

  #column(name: string): Column {
    const column = this.#schema.get(name);
    if (column !== undefined) return column;
    throw new Refusal("unknown-column", `The ${this.#relation.kind} has no column ${JSON.stringify(name)}.`);
  }

  skippedLines(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}
}
