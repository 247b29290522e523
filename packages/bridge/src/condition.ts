/**
 * Conditions on rows and computed items for a program that counts its own: which texts of a column fit one comparison, the item of each
 * text, and both as SQL of Spark.
 * @module
 */
import { columnsOf, fits, type ItemPart, itemOf, type Predicate, readPredicate } from "winnow-release";
import { type ItemDialect, itemSql } from "../../cli/src/sources/item-sql.js";
import { LETTERS, likePattern, whereSql } from "../../cli/src/sources/where-sql.js";

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

/** For each text of the one column that an item is computed from, the item; null where there is none. */
export function itemsOfTexts(
  part: ItemPart,
  texts: readonly (string | null | undefined)[],
): readonly (string | null)[] {
  return texts.map((text) => itemOf(part, () => text ?? undefined) ?? null);
}

/** The items over columns that the program has named as for `sparkCondition`: empty texts where there is none. */
export function sparkItems(parts: readonly ItemPart[], also: readonly string[]): readonly string[] {
  return parts.map((part) => itemSql(part, sparkDialect(also)));
}

/** The condition over columns that the program has named `also_0`, `also_1` and so on, in the order of `also`. */
export function sparkCondition(where: Predicate, also: readonly string[]): string {
  return whereSql(where, sparkDialect(also));
}

function sparkDialect(also: readonly string[]): ItemDialect {
  return { ...SPARK, column: (name) => `also_${also.lastIndexOf(name)}` };
}

/** Spark's patterns are Java's, where a dollar sign also matches before a last line end. */
const SPARK: Omit<ItemDialect, "column"> = {
  literal,
  matches: (text, pattern) => `(${text} RLIKE ${literal(pattern.replace(/\$$/, "\\z"))})`,
  first: (text, count) => `substring(${text}, 1, ${count})`,
  at: (text, place) => `substring(${text}, ${place}, 1)`,
  decimal: (text) => `try_cast(${text} AS DECIMAL(38, 18))`,
  lower: (text) => `translate(${text}, ${LETTERS})`,
  trim: (text) => `trim(BOTH ${literal(" \t\n\v\f\r")} FROM ${text})`,
  like: (text, parts) => `${text} LIKE ${literal(likePattern(parts, "!"))} ESCAPE '!'`,
  no: "false",
  concat: (one, other) => `concat(${one}, ${other})`,
};

/** Nothing in hexadecimal digits is special, whatever the settings of a session are. */
function literal(text: string): string {
  return `CAST(X'${Buffer.from(text, "utf8").toString("hex")}' AS STRING)`;
}
