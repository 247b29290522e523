/**
 * Trino as a source, and whatever it reaches: Iceberg, Delta Lake, Hive, object stores and other databases. The engine counts
 * where it runs, and only counts cross the network to us.
 * @module
 */
import {
  chooseColumn,
  type Relation,
  type Roles,
  readRelation,
  type ServerEngine,
  serverSource,
  tableNamed,
} from "../server-source.js";
import type { Batch, HistogramRequest, PublicTable, Source, SourceOptions } from "../source.js";
import { countInGroups } from "./trino-groups.js";
import { brokenAnswer, type TrinoColumn, TrinoServer } from "./trino-server.js";
import {
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
  LONGEST_LIST,
  ofPanel,
  publicNames,
  quoteTrino,
  type Rows,
  TRINO_QUERIES,
} from "./trino-sql.js";

export async function openTrino(location: string, options: SourceOptions): Promise<Source> {
  const relationIn = readRelation(options, TRINO_QUERIES);
  const server = new TrinoServer(location, options);
  const relation = await relationIn(async (table) =>
    (await server.columns(describe(table))).map(({ name }) => ({ name, family: "other" })),
  );
  return serverSource(trinoEngine(server, relation, await server.columns(describe(relation))));
}

/** The names of a public table, some at a time. */
export async function* readTrinoNames(
  location: string,
  listed: PublicTable,
  limits: SourceOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly string[]> {
  const server = new TrinoServer(location, limits);
  const [relation, column] = await readPublicColumn(server, listed);
  for await (const rows of server.rows(publicNames(relation, column), signal, undefined))
    yield readCounts(rows).items;
}

async function readPublicColumn(server: TrinoServer, listed: PublicTable): Promise<[Relation, TrinoColumn]> {
  const relation = tableNamed(listed.table, quoteTrino, "--domain-table");
  return [relation, chooseColumn(await server.columns(describe(relation)), listed)];
}

function trinoEngine(
  server: TrinoServer,
  relation: Relation,
  schema: readonly TrinoColumn[],
): ServerEngine<TrinoColumn> {
  let delivered = 0;

  async function* count(
    roles: Roles<TrinoColumn>,
    request: HistogramRequest,
    statement: (rows: Rows) => string | Promise<string>,
  ): AsyncGenerator<Batch> {
    const { bound, where, panel, signal, onProgress } = request;
    delivered = 0;
    const fitting = ofPanel(filtered(relation, where, schema), panel, roles.user);
    for await (const rows of server.rows(
      await statement({
        relation: itemised(fitting, request, schema, roles.item.name),
        ...roles,
        bound,
      }),
      signal,
      onProgress,
    )) {
      delivered += rows.length;
      yield readCounts(rows);
    }
  }

  return {
    relation,
    schema,
    dialect: { engine: "trino", read: relation.kind, encoding: "UTF8" },
    textColumn: (name) => ({ name, type: "varchar" }),
    longestList: LONGEST_LIST,
    countAll: (roles, mostBytes, request) => count(roles, request, (rows) => countAll(rows, mostBytes)),
    countListed: (roles, items, request) => count(roles, request, (rows) => countListed(rows, items)),
    countNamed: (roles, names, request) =>
      count(roles, request, async (rows) => countNamed(rows, ...(await readPublicColumn(server, names)))),
    countIntegers: (roles, below, request) => count(roles, request, (rows) => countIntegers(rows, below)),
    countNumbers: (roles, request) => count(roles, request, countNumbers),
    countFrequencies: (roles, request) => count(roles, request, countFrequencies),
    countLargest: (roles, most, request) => count(roles, request, (rows) => countLargest(rows, most)),
    countInGroups: ({ by, listed, mostBytes, item, user }, request) =>
      count({ item, user }, request, (rows) =>
        countInGroups(
          { ...rows, groups: request.groups, columns: by, listed, mostBytes },
          request.candidates,
        ),
      ),
    skipped: () => undefined,
    delivered: () => delivered,
    close: async () => {}, // each request has a connection of its own
  };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Rows of a name in base64 and a count. Anything else isn't an answer to our statements. */
function readCounts(rows: readonly (readonly unknown[])[]): Batch {
  const items: string[] = [];
  const users: number[] = [];
  for (const [name, count] of rows) {
    if (typeof name !== "string" || !Number.isSafeInteger(count)) throw brokenAnswer();
    items.push(decoder.decode(Buffer.from(name, "base64")));
    users.push(count as number);
  }
  return { items, users };
}
