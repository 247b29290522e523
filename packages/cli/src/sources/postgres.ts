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
  describe,
  quotePostgres,
  type Statement,
} from "./postgres-sql.js";
import { joinHere, readList, withoutUsers } from "./server-list.js";
import { type Relation, readRelation } from "./server-relation.js";
import type { Batch, HistogramRequest, Source, SourceOptions } from "./source.js";

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
  const { fields } = await client.query({ ...ONE_STATEMENT, text: describe(relation), rowMode: "array" });
  const columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  return { encoding: rows[0].server_encoding, columns };
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
        return yield* this.#count(countLargest(this.#relation, item, user, candidates.rows), request);
      case "integers":
        return yield* this.#count(countIntegers(this.#relation, item, user, candidates.below), request);
      case "listed":
        return yield* this.#countListed(item, user, candidates.items, request);
    }
  }

  async *#countListed(
    item: Column,
    user: Column,
    items: Iterable<string> | AsyncIterable<string>,
    request: HistogramRequest,
  ): AsyncGenerator<Batch> {
    const list = await readList(items);
    if (list.kind === "kept")
      return yield* joinHere(this.#count(countAll(this.#relation, item, user), request), list.items);
    // No text of PostgreSQL holds a NUL, and none may be sent.
    const possible = list.items.filter((name) => !name.includes("\0"));
    yield* withoutUsers(list.items.filter((name) => name.includes("\0")));
    yield* this.#count(countListed(this.#relation, item, user, { kind: "sent", items: possible }), request);
  }

  async *#count(statement: Statement, { signal, onProgress }: HistogramRequest): AsyncGenerator<Batch> {
    signal?.throwIfAborted();
    const session = await this.#connect();
    const stopListening = session.cancelOn(signal);
    try {
      onProgress?.(undefined); // PostgreSQL does not tell how far a count is
      for await (const rows of session.rows(statement))
        yield { items: rows.map(([item]) => item), users: rows.map(([, users]) => Number(users)) };
    } catch (error) {
      signal?.throwIfAborted();
      throw session.refuse(error);
    } finally {
      stopListening();
      await session.close();
    }
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
