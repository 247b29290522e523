/**
 * PostgreSQL as a source: the server counts in one transaction that may only read and is rolled back. The counts
 * come through a server-side cursor, as fast as they are read. Only counts cross the network.
 *
 * The encoding of a database is public. PostgreSQL converts every name to UTF-8 for us, and fails at one that has
 * no meaning in the database's encoding: then anyone who wrote such a byte would stop everyone's count. So a
 * database is refused if its encoding lets such bytes in.
 * @module
 */

import { type Client, DatabaseError } from "pg";
import { mustBeButIs, Refusal } from "winnow-release";
import {
  chooseColumn,
  type GroupedHistogramRequest,
  type GroupedRoles,
  type Relation,
  type Roles,
  readRelation,
  type ServerEngine,
  serverSource,
  tableNamed,
  withoutUsers,
} from "../server-source.js";
import type { Batch, HistogramRequest, Panel, PublicTable, Source, SourceOptions } from "../source.js";
import { readPostgresAddress, refuseQuery } from "./postgres-connection.js";
import { checkGroupsEncoding, countInGroups } from "./postgres-groups.js";
import { POSTGRES_QUERIES, tableColumns } from "./postgres-query.js";
import { PostgresSession } from "./postgres-session.js";
import {
  type Column,
  countAll,
  countFrequencies,
  countIntegers,
  countLargest,
  countListed,
  countNamed,
  countNumbers,
  describe,
  filtered,
  itemised,
  ONE_STATEMENT,
  ofPanel,
  PANEL_KEY,
  publicNames,
  quotePostgres,
  type Rows,
  readEquality,
  type Statement,
} from "./postgres-sql.js";

const PROTOCOL_VIOLATION = "08P01";
/** The number of the type text. */
const TEXT = 25;

type Connect = () => Promise<PostgresSession>;

export async function openPostgres(location: string, options: SourceOptions): Promise<Source> {
  const relationIn = readRelation(options, POSTGRES_QUERIES);
  const address = readPostgresAddress(location);
  const connect = () => PostgresSession.open(address, options);
  const session = await connect();
  try {
    const encoding = await checkEncoding(session.client);
    const relation = await relationIn((table) => tableColumns(session.client, table));
    const schema = await readColumns(session.client, relation);
    return serverSource(new PostgresEngine(connect, relation, schema, encoding));
  } catch (error) {
    throw refuseQuery(error);
  } finally {
    await session.close();
  }
}

async function readColumns(client: Client, relation: Relation): Promise<Column[]> {
  const asked = client.query({ ...ONE_STATEMENT, text: describe(relation), rowMode: "array" });
  const { fields } = await asked.catch((error) => refuseParameters(error, relation));
  return fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
}

/** The server reports missing values as a protocol violation, which otherwise means that the connection is lost. */
function refuseParameters(error: unknown, { sql }: Relation): never {
  const isBreach = error instanceof DatabaseError && error.code === PROTOCOL_VIOLATION;
  if (isBreach && /\$\d/.test(sql))
    throw new Refusal(
      "bad-query",
      "--query must not have parameters such as $1, because nothing gives them values.",
    );
  throw error;
}

/** The names of a public table, in batches. */
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

