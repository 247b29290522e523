/**
 * Conditions on rows for a program that counts its own: which texts of a column fit one comparison, and a whole condition as SQL of Spark.
 * @module
 */
import { columnsOf, fits, type Predicate, readPredicate } from "winnow-release";
import { LETTERS, likePattern, type WhereDialect, whereSql } from "../../cli/src/sources/where-sql.js";

/** Pairs of columns and their types. */
export type TypedColumns = readonly (readonly [column: string, type: string])[];

/** As the library reads them. */
export function typesOf(pairs: TypedColumns) {
  return Object.fromEntries(pairs) as NonNullable<Parameters<typeof readPredicate>[1]>;
}

/** The columns that a condition reads. */
export function columnsOfWhere(where: string, types: TypedColumns = []): readonly string[] {
  return columnsOf(readPredicate(where, typesOf(types)));
}

/** For each text of the one column that a comparison is about, 1 if it fits; null is a missing value. */
export function fitting(comparison: Predicate, texts: readonly (string | null | undefined)[]): Uint8Array {
  return Uint8Array.from(texts, (text) => Number(fits(comparison, () => text ?? undefined)));
}

/** The condition over columns that the program has named `also_0`, `also_1` and so on, in the order of `also`. */
export function sparkCondition(where: Predicate, also: readonly string[]): string {
  return whereSql(where, { ...SPARK, column: (name) => `also_${also.lastIndexOf(name)}` });
}

/** Spark's patterns are Java's, where a dollar sign also matches before a last line end. */
const SPARK: Omit<WhereDialect, "column"> = {
  literal,
  matches: (text, pattern) => `(${text} RLIKE ${literal(pattern.replace(/\$$/, "\\z"))})`,
  first: (text, count) => `substring(${text}, 1, ${count})`,
  at: (text, place) => `substring(${text}, ${place}, 1)`,
  decimal: (text) => `try_cast(${text} AS DECIMAL(38, 18))`,
  lower: (text) => `translate(${text}, ${LETTERS})`,
  trim: (text) => `trim(BOTH ${literal(" \t\n\v\f\r")} FROM ${text})`,
  like: (text, parts) => `${text} LIKE ${literal(likePattern(parts, "!"))} ESCAPE '!'`,
  no: "false",
};

/** Nothing in hexadecimal digits is special, whatever the settings of a session are. */
function literal(text: string): string {
  return `CAST(X'${Buffer.from(text, "utf8").toString("hex")}' AS STRING)`;
}
