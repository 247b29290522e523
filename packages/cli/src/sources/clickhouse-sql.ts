/**
 * The statements that ClickHouse counts with. `uniqExact` keeps every distinct user, and a Distributed table merges these
 * sets over its shards before it counts them: a user on two shards is one user. The grouping stands directly over the table,
 * so that shards group where the rows are. A missing or empty item or user counts for nobody.
 *
 * Names are quoted, numbers are whole numbers, and a list is one hexadecimal text: no version's quoting rules matter.
 * @module
 */
import { Refusal } from "../refusal.js";
import type { Relation } from "./server-relation.js";

export interface Column {
  readonly name: string;
  /** As the schema calls it. */
  readonly type: string;
}

/** Rows are filtered by a list that is so short; by a longer one that costs more than it saves, if most rows are listed. */
const SHORT_LIST = 1000;

/** Types whose values have one text each: these are grouped as they are, which is faster. */
const PLAIN = /^(U?Int\d+|UUID)$/;

export function quoteClickhouse(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

export function describe({ sql }: Relation): string {
  return `DESCRIBE TABLE ${sql} FORMAT TabSeparated`;
}

/** All items with their users, or those that a condition on their text holds for. */
export function countAll(relation: Relation, item: Column, user: Column, condition = "1"): string {
  return `SELECT uniqExact(${keyOf(user)}) AS winnow_users, ${textOf(item)} AS winnow_item
    FROM ${relation.sql}
    WHERE ${isPresent(item)} AND ${isPresent(user)} AND ${condition}
    GROUP BY ${keyOf(item)}`;
}

/** The items of a list, also those without users. */
export function countListed(
  relation: Relation,
  item: Column,
  user: Column,
  items: readonly string[],
): string {
  const listed = `unhex(arrayJoin(splitByChar(',', '${items.map(hexOf).join(",")}')))`;
  const condition = items.length <= SHORT_LIST ? `${textOf(item)} IN (SELECT ${listed})` : "1";
  return `SELECT winnow_users, winnow_item
    FROM (SELECT ${listed} AS winnow_item)
    ANY LEFT JOIN (${countAll(relation, item, user, condition)})
    USING winnow_item`;
}

/** The names in a column of a public table, each once, as counts of nobody. */
export function publicNames(listed: Relation, column: Column): string {
  return `SELECT toUInt64(0) AS winnow_users, ${namesOf(listed, column)}`;
}

/** The same with the users of each, also of those that have none. The server that is asked reads the names, for all shards. */
export function countPublic(
  relation: Relation,
  item: Column,
  user: Column,
  listed: Relation,
  column: Column,
): string {
  const names = `SELECT ${namesOf(listed, column)}`;
  return `SELECT winnow_users, winnow_item
    FROM (${names})
    ANY LEFT JOIN (${countAll(relation, item, user, `${textOf(item)} GLOBAL IN (${names})`)})
    USING winnow_item`;
}

function namesOf(listed: Relation, column: Column): string {
  return `${textOf(column)} AS winnow_item FROM ${listed.sql} WHERE ${isPresent(column)} GROUP BY ${textOf(column)}`;
}

function hexOf(item: string): string {
  return Buffer.from(item, "utf8").toString("hex");
}

/** The items that are whole numbers below a bound. */
export function countIntegers(relation: Relation, item: Column, user: Column, below: number): string {
  return `${countAll(relation, item, user)}
    HAVING match(winnow_item, '^(0|[1-9][0-9]{0,15})$') AND toUInt64OrZero(winnow_item) < ${wholeNumber(below)}`;
}

/** The items with the most users; of equals those that come first by their bytes. */
export function countLargest(relation: Relation, item: Column, user: Column, rows: number): string {
  return `${countAll(relation, item, user)}
    ORDER BY winnow_users DESC, winnow_item LIMIT ${wholeNumber(rows)}`;
}

function keyOf(column: Column): string {
  return PLAIN.test(valueType(column)) ? present(column) : textOf(column);
}

/** The zeros that fill up a `FixedString` are no part of its text; zeros within it, as digests have them, are. */
function textOf(column: Column): string {
  return valueType(column) === "String" ? present(column) : `toString(${present(column)})`;
}

function isPresent(column: Column): string {
  const isThere = isNullable(column) ? `isNotNull(${quoteClickhouse(column.name)})` : "1";
  return PLAIN.test(valueType(column)) ? isThere : `${isThere} AND ${textOf(column)} != ''`;
}

/** The value of a row where it is not null. */
function present(column: Column): string {
  const name = quoteClickhouse(column.name);
  return isNullable(column) ? `assumeNotNull(${name})` : name;
}

function isNullable({ type }: Column): boolean {
  return type.includes("Nullable(");
}

/** `LowCardinality` and `Nullable` taken off. */
function valueType({ type }: Column): string {
  return type.replace(/^(?:LowCardinality\()?(?:Nullable\()?([^()]*(?:\([^()]*\))?)\)*$/, "$1");
}

function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Refusal("usage", "A number of candidates expected a whole number.");
  return String(value);
}
