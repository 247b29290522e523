/**
 * Parquet files and DuckDB databases: relations whose columns have types. A type is part of the schema and public; each
 * value is converted to text on its own, whatever the other rows contain.
 *
 * Several Parquet files are one source only if all have the same types, because the engine would read the others
 * by the types of the first, and a single value that doesn't fit would refuse them all.
 *
 * A database file is opened read-only: a table, or one SELECT over the tables. The engine is locked before the
 * user's SQL is even parsed for its columns, and the engine itself says what kind of statement it is.
 * @module
 */
import { type DuckDBConnection, StatementType } from "@duckdb/node-api";
import { Refusal } from "../../refusal.js";
import type { SourceOptions } from "../source.js";
import { type Engine, engineRefusal, sqlList, sqlName, sqlText } from "./engine.js";
import type { Relation } from "./relation.js";

export async function openParquet(connection: DuckDBConnection, paths: readonly string[]): Promise<Relation> {
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

export async function openDatabase(engine: Engine, path: string, options: SourceOptions): Promise<Relation> {
  const { connection } = engine;
  try {
    await connection.run(`ATTACH ${sqlText(path)} AS source (READ_ONLY, TYPE duckdb)`);
  } catch (error) {
    throw engineRefusal(error, `The file ${JSON.stringify(path)} can't be opened as a DuckDB database.`);
  }
  await connection.run("USE source");
  await engine.lock([]);
  const { table, query } = options;
  if ((table === undefined) === (query === undefined))
    throw new Refusal("usage", "A database needs either --table or --query.");
  return table === undefined ? openQuery(connection, query!) : openTable(connection, table);
}

async function openTable(connection: DuckDBConnection, table: string): Promise<Relation> {
  const name = table.split(".").map(sqlName).join(".");
  try {
    return await typedRelation(connection, name, { format: "duckdb", table });
  } catch (error) {
    throw engineRefusal(error, `The database has no table ${JSON.stringify(table)}.`, "missing-source");
  }
}

async function openQuery(connection: DuckDBConnection, query: string): Promise<Relation> {
  try {
    const statements = await connection.extractStatements(query);
    const statement = statements.count === 1 ? await statements.prepare(0) : undefined;
    if (statement?.statementType !== StatementType.SELECT || statement.parameterCount > 0)
      throw new Refusal("bad-query", "--query must be one SELECT without parameters.");
    await connection.run(`CREATE TEMP VIEW asked AS ${query}`);
    return await typedRelation(connection, "temp.asked", { format: "duckdb", query });
  } catch (error) {
    throw engineRefusal(
      error,
      "The query must be one SELECT that only reads the tables of the source.",
      "bad-query",
    );
  }
}

/** Types that have one plain text for each value. */
const PLAIN_TYPE =
  /^(VARCHAR|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BOOLEAN|FLOAT|DOUBLE|DECIMAL\(.*\)|DATE|TIME.*|UUID|ENUM\(.*\)|BIGNUM)$/;

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
    return `CAST(${value} AS VARCHAR) COLLATE "binary"`;
  };
  return {
    columns: [...types.keys()],
    dialect,
    typeOf: (column) => types.get(column),
    rows: ({ item, user }) => `SELECT ${text(item)} AS item, ${text(user)} AS "user" FROM ${from}`,
  };
}

/** The types of the columns by name. */
async function schemaOf(connection: DuckDBConnection, from: string): Promise<Map<string, string>> {
  const rows = await (await connection.run(`DESCRIBE SELECT * FROM ${from}`)).getRows();
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}