/** The rows of a statement, which is built from the schema, in a separate session. */
async function* rowsOf(
  connect: Connect,
  ask: (client: Client) => Promise<Statement>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string[][]> {
  signal?.throwIfAborted();
  const session = await connect();
  const stopListening = session.cancelOn(signal);
  try {
    const statement = await ask(session.client);
    // Between two statements or fetches there is nothing to cancel in the server.
    signal?.throwIfAborted();
    for await (const rows of session.rows(statement)) {
      signal?.throwIfAborted();
      yield rows;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw session.refuse(error);
  } finally {
    stopListening();
    await session.close();
  }
}

class PostgresEngine implements ServerEngine<Column> {
  readonly relation: Relation;
  readonly schema: readonly Column[];
  readonly dialect: Readonly<Record<string, string>>;
  readonly longestList: number | undefined;
  readonly #connect: Connect;
  #delivered = 0;

  constructor(connect: Connect, relation: Relation, schema: readonly Column[], encoding: string) {
    this.#connect = connect;
    this.relation = relation;
    this.schema = schema;
    this.dialect = { engine: "postgresql", read: relation.kind, encoding };
    // Other encodings lack some letters: a list with one of these couldn't be sent.
    this.longestList = encoding === "UTF8" ? undefined : 0;
  }

  textColumn(name: string): Column {
    return { name, type: TEXT };
  }

  countAll(roles: Roles<Column>, mostBytes: number, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(roles, request, (rows) => countAll(rows, mostBytes));
  }

  async *countListed(
    roles: Roles<Column>,
    items: readonly string[],
    request: HistogramRequest,
  ): AsyncGenerator<Batch> {
    // A PostgreSQL text can't contain NUL, and none may be sent.
    yield* withoutUsers(items.filter((name) => name.includes("\0")));
    const possible = items.filter((name) => !name.includes("\0"));
    yield* this.#count(roles, request, (rows) => countListed(rows, possible));
  }

  countNamed(roles: Roles<Column>, names: PublicTable, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(roles, request, async (rows, client) =>
      countNamed(rows, await namesOf(client, names)),
    );
  }

  countIntegers(roles: Roles<Column>, below: number, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(roles, request, (rows) => countIntegers(rows, below));
  }

  countNumbers(roles: Roles<Column>, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(roles, request, countNumbers);
  }

  countFrequencies(roles: Roles<Column>, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(roles, request, countFrequencies);
  }

  countLargest(roles: Roles<Column>, most: number, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(roles, request, (rows) => countLargest(rows, most));
  }

  async *countInGroups(
    { by, listed, mostBytes, ...roles }: GroupedRoles<Column>,
    request: GroupedHistogramRequest,
  ): AsyncGenerator<Batch> {
    checkGroupsEncoding(this.dialect.encoding);
    const { groups, candidates } = request;
    yield* this.#count(roles, request, (rows) =>
      countInGroups({ ...rows, groups, columns: by, listed, mostBytes }, candidates),
    );
  }

  async *#count(
    { item, user }: Roles<Column>,
    request: HistogramRequest,
    statementFor: (rows: Rows, client: Client) => Statement | Promise<Statement>,
  ): AsyncGenerator<Batch> {
    const { bound, where, panel, signal, onProgress } = request;
    onProgress?.(undefined); // PostgreSQL doesn't report the progress of a count
    const fitting = filtered(this.relation, where, this.schema);
    const ask = async (client: Client) => {
      const person = await readEquality(client, fitting, user);
      if (panel !== undefined) await setPanelKey(client, panel);
      const relation = itemised(ofPanel(fitting, panel, person), request, this.schema, item.name);
      return statementFor({ relation, item, user: person, bound }, client);
    };
    this.#delivered = 0;
    for await (const rows of rowsOf(this.#connect, ask, signal)) {
      this.#delivered += rows.length;
      yield { items: rows.map(([name]) => name), users: rows.map(([, users]) => Number(users)) };
    }
  }

  skipped(): undefined {
    return undefined;
  }

  delivered(): number {
    return this.#delivered;
  }

  async close(): Promise<void> {}
}

/** Until the transaction ends. */
async function setPanelKey(client: Client, { key }: Panel): Promise<void> {
  await client.query({
    ...ONE_STATEMENT,
    text: "SELECT pg_catalog.set_config($1::text, $2::text, true)",
    values: [PANEL_KEY, key],
  });
}

/** UTF-8 is validated on input; in the other encodings every byte is a letter. */
const COMPLETE_ENCODINGS = new Set([
  "UTF8",
  "LATIN1",
  "LATIN2",
  "LATIN4",
  "LATIN5",
  "LATIN6",
  "LATIN7",
  "LATIN8",
  "LATIN9",
  "LATIN10",
  "ISO_8859_5",
  "KOI8R",
  "KOI8U",
  "WIN866",
  "WIN1256",
]);

async function checkEncoding(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const [{ server_encoding: encoding }] = rows;
  if (COMPLETE_ENCODINGS.has(encoding)) return encoding;
  throw new Refusal(
    "unreadable-source",
    `${mustBeButIs("The encoding of the database", "UTF8", `${encoding}, in which some bytes are invalid`)} Copy the data to a UTF8 database.`,
  );
}
