/**
 * Queries of PostgreSQL, which has no TRY. A name without quotes is in lower case. Functions are called with their schema, so
 * that no one else's are. A text within an expression is at most as long as a line of a file may be, because PostgreSQL fails at
 * texts of more than a gigabyte, and `lower` at a quarter of that.
 *
 * Texts with different collations can't be compared, and PostgreSQL says so only when it has a row. So a column with a collation
 * of its own can be selected, and nothing else.
 * @module
 */
import type { Client } from "pg";
import { LONGEST_LINE } from "winnow-release";
import { type Family, type QueryDialect, safe, same, type TableColumn } from "../query/query-dialect.js";
import type { Relation } from "../server-source.js";
import { quotePostgres } from "./postgres-sql.js";

const prefix = "pg_catalog.";

export const POSTGRES_QUERIES: QueryDialect = {
  engine: "PostgreSQL",
  hasTry: false,
  quote: quotePostgres,
  fold: ({ text, isQuoted }) => (isQuoted ? text : text.toLowerCase()),
  isCatalog: (table) => table.some((part) => part.startsWith("pg_") || part === "information_schema"),
  functions: new Map([
    ...safe("lower upper btrim ltrim rtrim", ["text"], "text", { prefix }),
    ...safe("length char_length octet_length", ["text"], "exact", { prefix }),
    ...safe("left right", ["text", "size"], "text", { prefix }),
    ...safe("substr", ["text", "position", "size"], "text", { least: 2, prefix }),
    ...same("coalesce nullif greatest least"),
  ]),
  types: new Set(["text", "varchar"]),
  printColumn: ({ family }, name) =>
    family === "text"
      ? `CASE WHEN pg_catalog.octet_length(${name}) <= ${LONGEST_LINE} THEN ${name} END`
      : name,
  printText: (value) => `(${value})::text`,
  allowed:
    "columns, constants, comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS NULL, CASE, ||, CAST(… AS text), coalesce, nullif, greatest, least, lower, upper, btrim, ltrim, rtrim, length, left, right and substr",
};

/** By their numbers in PostgreSQL's catalogue. */
const FAMILIES: ReadonlyMap<number, Family> = new Map<number, Family>([
  [16, "boolean"],
  ...[20, 21, 23, 1700].map((type): [number, Family] => [type, "exact"]),
  ...[700, 701].map((type): [number, Family] => [type, "float"]),
  ...[25, 1042, 1043].map((type): [number, Family] => [type, "text"]),
  [1082, "date"],
  [1114, "time"],
  [2950, "uuid"],
]);

/** None, the database's own, and that of bytes. */
const USUAL_COLLATIONS = new Set([0, 100, 950]);

/** The columns of a table, from the schema. */
export async function tableColumns(client: Client, { sql }: Relation): Promise<TableColumn[]> {
  const { rows } = await client.query<[string, number, number]>({
    rowMode: "array",
    text: `SELECT attname::text, atttypid::oid, attcollation::oid FROM pg_catalog.pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    values: [sql],
  });
  return rows.map(([name, type, collation]) => ({
    name,
    family: USUAL_COLLATIONS.has(collation) ? (FAMILIES.get(type) ?? "other") : "other",
  }));
}
