/**
 * Queries of ClickHouse, which has no TRY. Names have case. Whole numbers wrap, so arithmetic can't fail; a division by zero can.
 * Conversions that can't fail have names of their own, such as `toInt64OrNull`.
 * @module
 */
import { type Family, type QueryDialect, safe, same, type TableColumn } from "../query/query-dialect.js";
import { type Column, quoteClickhouse } from "./clickhouse-sql.js";

const CATALOGUES = ["system", "information_schema"];

export const CLICKHOUSE_QUERIES: QueryDialect = {
  engine: "ClickHouse",
  hasTry: false,
  quote: quoteClickhouse,
  fold: ({ text }) => text,
  isCatalog: (table) => table.length > 1 && CATALOGUES.includes(table[0]!.toLowerCase()),
  functions: new Map([
    ...safe("lower upper lowerUTF8 upperUTF8", ["text"], "text"),
    ...safe("length lengthUTF8", ["text"], "exact"),
    ...safe("substring substringUTF8", ["text", "position", "size"], "text"),
    ...safe("toInt8OrNull toInt16OrNull toInt32OrNull toInt64OrNull", ["text"], "exact"),
    ...safe("toUInt8OrNull toUInt16OrNull toUInt32OrNull toUInt64OrNull", ["text"], "exact"),
    ...safe("toFloat32OrNull toFloat64OrNull", ["text"], "float"),
    ...safe("toDateOrNull", ["text"], "date"),
    ...safe("toDateTimeOrNull", ["text"], "time"),
    ...safe("toYear toMonth toDayOfMonth toDayOfWeek", ["date"], "exact"),
    ...safe("toHour toMinute", ["time"], "exact"),
    ...safe("toDate", ["time"], "date"),
    ...same("coalesce ifNull nullIf"),
    ...same("if", true),
  ]),
  types: new Set(["string"]),
  hasSafeArithmetic: true,
  hasReachingNames: true,
  printText: (value) => `toString(${value})`,
  allowed:
    "columns, constants, comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS NULL, CASE, if, ||, + - *, CAST(… AS String), coalesce, ifNull, nullIf, lower, upper, length, substring, toYear, toMonth, toDate, and conversions such as toInt64OrNull",
};

const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/^String$/, "text"],
  [/^U?Int(8|16|32|64)$/, "exact"],
  [/^Float(32|64)$/, "float"],
  [/^Bool$/, "boolean"],
  [/^Date$/, "date"],
  [/^DateTime(\('[^']*'\))?$/, "time"],
  [/^UUID$/, "uuid"],
];

/** The columns of a table, from the schema. */
export function tableColumn({ name, type }: Column): TableColumn {
  const plain = type.replace(/^LowCardinality\((.*)\)$/s, "$1").replace(/^Nullable\((.*)\)$/s, "$1");
  return { name, family: FAMILIES.find(([types]) => types.test(plain))?.[1] ?? "other" };
}
