/**
 * The statements that PostgreSQL counts with. Names are quoted, values are bound. Items are distinguished by their
 * exact text, whatever the collation of the column; users by what their column calls equal, so no one counts
 * twice. If a type has one text for each value, its own values are compared, which is faster. Rows with a missing
 * or empty item or user are skipped.
 *
 * Someone else may have put functions and operators into a schema that the account searches. So every function is called
 * with its schema, and operators are used between types that match the system's own operator exactly, which makes
 * PostgreSQL choose that one.
 *
 * To distinguish texts, PostgreSQL sorts them by their bytes, which is the cheapest order.
 *
 * Types and collations can call values equal whose texts differ: `citext` and collations that ignore case, 1 and
 * 1.00 of `numeric`, 0 and −0. Distinguished by text, one person would count twice. So the column's own equality
 * decides, if it has one. A text whose collation distinguishes all texts is compared by its bytes, which is
 * equivalent and faster.
 *
 * With a limit on the items of a person, the pairs with the smallest keyed hashes of their UTF-8 texts count; of values
 * (numbers), the rows with the smallest hashes, so that a value weighs as often as its person has it. A person with
 * several equal texts is hashed by the first of them in the order of bytes, so that the choice depends on their own rows
 * alone. The key is a bound value.
 * @module
 */

import { type Client, DatabaseError } from "pg";
import { LONGEST_LINE, NUMBER_PATTERN, type Predicate, Refusal } from "winnow-release";
import type { TextSql } from "../groups.js";
import { withItems } from "../item-sql.js";
import { isInPanel, type PanelDialect } from "../panel-sql.js";
import type { Relation, Roles } from "../server-source.js";
import { type ContributionBound, type HistogramRequest, notNumbers, type Panel } from "../source.js";
import { columnOfWhere, LETTERS, likePattern, type WhereDialect, whereSql } from "../where-sql.js";

export interface Column {
  readonly name: string;
  /** The type of the column, by its number in PostgreSQL's catalogue. */
  readonly type: number;
}

/** A column of users. */
export interface UserColumn extends Column {
  /** Whether its values are compared by their type and collation, or by their text. */
  readonly equality: "own" | "text";
}

/** The rows to count, and how. */
export interface Rows extends Roles<Column> {
  readonly relation: Relation;
  readonly user: UserColumn;
  readonly bound: ContributionBound | undefined;
  /** Whether values are counted: only numbers, and equal ones of a person separately. */
  readonly isNumeric?: boolean;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The largest possible number of rows, if known. */
  readonly rows?: number;
}

/** A text without values would use the simple protocol, which runs several statements, including a COMMIT. */
export const ONE_STATEMENT = { queryMode: "extended" } as const;

/** int8, int2, int4, uuid: equal values have equal texts, and different ones different texts. */
const PLAIN_TYPES = new Set([20, 21, 23, 2950]);

/** Types without numeric values, by their numbers in the catalogue. */
const OTHER_TYPES = new Map([
  [16, "boolean"],
  [17, "bytea"],
  [114, "json"],
  [1082, "date"],
  [1083, "time"],
  [1114, "timestamp"],
  [1184, "timestamptz"],
  [1186, "interval"],
  [2950, "uuid"],
  [3802, "jsonb"],
]);

/** Whole numbers as they are usually written, short enough for a bigint. */
export const WHOLE_NUMBER = "^(0|[1-9][0-9]{0,15})$";

export const TEXT: TextSql = {
  length: (text) => `pg_catalog.octet_length(${text})::text`,
  concat: (...texts) => texts.join(" || "),
};

