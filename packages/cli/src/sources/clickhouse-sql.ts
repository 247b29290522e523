/**
 * The statements that ClickHouse counts with. `uniqExact` keeps every distinct user, and a Distributed table merges these
 * sets over its shards before it counts them: a user on two shards is one user. The grouping stands directly over the table,
 * so that shards group where the rows are. A missing or empty item or user counts for nobody.
 *
 * Names are quoted, numbers are whole numbers, and a list is one hexadecimal text: no version's quoting rules matter.
 * @module
 */
import { LONGEST_LINE } from "winnow-release";
import { Refusal } from "../refusal.js";
import { type Column, isText, isThere, isWritten, itemKey, textOf, userKey } from "./clickhouse-column.js";
import type { Relation } from "./server-relation.js";
import type { Roles } from "./server-source.js";

/** What is counted. */
export interface Rows extends Roles<Column> {
  readonly relation: Relation;
}

/** Rows are filtered by a list that is so short; by a longer one that costs more than it saves, if most rows are listed. */
const SHORT_LIST = 1000;

export function describe({ sql }: Relation): string {
  return `DESCRIBE TABLE ${sql} FORMAT TabSeparated`;
}

/** All items with their users, but for those whose text is longer. */
export function countAll(rows: Rows, mostBytes: number): string {
  return counts(rows, { mostBytes });
}

interface Conditions {
  /** On the rows. */
  readonly where?: string;
  /** On the texts of items that are counted. */
  readonly having?: string;
  readonly mostBytes?: number;
}

/** The items that the conditions hold for. What can be asked of an item is not asked of each of its rows. */
function counts(
  { relation, item, user }: Rows,
  { where = "1", having = "1", mostBytes }: Conditions = {},
): string {
  return `SELECT uniqExact(${userKey(user)}) AS winnow_users, ${textOf(item)} AS winnow_item
    FROM ${relation.sql}
    WHERE ${isThere(item)} AND ${isThere(user)} AND ${isWritten(user)} AND ${where}
    GROUP BY ${itemKey(item)}
    HAVING ${isShort(item, mostBytes)} AND ${having}`;
}

/** What is empty counts for nobody; nor does what is longer than a line of a file may be, as there: it would fill our memory. */
function isShort(item: Column, mostBytes = LONGEST_LINE): string {
  if (!isText(item)) return "1";
  return `length(winnow_item) BETWEEN 1 AND ${wholeNumber(Math.min(mostBytes, LONGEST_LINE))}`;
}

/** The items of a list, also those without users. */
export function countListed(rows: Rows, items: readonly string[]): string {
  const listed = `unhex(arrayJoin(splitByChar(',', '${items.map(hexOf).join(",")}')))`;
  const condition = items.length <= SHORT_LIST ? `${textOf(rows.item)} IN (SELECT ${listed})` : "1";
  return joined(`SELECT ${listed} AS winnow_item`, rows, condition);
}

/** The names in a column of a public table, each once, as counts of nobody. */
export function publicNames(listed: Relation, column: Column): string {
  return `SELECT toUInt64(0) AS winnow_users, ${namesOf(listed, column)}`;
}

/** The same with the users of each, also of those that have none. The server that is asked reads the names, for all shards. */
export function countNamed(rows: Rows, listed: Relation, column: Column): string {
  const names = `SELECT ${namesOf(listed, column)}`;
  return joined(names, rows, `${textOf(rows.item)} GLOBAL IN (${names})`);
}

function namesOf(listed: Relation, column: Column): string {
  return `${textOf(column)} AS winnow_item FROM ${listed.sql} WHERE ${isThere(column)} AND ${isWritten(column)} GROUP BY ${itemKey(column)}`;
}

function joined(names: string, rows: Rows, isListed: string): string {
  return `SELECT winnow_users, winnow_item
    FROM (${names})
    ANY LEFT JOIN (${counts(rows, { where: isListed })})
    USING winnow_item`;
}

function hexOf(item: string): string {
  return Buffer.from(item, "utf8").toString("hex");
}

/** The items that are whole numbers below a bound. */
export function countIntegers(rows: Rows, below: number): string {
  const isNumber = `match(winnow_item, '^(0|[1-9][0-9]{0,15})$')`;
  return counts(rows, { having: `${isNumber} AND toUInt64OrZero(winnow_item) < ${wholeNumber(below)}` });
}

/** The items with the most users; of equals those that come first by their bytes. */
export function countLargest(rows: Rows, most: number): string {
  return `${counts(rows)}
    ORDER BY winnow_users DESC, winnow_item LIMIT ${wholeNumber(most)}`;
}

function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Refusal("usage", "The number of candidates must be a whole number.");
  return String(value);
}
