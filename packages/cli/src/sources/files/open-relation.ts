/**
 * From a file on disk to a relation, by its format. Afterwards the engine is locked: it can open these files and
 * nothing else. Files of lines are read in `delimited-files.ts` and `json-files.ts`; the columns of Parquet files and DuckDB
 * databases have types, and are read here. A type is part of the schema and public; each value is converted to text on its
 * own, whatever the other rows contain.
 *
 * Several Parquet files are one source only if all have the same types, because the engine would read the others
 * by the types of the first, and a single value that doesn't fit would refuse them all.
 *
 * A database file is opened read-only: a table, or one SELECT over a table, which is checked and printed anew unless it is
 * trusted. The engine is locked before the user's SQL is even parsed for its columns.
 * @module
 */
import { stat } from "node:fs/promises";
import { type DuckDBConnection, StatementType } from "@duckdb/node-api";
import { LONGEST_LINE, mustBeButIs, Refusal } from "winnow-release";
import { type QueryDialect, TRIED_FUNCTIONS, TRIED_TYPES, tried } from "../query/query-dialect.js";
import { readQuery } from "../query/read-query.js";
import type { SourceOptions } from "../source.js";
import { openDelimited } from "./delimited-files.js";
import { type Engine, engineRefusal, sqlList, sqlName, sqlText } from "./engine.js";
import { emptySource, firstLine } from "./find-files.js";
import { jsonRelation, spoolJsonArray } from "./json-files.js";
import { type FoundFiles, namedRoles, type Relation } from "./relation.js";

type Format = NonNullable<SourceOptions["format"]>;

/** `folder` is private, for files that must be copied first. */
export async function openRelation(
  engine: Engine,
  format: Format,
  files: FoundFiles,
  options: SourceOptions,
  folder: string,
): Promise<Relation> {
  if (options.header === false && format !== "csv" && format !== "tsv")
    throw new Refusal("usage", mustBeButIs("With --no-header, the rows", "CSV or TSV", format));
  if (format === "json" && !options.multiline) throw untrustedArray();
  if (format === "parquet" || format === "duckdb") await refuseEmpty(files.paths);
  if (format === "duckdb") return openDatabase(engine, files.paths[0]!, options);
  const ready =
    format === "json"
      ? ({ paths: [await spoolJsonArray(files, folder)], compression: "none" } as const)
      : files;
  await engine.lock(ready.paths);
  return relationOf(engine, format, ready, options);
}

/** The relation itself, on an engine that may read the files. */
export async function relationOf(
  { connection }: Pick<Engine, "connection">,
  format: Exclude<Format, "duckdb">,
  files: FoundFiles,
  options: SourceOptions = {},
): Promise<Relation> {
  switch (format) {
    case "csv":
    case "tsv":
      return openDelimited(files, format, options);
    case "ndjson":
    case "json":
      return jsonRelation(
        connection,
        files,
        (await firstLine(files.paths[0]!, files.compression))[0],
        format,
      );
    case "parquet":
      return openParquet(connection, files.paths);
  }
}

/** The elements of an array can only be separated by counting brackets and quotes, which anyone may leave open. */
function untrustedArray(): Refusal {
  return new Refusal(
    "usage",
    "A JSON array must come from a trusted writer, because one element with an open bracket reaches into the next: add --multiline if you trust the writer, or pass NDJSON (jq -c '.[]').",
  );
}

/** An empty file lacks the signature of formats that have one; files of lines are checked by their first line. */
async function refuseEmpty(paths: readonly string[]): Promise<void> {
  for (const path of paths) if ((await stat(path)).size === 0) throw emptySource(path);
}

async function openParquet(connection: DuckDBConnection, paths: readonly string[]): Promise<Relation> {
  const reader = (files: readonly string[]) => `read_parquet(${sqlList(files)}, hive_partitioning = false)`;
  try {
    const schemas: string[] = [];
    for (const path of paths) schemas.push(JSON.stringify([...(await schemaOf(connection, reader([path])))]));
    if (new Set(schemas).size > 1)
      throw new Refusal("broken-header", "The files that match the pattern have different columns.");
    return await typedRelation(connection, reader(paths), { format: "parquet" });
  } catch (error) {
    throw engineRefusal(error, "The file can't be read as Parquet.");
  }
}

/** The name under which a database is attached. */
const ATTACHED = "source";

/** DuckDB has TRY. Names have no case. Only the tables of the attached file are read, never the engine's own catalogue. */
export const DUCKDB_QUERIES: QueryDialect = {
  engine: "DuckDB",
  hasTry: true,
  quote: sqlName,
  fold: ({ text }) => text.toLowerCase(),
  isCatalog: (table) => table.length > 2,
  locate: (table) => [ATTACHED, ...(table.length === 1 ? ["main"] : []), ...table],
  functions: new Map([
    ...tried(`${TRIED_FUNCTIONS} strlen left right contains ends_with ifnull`),
    ...tried("dayofweek dayofmonth dayofyear week weekofyear"),
    ...tried("replace split_part regexp_matches regexp_full_match regexp_extract strptime strftime", 1),
  ]),
  types: new Set(
    `${TRIED_TYPES} text string float hugeint utinyint usmallint uinteger ubigint numeric`.split(" "),
  ),
};

