/**
 * DuckDB database files, opened read-only: a table, or one SELECT over the tables. The engine is locked before the user's
 * SQL is so much as parsed for its columns, and the engine itself says what kind of statement it is.
 * @module
 */
import { type DuckDBConnection, StatementType } from "@duckdb/node-api";
import { Refusal } from "../../refusal.js";
import type { SourceOptions } from "../source.js";
import type { Engine } from "./engine.js";
import { engineRefusal } from "./engine-refusal.js";
import type { Relation } from "./relation.js";
import { sqlName, sqlText } from "./sql-text.js";
import { typedRelation } from "./typed-relation.js";

export async function openDatabase(engine: Engine, path: string, options: SourceOptions): Promise<Relation> {
  const { connection } = engine;
  try {
    await connection.run(`ATTACH ${sqlText(path)} AS source (READ_ONLY, TYPE duckdb)`);
  } catch (error) {
    throw engineRefusal(error, `The file ${JSON.stringify(path)} cannot be opened as a DuckDB database.`);
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
      "The query is not one SELECT that reads the tables of the source only.",
      "bad-query",
    );
  }
}
