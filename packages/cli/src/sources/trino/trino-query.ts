/**
 * Queries of Trino, which has TRY. Names have no case, even in quotes. A table whose name has a dollar sign shows the files or
 * the statistics of another one.
 * @module
 */
import { type QueryDialect, TRIED_FUNCTIONS, TRIED_TYPES, tried } from "../query/query-dialect.js";
import { quoteTrino } from "./trino-sql.js";

const CATALOGUES = ["system", "jmx"];

export const TRINO_QUERIES: QueryDialect = {
  engine: "Trino",
  hasTry: true,
  quote: quoteTrino,
  fold: ({ text }) => text.toLowerCase(),
  isCatalog: (table) =>
    table.some((part) => part.includes("$") || part === "information_schema") ||
    (table.length > 2 && CATALOGUES.includes(table[0]!)),
  functions: new Map([
    ...tried(`${TRIED_FUNCTIONS} mod week day_of_week day_of_month day_of_year date`),
    ...tried("replace split_part", 1),
  ]),
  types: new Set(TRIED_TYPES.split(" ")),
};
