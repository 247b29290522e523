/**
 * Relations whose columns have types by their schema: Parquet files, tables and queries. A type is part of the schema and
 * public; a value becomes text by itself, whatever the other rows hold.
 * @module
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { Refusal } from "../../refusal.js";
import type { Relation } from "./relation.js";
import { sqlName } from "./sql-text.js";

/** Types that have one plain text for each value. */
const PLAIN =
  /^(VARCHAR|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BOOLEAN|FLOAT|DOUBLE|DECIMAL\(.*\)|DATE|TIME.*|UUID|ENUM\(.*\)|BIGNUM)$/;

/** `from` is what stands behind FROM, made of names and literals that are quoted already. */
export async function typedRelation(
  connection: DuckDBConnection,
  from: string,
  dialect: Readonly<Record<string, string>>,
): Promise<Relation> {
  const types = await schemaOf(connection, from);
  const text = (column: string) => {
    const type = types.get(column) ?? "";
    if (!PLAIN.test(type))
      throw new Refusal(
        "unknown-column",
        `The column ${JSON.stringify(column)} must have plain values such as text or numbers, not lists or bytes.`,
      );
    // 0 and −0 are one value with two texts. A collation of the schema would make different texts one.
    const value = /^(FLOAT|DOUBLE)$/.test(type) ? `(${sqlName(column)} + 0)` : sqlName(column);
    return `CAST(${value} AS VARCHAR) COLLATE "binary"`;
  };
  return {
    columns: [...types.keys()],
    dialect,
    isReadByLine: false,
    rows: ({ item, user }) => `SELECT ${text(item)} AS item, ${text(user)} AS "user" FROM ${from}`,
  };
}

/** The types of the columns by name. */
export async function schemaOf(connection: DuckDBConnection, from: string): Promise<Map<string, string>> {
  const rows = await (await connection.run(`DESCRIBE SELECT * FROM ${from}`)).getRows();
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}