/**
 * The optimiser that computes an expression once if it occurs twice moves it out of TRY: then `TRY(x::INTEGER + 1)` and
 * `TRY(x::INTEGER + 2)` together fail where each of them alone doesn't.
 */
const KEEP_TRY = "SET disabled_optimizers = 'common_subexpressions'";

async function openDatabase(engine: Engine, path: string, options: SourceOptions): Promise<Relation> {
  const { connection } = engine;
  try {
    await connection.run(`ATTACH ${sqlText(path)} AS ${ATTACHED} (READ_ONLY, TYPE duckdb)`);
  } catch (error) {
    throw engineRefusal(error, `The file ${JSON.stringify(path)} can't be opened as a DuckDB database.`);
  }
  const { table, query } = options;
  await connection.run(`USE ${ATTACHED}`);
  if (query !== undefined) await connection.run(KEEP_TRY);
  await engine.lock([]);
  if ((table === undefined) === (query === undefined))
    throw new Refusal("usage", "A database needs either --table or --query.");
  return table === undefined ? openQuery(connection, query!, options) : openTable(connection, table);
}

async function openTable(connection: DuckDBConnection, table: string): Promise<Relation> {
  const name = table.split(".").map(sqlName).join(".");
  try {
    return await typedRelation(connection, name, { format: "duckdb", table });
  } catch (error) {
    throw engineRefusal(error, `The database has no table ${JSON.stringify(table)}.`, "missing-source");
  }
}

async function openQuery(
  connection: DuckDBConnection,
  query: string,
  { trustQuery }: SourceOptions,
): Promise<Relation> {
  try {
    const select = trustQuery ? await oneSelect(connection, query) : await checkedSelect(connection, query);
    await connection.run(`CREATE TEMP VIEW asked AS ${select}`);
    return await typedRelation(connection, "temp.asked", { format: "duckdb", query });
  } catch (error) {
    throw engineRefusal(
      error,
      "The query must be one SELECT that only reads the tables of the source.",
      "bad-query",
    );
  }
}

/** The engine itself says what kind of statement it is. */
async function oneSelect(connection: DuckDBConnection, query: string): Promise<string> {
  const statements = await connection.extractStatements(query);
  const statement = statements.count === 1 ? await statements.prepare(0) : undefined;
  if (statement?.statementType !== StatementType.SELECT || statement.parameterCount > 0)
    throw new Refusal("bad-query", "--query must be one SELECT without parameters.");
  return query;
}

async function checkedSelect(connection: DuckDBConnection, query: string): Promise<string> {
  const rows = readQuery(query, DUCKDB_QUERIES);
  const types = await schemaOf(connection, rows.table);
  return rows.print([...types.keys()].map((name) => ({ name, family: "other" })));
}

/** Types that have one plain text for each value. */
const PLAIN_TYPE =
  /^(VARCHAR|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BOOLEAN|FLOAT|DOUBLE|DECIMAL\(.*\)|DATE|TIME.*|UUID|ENUM\(.*\)|BIGNUM)$/;

/** Types whose texts are short. Of the others, longer values than a line of a file may be are skipped. */
const SHORT_TYPE =
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BOOLEAN|FLOAT|DOUBLE|DECIMAL\(.*\)|DATE|TIME.*|UUID)$/;

/** Types whose texts can be numbers. */
export const NUMBER_TYPE =
  /^(VARCHAR|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|ENUM\(.*\)|BIGNUM)$/;

/** `from` is the FROM clause, made of names and literals that are already quoted. */
async function typedRelation(
  connection: DuckDBConnection,
  from: string,
  dialect: Readonly<Record<string, string>>,
): Promise<Relation> {
  const types = await schemaOf(connection, from);
  const text = (column: string) => {
    const type = types.get(column) ?? "";
    if (!PLAIN_TYPE.test(type))
      throw new Refusal(
        "unknown-column",
        `The column ${JSON.stringify(column)} must have plain values such as text or numbers, not lists or bytes.`,
      );
    // 0 and −0 are one value with two texts. A collation in the schema could make different texts equal.
    const value = /^(FLOAT|DOUBLE)$/.test(type) ? `(${sqlName(column)} + 0)` : sqlName(column);
    const plain = `CAST(${value} AS VARCHAR) COLLATE "binary"`;
    return SHORT_TYPE.test(type) ? plain : `CASE WHEN strlen(${plain}) <= ${LONGEST_LINE} THEN ${plain} END`;
  };
  return {
    columns: [...types.keys()],
    dialect,
    typeOf: (column) => types.get(column),
    rows: (roles) =>
      `SELECT ${namedRoles(roles).map(([name, column]) => `${text(column)} AS "${name}"`)} FROM ${from}`,
  };
}

/** The types of the columns by name. */
async function schemaOf(connection: DuckDBConnection, from: string): Promise<Map<string, string>> {
  const rows = await (await connection.run(`DESCRIBE SELECT * FROM ${from}`)).getRows();
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}