export function quotePostgres(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function isPlain({ type }: Column): boolean {
  return PLAIN_TYPES.has(type);
}

/** Names and types of the columns, from the schema, without computing a row. */
export function describe(relation: Relation): string {
  return `SELECT * FROM ${relation.sql} AS described LIMIT 0`;
}

/** The rows that fit a condition. */
export function filtered(
  relation: Relation,
  where: Predicate | undefined,
  schema: readonly Column[],
): Relation {
  if (where === undefined) return relation;
  const dialect: WhereDialect = { ...WHERE, column: (name) => textOf(columnOfWhere(schema, name)) };
  const sql = `(SELECT counted.* FROM ${relation.sql} AS counted WHERE ${whereSql(where, dialect)})`;
  return { ...relation, sql };
}

/** Where the session keeps the key of a panel, so that it is in no statement. */
export const PANEL_KEY = "winnow.panel";

/** The rows of the people who are counted in a period. One person must have one text; so other columns are refused. */
export function ofPanel(relation: Relation, panel: Panel | undefined, user: UserColumn): Relation {
  if (panel === undefined) return relation;
  if (user.equality === "own" && !isPlain(user))
    throw new Refusal(
      "unknown-column",
      `The column ${JSON.stringify(user.name)} can't say who is counted in which period, because equal values may have different texts. Cast it to text or to a whole number in --query.`,
    );
  const isIn = isInPanel(panel, textOf(user), `pg_catalog.current_setting('${PANEL_KEY}')`, PANEL);
  const sql = `(SELECT counted.* FROM ${relation.sql} AS counted
    WHERE CASE WHEN ${isPresent(user)} AND ${isShort(user)} THEN ${isIn} ELSE false END)`;
  return { ...relation, sql };
}

const PANEL: PanelDialect = {
  ...TEXT,
  hash: (text) =>
    `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(${text}, 'UTF8')), 'hex') COLLATE "C"`,
};

/** The rows with the items of the request as a column of this name. */
export function itemised(
  relation: Relation,
  request: HistogramRequest,
  schema: readonly Column[],
  made: string,
): Relation {
  return withItems(relation, request, made, {
    ...WHERE,
    column: (name) => textOf(columnOfWhere(schema, name)),
    concat: (one, other) => `${one} || ${other}`,
    alias: " AS counted",
    select: (name) => nameOf({ name, type: 0 }),
    quote: quotePostgres,
    // A constant object is looked up by a binary search.
    mapped: (text, map) =>
      `coalesce(pg_catalog.jsonb_object_field_text('${JSON.stringify(Object.fromEntries(map)).replaceAll("'", "''")}'::jsonb, ${text}), '')`,
    safe: (text) => `(${text})`,
  });
}

/** A CASE keeps a text that isn't a number from being read as one. */
const WHERE: Omit<WhereDialect, "column"> = {
  literal: (text) => `'${text.replaceAll("'", "''")}'::text`,
  matches: (text, pattern) => `${text} ~ '${pattern}'::text`,
  first: (text, count) => `pg_catalog."left"(${text}, ${count})`,
  at: (text, place) => `pg_catalog.substr(${text}, ${place}, 1)`,
  decimal: (text) => `(${text})::numeric`,
  lower: (text) => `pg_catalog.translate(${text}, ${LETTERS})`,
  trim: (text) => `pg_catalog.btrim(${text}, E' \\t\\n\\x0b\\f\\r')`,
  like: (text, parts) => `${text} LIKE '${likePattern(parts, "!").replaceAll("'", "''")}'::text ESCAPE '!'`,
  no: "false",
};

/** All items with their users, except items with a longer text. */
export function countAll(rows: Rows, mostBytes: number): Statement {
  return statement(rows, [], (key) => counts(rows, key, (item) => isAtMost(item, mostBytes)));
}

/** The items of a list, including those without users. */
export function countListed(rows: Rows, items: readonly string[]): Statement {
  const names = "SELECT * FROM pg_catalog.unnest($1::text[])";
  return {
    ...statement(rows, [items], (key) => joined(names, rows, key, (item) => `${item} = ANY ($1::text[])`)),
    rows: items.length,
  };
}

/** The names in a column of a public table, each once. */
export function publicNames(listed: Relation, column: Column): Statement {
  const name = textOf(column);
  const text = `SELECT DISTINCT ${name} AS item FROM ${listed.sql} AS counted WHERE ${name} <> ''`;
  return { text, values: [] };
}

/** The names with the users of each, including names without users. */
export function countNamed(rows: Rows, { text: names }: Statement): Statement {
  return statement(rows, [], (key) => joined(names, rows, key, (item) => `${item} IN (${names})`));
}

function joined(names: string, rows: Rows, key: string, isListed: Condition): string {
  return `SELECT listed.item, coalesce(counted.users, '0')
    FROM (${names}) AS listed (item)
    LEFT JOIN (${counts(rows, key, isListed)}) AS counted
    ON counted.item = listed.item COLLATE "C"`;
}

/** The items that are whole numbers below a bound. */
export function countIntegers(rows: Rows, below: number): Statement {
  const text = "item::text";
  const isBelow = `CASE WHEN ${text} ~ '${WHOLE_NUMBER}' THEN ${text}::bigint < $1::bigint ELSE false END`;
  return statement(rows, [below], (key) => `${counts(rows, key)} HAVING ${isBelow}`);
}

/** The items that are numbers; other items don't count towards a person's limit. */
export function countNumbers(rows: Rows): Statement {
  const { name, type } = rows.item;
  if (OTHER_TYPES.has(type)) throw notNumbers(name, OTHER_TYPES.get(type)!);
  const numeric = { ...rows, isNumeric: true };
  return statement(numeric, [], (key) => counts(numeric, key));
}

/** Each number of people that items have, with the number of such items. */
export function countFrequencies(rows: Rows): Statement {
  return statement(
    rows,
    [],
    (key) =>
      `SELECT users AS item, pg_catalog.count(*)::text FROM (${counts(rows, key)}) AS counted GROUP BY users`,
  );
}

/** The items with the most users; ties in the order of their bytes. */
export function countLargest(rows: Rows, most: number): Statement {
  const order = `ORDER BY ${usersOf(rows)} DESC, item::text COLLATE "C" LIMIT $1`;
  return { ...statement(rows, [most], (key) => `${counts(rows, key)} ${order}`), rows: most };
}

/** `text` gets the position of the key among the values, which is the last. */
function statement({ bound }: Rows, values: readonly unknown[], text: (key: string) => string): Statement {
  const key = bound === undefined ? [] : [Buffer.from(bound.key)];
  return { text: text(`$${values.length + 1}::bytea`), values: [...values, ...key] };
}

/** On an item's text. */
type Condition = (item: string) => string;

function counts(rows: Rows, key: string, condition: Condition = () => "true"): string {
  const pairs =
    rows.bound === undefined ? pairsOf(rows, condition(textOf(rows.item))) : keptPairs(rows, key, condition);
  return `SELECT item::text AS item, ${usersOf(rows)}::text AS users FROM (${pairs}) AS pairs GROUP BY item`;
}

/** Pairs within the limit are already distinct. */
function usersOf({ bound }: Rows): string {
  return bound === undefined ? "pg_catalog.count(DISTINCT person)" : "pg_catalog.count(*)";
}

function pairsOf({ relation, item, user, isNumeric = false }: Rows, condition: string): string {
  return `SELECT ${isPlain(item) ? nameOf(item) : textOf(item)} AS item,
      ${user.equality === "own" ? nameOf(user) : textOf(user)} AS person, ${textOf(user)} AS written
    FROM ${relation.sql} AS counted
    WHERE ${isPresent(item)} AND ${isShort(item)} AND ${isPresent(user)} AND ${condition}
      AND ${isNumeric ? `${textOf(item)} ~ '${NUMBER_PATTERN}'` : "true"}`;
}

/** Each person's pairs, or copies of values, with the smallest hashes; the condition applies to these. */
function keptPairs(rows: Rows, key: string, condition: Condition): string {
  const { isNumeric = false } = rows;
  const person = "pg_catalog.convert_to(written, 'UTF8')";
  const copy = isNumeric ? "copy::text || ':' || " : "";
  const hashed = `pg_catalog.octet_length(${person})::text || ':' || written || ${copy}item::text`;
  return `SELECT item FROM (
      SELECT item, pg_catalog.row_number() OVER (PARTITION BY person
        ORDER BY pg_catalog.sha256(${key} || pg_catalog.convert_to(${hashed}, 'UTF8')), item::text COLLATE "C"${isNumeric ? ", copy" : ""}) AS place
      FROM (${isNumeric ? writtenCopies(rows) : writtenPairs(rows)}) AS written
    ) AS placed
    WHERE place <= ${BigInt(rows.bound!.itemsPerUser)} AND ${condition('item::text COLLATE "C"')}`;
}

/** Each pair once, with the first text of its person. */
function writtenPairs(rows: Rows): string {
  return `SELECT item, person, pg_catalog.min(pg_catalog.min(written)) OVER (PARTITION BY person) AS written
    FROM (${pairsOf(rows, isShort(rows.user))}) AS pairs GROUP BY item, person`;
}

/** Each row, numbered among those of the same person with the same value. */
function writtenCopies(rows: Rows): string {
  return `SELECT item, person, pg_catalog.min(written) OVER (PARTITION BY person) AS written,
      pg_catalog.row_number() OVER (PARTITION BY person, item) AS copy
    FROM (${pairsOf(rows, isShort(rows.user))}) AS pairs`;
}

export function isPresent(column: Column): string {
  return isPlain(column) ? `${nameOf(column)} IS NOT NULL` : `${textOf(column)} <> ''`;
}

/** Values longer than a line of a file may be are skipped, as in files: they would fill our memory. */
export function isShort(column: Column): string {
  return isPlain(column) ? "true" : isAtMost(textOf(column), LONGEST_LINE);
}

export function isAtMost(text: string, bytes: number): string {
  return `pg_catalog.octet_length(${text}) <= ${bytes}`;
}

export function textOf(column: Column): string {
  return `${nameOf(column)}::text COLLATE "C"`;
}

/** For a relation with the alias `counted`. */
function nameOf({ name }: Column): string {
  return `counted.${quotePostgres(name)}`;
}

/** text, varchar, char(n) */
const TEXT_TYPES = new Set([25, 1043, 1042]);
const NO_SUCH_OPERATOR = "42883";

/** Asks the schema, without computing a row. */
export async function readEquality(client: Client, relation: Relation, column: Column): Promise<UserColumn> {
  if (isPlain(column)) return { ...column, equality: "own" };
  const isOwn = TEXT_TYPES.has(column.type)
    ? !(await isDeterministic(client, relation, column))
    : await hasEquality(client, relation, column);
  return { ...column, equality: isOwn ? "own" : "text" };
}

/** Whether the collation distinguishes all texts; an undetermined one does, because then bytes are compared. */
async function isDeterministic(client: Client, relation: Relation, column: Column): Promise<boolean> {
  const { rows } = await client.query<[boolean | null]>({
    ...ONE_STATEMENT,
    rowMode: "array",
    text: `SELECT (SELECT collisdeterministic FROM pg_catalog.pg_collation
        WHERE oid = pg_catalog.pg_collation_for(described.value)::regcollation::oid)
      FROM (SELECT) AS one LEFT JOIN (${noneOf(relation, column, "")}) AS described ON true`,
  });
  return rows[0][0] ?? true;
}

/** Types such as `json` have no equality. */
async function hasEquality(client: Client, relation: Relation, column: Column): Promise<boolean> {
  await client.query("SAVEPOINT equality");
  try {
    await client.query({ ...ONE_STATEMENT, text: noneOf(relation, column, "DISTINCT") });
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== NO_SUCH_OPERATOR) throw error;
    await client.query("ROLLBACK TO SAVEPOINT equality");
    return false;
  }
}

function noneOf(relation: Relation, column: Column, distinct: "" | "DISTINCT"): string {
  return `SELECT ${distinct} ${nameOf(column)} AS value FROM ${relation.sql} AS counted LIMIT 0`;
}
