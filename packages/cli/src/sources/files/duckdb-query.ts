/**
 * Queries of DuckDB, which has TRY. Names have no case. Only the tables of the attached file can be read, never the engine's own
 * catalogue.
 * @module
 */
import { type QueryDialect, TRIED_FUNCTIONS, TRIED_TYPES, tried } from "../query/query-dialect.js";
import { sqlName } from "./engine.js";

/** The name under which a database is attached. */
export const ATTACHED = "source";

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
export const KEEP_TRY = "SET disabled_optimizers = 'common_subexpressions'";
