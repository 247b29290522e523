/**
 * ClickHouse as a source, one server or a cluster behind a Distributed table: the engine counts where the rows
 * are, and the counts come as a stream of lines, as fast as they are taken. Only counts cross the network to us.
 * @module
 */
import { LONGEST_LINE, Refusal } from "winnow-release";
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
} from "../server-source.js";
import type { Batch, Candidates, HistogramRequest, PublicTable, Source, SourceOptions } from "../source.js";
import { combinedHere, countInGroups } from "./clickhouse-groups.js";
import { CLICKHOUSE_QUERIES, tableColumn } from "./clickhouse-query.js";
import { ClickhouseServer, readCounts } from "./clickhouse-server.js";
import {
  type Column,
  conditionSql,
  countAll,
  countIntegers,
  countLargest,
  countListed,
  countNamed,
  countNumbers,
  describe,
  itemised,
  panelSql,
  publicNames,
  quoteClickhouse,
  type Rows,
} from "./clickhouse-sql.js";

export async function openClickhouse(location: string, options: SourceOptions): Promise<Source> {
  refuseSettings(options);
  const relationIn = readRelation(options, CLICKHOUSE_QUERIES);
  const server = await ClickhouseServer.open(location, options);
  try {
    const relation = await relationIn(async (table) => (await readColumns(server, table)).map(tableColumn));
    return serverSource(new ClickhouseEngine(server, relation, await readColumns(server, relation)));
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A query could change the settings that make counts exact, if the account may do that. */
function refuseSettings({ query }: SourceOptions): void {
  if (query !== undefined && /\bsettings\s+\w+\s*=/i.test(query))
    throw new Refusal(
      "bad-query",
      "--query must not have SETTINGS of its own, because counts are exact only under ours.",
    );
}

async function readColumns(server: ClickhouseServer, relation: Relation): Promise<Column[]> {
  return (await server.table(describe(relation))).map(([name, type]) => ({ name, type }));
}

/** The names of a public table, in batches; names that aren't text are skipped. */
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

/** Every item that has users, in any order. */
const ALL_ITEMS: Candidates = { kind: "frequencies" };

class ClickhouseEngine implements ServerEngine<Column> {
  readonly relation: Relation;
  readonly schema: readonly Column[];
  readonly dialect: Readonly<Record<string, string>>;
  readonly longestList: number | undefined;
  readonly #server: ClickhouseServer;
  #skipped = 0;
  #delivered = 0;

  constructor(server: ClickhouseServer, relation: Relation, schema: readonly Column[]) {
    this.#server = server;
    this.relation = relation;
    this.schema = schema;
    this.dialect = { engine: "clickhouse", read: relation.kind, encoding: "UTF8" };
    this.longestList = server.longestList;
  }

  countAll(roles: Roles<Column>, mostBytes: number, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(countAll(this.#rows(roles, request), mostBytes), request);
  }

  countListed(
    roles: Roles<Column>,
    items: readonly string[],
    request: HistogramRequest,
  ): AsyncGenerator<Batch> {
    return this.#count(countListed(this.#rows(roles, request), items), request);
  }

  async *countNamed(
    roles: Roles<Column>,
    names: PublicTable,
    request: HistogramRequest,
  ): AsyncGenerator<Batch> {
    const listed = await readPublicColumn(this.#server, names);
    yield* this.#count(countNamed(this.#rows(roles, request), ...listed), request);
  }

  countIntegers(roles: Roles<Column>, below: number, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(countIntegers(this.#rows(roles, request), below), request);
  }

  countNumbers(roles: Roles<Column>, request: HistogramRequest): AsyncGenerator<Batch> {
    return this.#count(countNumbers(this.#rows(roles, request)), request);
  }

  /** Names that aren't text are skipped, which only we can decide: so all counts are sent, and are combined here. */
  async *countFrequencies(roles: Roles<Column>, request: HistogramRequest): AsyncGenerator<Batch> {
    const items = new Map<number, number>();
    const statement = countAll(this.#rows(roles, request), LONGEST_LINE);
    for await (const { users } of this.#count(statement, request))
      for (const people of users) items.set(people, (items.get(people) ?? 0) + 1);
    yield { items: Array.from(items.keys(), String), users: [...items.values()] };
  }

  /** Names that aren't text don't count as the largest: if there are any among them, more rows are requested. */
  async *countLargest(roles: Roles<Column>, rows: number, request: HistogramRequest): AsyncGenerator<Batch> {
    let earlier = 0;
    for (let limit = rows; ; limit *= 2, earlier += this.#delivered) {
      const items: string[] = [];
      const users: number[] = [];
      for await (const batch of this.#count(countLargest(this.#rows(roles, request), limit), request)) {
        items.push(...batch.items);
        users.push(...batch.users);
      }
      if (items.length < rows && items.length + this.#skipped === limit) continue;
      this.#delivered += earlier;
      return yield { items: items.slice(0, rows), users: users.slice(0, rows) };
    }
  }

  /** Names that aren't text don't count, neither as the largest nor in runs, which only we can decide. */
  async *countInGroups(
    { by, listed, mostBytes, ...roles }: GroupedRoles<Column>,
    request: GroupedHistogramRequest,
  ): AsyncGenerator<Batch> {
    const { groups, candidates } = request;
    const rows = { ...this.#rows(roles, request), groups, columns: by, listed, mostBytes };
    const all = () => combinedHere(this.#count(countInGroups(rows, ALL_ITEMS), request), candidates);
    switch (candidates.kind) {
      case "frequencies":
        return yield* all();
      case "largest":
        break;
      default:
        return yield* this.#count(countInGroups(rows, candidates), request);
    }
    const largest: Batch[] = [];
    for await (const batch of this.#count(countInGroups(rows, candidates), request)) largest.push(batch);
    yield* this.#skipped === 0 ? largest : all();
  }

  textColumn(name: string): Column {
    return { name, type: "String" };
  }

  #rows({ item, user }: Roles<Column>, request: HistogramRequest): Rows {
    const { bound, where, panel } = request;
    const conditions = [where && conditionSql(where, this.schema), panel && panelSql(panel, user)];
    const condition = conditions.filter((each) => each !== undefined).join(" AND ") || undefined;
    const relation = itemised(this.relation, request, this.schema, item.name);
    return { relation, item, user, bound, where: condition };
  }

  async *#count(
    statement: string,
    { bound, groups, panel, signal, onProgress }: HistogramRequest,
  ): AsyncGenerator<Batch> {
    this.#skipped = this.#delivered = 0;
    const bytes = this.#server.stream(statement, signal, onProgress, {
      isSecret: bound !== undefined || groups !== undefined || panel !== undefined,
    });
    const batches = readCounts(bytes, (names) => {
      this.#skipped += names;
      this.#delivered += names;
    });
    for await (const batch of batches) {
      this.#delivered += batch.items.length;
      yield batch;
    }
  }

  /** Includes names that aren't text, and those of earlier attempts. */
  delivered(): number {
    return this.#delivered;
  }

  /** Names that are not valid UTF-8. */
  skipped(): number {
    return this.#skipped;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
