/**
 * The statements that PostgreSQL counts with. Names are quoted, values are bound. Items and users are told apart by their
 * exact text, whatever the collation of the column; where a type has one text for each value, its own values are compared,
 * which is faster. A missing or empty item or user counts for nobody.
 *
 * Texts are sorted in the order of their bytes for that, which is the cheapest.
 * @module
 */
import type { PublicList } from "./server-list.js";
import type { Relation } from "./server-relation.js";

/** The schema's word for the type of a column, by its number in PostgreSQL's catalogue. */
export interface Column {
  readonly name: string;
  readonly type: number;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The most rows that can come, if that is known. */
  readonly rows?: number;
}

/** int8, int2, int4, uuid: equal values have equal texts, and different ones different texts. */
const PLAIN = new Set([20, 21, 23, 2950]);
/** text, varchar */
const TEXT = new Set([25, 1043]);

/** Whole numbers as they are usually written, short enough for a bigint. */
const WHOLE_NUMBER = "^(0|[1-9][0-9]{0,15})$";

export function quotePostgres(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names and types of the columns, from the schema: no row is made. */
export function describe(relation: Relation): string {
  return `SELECT * FROM ${relation.sql} AS described LIMIT 0`;
}

/** All items with their users. */
export function countAll(relation: Relation, item: Column, user: Column): Statement {
  return { text: counts(relation, item, user), values: [] };
}

/** The items of a list, also those without users. */
export function countListed(
  relation: Relation,
  item: Column,
  user: Column,
  list: Extract<PublicList, { kind: "sent" }>,
): Statement {
  const isListed = `${textOf(item)} = ANY ($1::text[])`;
  return {
    text: `SELECT listed.item, coalesce(counted.users, '0')
      FROM unnest($1::text[]) AS listed (item)
      LEFT JOIN (${counts(relation, item, user, isListed)}) AS counted
      ON counted.item = listed.item COLLATE "C"`,
    values: [list.items],
    rows: list.items.length,
  };
}

/** The names in a column of a public table, each once. */
export function publicNames(listed: Relation, column: Column): Statement {
  const name = textOf(column);
  const text = `SELECT DISTINCT ${name} AS item FROM ${listed.sql} AS counted WHERE ${name} <> ''`;
  return { text, values: [] };
}

/** The same, with the users of each, also of those that have none. */
export function countPublic(
  relation: Relation,
  item: Column,
  user: Column,
  { text: names }: Statement,
): Statement {
  const isListed = `${textOf(item)} IN (${names})`;
  return {
    text: `SELECT listed.item, coalesce(counted.users, '0')
      FROM (${names}) AS listed
      LEFT JOIN (${counts(relation, item, user, isListed)}) AS counted
      ON counted.item = listed.item COLLATE "C"`,
    values: [],
  };
}

/** The items that are whole numbers below a bound. */
export function countIntegers(relation: Relation, item: Column, user: Column, below: number): Statement {
  const text = "item::text";
  const isBelow = `CASE WHEN ${text} ~ '${WHOLE_NUMBER}' THEN ${text}::bigint < $1::bigint ELSE false END`;
  return { text: `${counts(relation, item, user)} HAVING ${isBelow}`, values: [below] };
}

/** The items with the most users; of equals those that come first by their bytes. */
export function countLargest(relation: Relation, item: Column, user: Column, rows: number): Statement {
  const order = `ORDER BY count(DISTINCT person) DESC, item::text COLLATE "C"`;
  return { text: `${counts(relation, item, user)} ${order} LIMIT $1`, values: [rows], rows };
}

function counts(relation: Relation, item: Column, user: Column, condition = "true"): string {
  return `SELECT item::text AS item, count(DISTINCT person)::text AS users
    FROM (
      SELECT ${keyOf(item)} AS item, ${keyOf(user)} AS person
      FROM ${relation.sql} AS counted
      WHERE ${isPresent(item)} AND ${isPresent(user)} AND ${condition}
    ) AS pairs
    GROUP BY item`;
}

function keyOf(column: Column): string {
  return PLAIN.has(column.type) ? nameOf(column) : textOf(column);
}

function textOf(column: Column): string {
  return `${nameOf(column)}${TEXT.has(column.type) ? "" : "::text"} COLLATE "C"`;
}

function isPresent(column: Column): string {
  return PLAIN.has(column.type) ? `${nameOf(column)} IS NOT NULL` : `${textOf(column)} <> ''`;
}

function nameOf({ name }: Column): string {
  return `counted.${quotePostgres(name)}`;
}
