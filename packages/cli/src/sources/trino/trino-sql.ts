/**
 * The statements that Trino counts with. `count(DISTINCT …)` is exact in Trino; nothing approximate is used. Names are quoted,
 * numbers are integers, and a list is one base64 text, so nothing can end a literal. Rows with a missing or empty item or user
 * are skipped.
 *
 * Trino compares `varchar` by its bytes: case, accents and trailing spaces matter, and there are no collations. `char(n)` is
 * padded with spaces, which are not part of its text. A `varchar` can hold bytes that aren't UTF-8 if its connector delivers
 * them; such a name counts for no one, because decoding it would mix it up with others. Names come to us in base64.
 *
 * The type of a column in the schema decides the text of a value, which distinguishes items, and what distinguishes users:
 * 0 and −0 are one person, and times with different zones are one if they are the same instant.
 *
 * With a limit on the items of a person, the pairs with the smallest keyed hashes are kept; of values (numbers), the rows with
 * the smallest hashes, so that a value weighs as often as its person has it. Trino has no values that stay out
 * of the text of a statement, so the key of the hashes, which is new for each release, is visible to those who may see the
 * account's running queries. So is the key of a panel, which stays the same for its horizon.
 * @module
 */
import { LONGEST_LINE, NUMBER_PATTERN, type Predicate, Refusal } from "winnow-release";
import type { TextSql } from "../groups.js";
import { withItems } from "../item-sql.js";
import { isInPanel, type PanelDialect } from "../panel-sql.js";
import { type QueryDialect, TRIED_FUNCTIONS, TRIED_TYPES, tried } from "../query/query-dialect.js";
import type { Relation, Roles } from "../server-source.js";
import { type ContributionBound, type HistogramRequest, notNumbers, type Panel } from "../source.js";
import { columnOfWhere, LETTERS, likePattern, type WhereDialect, whereSql } from "../where-sql.js";
import type { TrinoColumn } from "./trino-server.js";

/** The rows to count, and how. */
export interface Rows extends Roles<TrinoColumn> {
  readonly relation: Relation;
  readonly bound?: ContributionBound | undefined;
  /** Whether values are counted: only numbers, and equal ones of a person separately. */
  readonly isNumeric?: boolean;
}

export const TEXT: TextSql = {
  length: (text) => `CAST(length(to_utf8(${text})) AS varchar)`,
  concat: (...texts) => `concat(${texts.join(", ")})`,
};

const PANEL: PanelDialect = { ...TEXT, hash: (text) => `lower(to_hex(sha256(to_utf8(${text}))))` };

/** The longest list, in UTF-16 units, so that a statement stays below the server's million characters: base64 takes four per unit. */
export const LONGEST_LIST = 200_000;

export function quoteTrino(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names and types of the columns, from the schema: no row is made. */
export function describe({ sql }: Relation): string {
  return `SELECT * FROM ${sql} AS described LIMIT 0`;
}

/** The rows that fit a condition. */
export function filtered(
  relation: Relation,
  where: Predicate | undefined,
  schema: readonly TrinoColumn[],
): Relation {
  if (where === undefined) return relation;
  const dialect: WhereDialect = { ...WHERE, column: (name) => textOf(columnOfWhere(schema, name)) };
  return rowsWhere(relation, whereSql(where, dialect));
}

/** The rows of the people who are counted in a period. */
export function ofPanel(relation: Relation, panel: Panel | undefined, user: TrinoColumn): Relation {
  if (panel === undefined) return relation;
  return rowsWhere(relation, isInPanel(panel, personText(user), `'${panel.key}'`, PANEL));
}

/** A row on which the condition fails or isn't known doesn't count. */
function rowsWhere(relation: Relation, condition: string): Relation {
  const sql = `(SELECT counted.* FROM ${relation.sql} AS counted WHERE coalesce(TRY(${condition}), false))`;
  return { ...relation, sql };
}

const WHERE: Omit<WhereDialect, "column"> = {
  literal: sqlLiteral,
  // A dollar sign would also match before a last line end.
  matches: (text, pattern) => `regexp_like(${text}, '${pattern.replace(/\$$/, "\\z")}')`,
  first: (text, count) => `substr(${text}, 1, ${count})`,
  at: (text, place) => `substr(${text}, ${place}, 1)`,
  decimal: (text) => `TRY_CAST(${text} AS decimal(38, 18))`,
  lower: (text) => `translate(${text}, ${LETTERS})`,
  trim: (text) => `trim(BOTH U&' \\0009\\000A\\000B\\000C\\000D' FROM ${text})`,
  like: (text, parts) => `${text} LIKE ${sqlLiteral(likePattern(parts, "!"))} ESCAPE '!'`,
  no: "false",
};

/** The rows with the items of the request as a column of this name. */
export function itemised(
  relation: Relation,
  request: HistogramRequest,
  schema: readonly TrinoColumn[],
  made: string,
): Relation {
  const list = (names: readonly string[]) => `ARRAY[${names.map(sqlLiteral).join(", ")}]`;
  return withItems(relation, request, made, {
    ...WHERE,
    column: (name) => textOf(columnOfWhere(schema, name)),
    concat: (one, other) => `${one} || ${other}`,
    alias: " AS counted",
    select: (name) => nameOf({ name, type: "varchar" }),
    quote: quoteTrino,
    mapped: (text, map) =>
      `element_at(MAP(${list(map.map(([from]) => from))}, ${list(map.map(([, to]) => to))}), ${text})`,
    safe: (text) => `coalesce(TRY(CAST(${text} AS varchar)), '')`,
  });
}

function sqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** All items with their users, except those whose text is longer. */
export function countAll(rows: Rows, mostBytes: number): string {
  return answer(counts(rows, `length(to_utf8(item)) <= ${wholeNumber(mostBytes)}`));
}

/** The items of a list, also those without users. */
export function countListed(rows: Rows, items: readonly string[]): string {
  const list = items.map((item) => Buffer.from(item, "utf8").toString("base64")).join(",");
  return joined(
    `SELECT from_utf8(from_base64(part)) AS name FROM UNNEST(split('${list}', ',')) AS parts (part)`,
    rows,
  );
}

/** The names in a column of a public table, each once, as counts of no one. */
export function publicNames(listed: Relation, column: TrinoColumn): string {
  return answer(`SELECT name AS item, 0 AS users FROM (${namesOf(listed, column)})`);
}

/** The names with the users of each, including names without users. */
export function countNamed(rows: Rows, listed: Relation, column: TrinoColumn): string {
  return joined(namesOf(listed, column), rows);
}

function namesOf(listed: Relation, column: TrinoColumn): string {
  return `SELECT DISTINCT name FROM (SELECT ${textOf(column)} AS name FROM ${listed.sql} AS counted) WHERE ${isText("name", column)}`;
}

function joined(names: string, rows: Rows): string {
  return answer(`SELECT name AS item, coalesce(users, 0) AS users
    FROM (${names}) LEFT JOIN (${counts(rows)}) ON item = name`);
}

/** The items that are whole numbers below a bound. */
export function countIntegers(rows: Rows, below: number): string {
  const isBelow = `TRY_CAST(item AS bigint) < ${wholeNumber(below)}`;
  return answer(counts(rows, `regexp_like(item, '^(0|[1-9][0-9]{0,15})\\z') AND ${isBelow}`));
}

/** The items that are numbers; what isn't one takes no place among a person's items. */
export function countNumbers(rows: Rows): string {
  checkNumeric(rows);
  return answer(counts({ ...rows, isNumeric: true }));
}

/** Refuses a column whose type has no numeric values. */
export function checkNumeric({ item: { name, type } }: Pick<Rows, "item">): void {
  if (!NUMBER_TYPE.test(type)) throw notNumbers(name, type);
}

/** For each number of people, how many items have it. */
export function countFrequencies(rows: Rows): string {
  return answer(`SELECT CAST(people AS varchar) AS item, count(*) AS users
    FROM (SELECT users AS people FROM (${counts(rows)})) GROUP BY people`);
}

/** The items with the most users; of equals those that come first by their bytes. */
export function countLargest(rows: Rows, most: number): string {
  return `${answer(counts(rows))} ORDER BY users DESC, item LIMIT ${wholeNumber(most)}`;
}

/** The rows that come to us: the bytes of a name in base64, and a count. */
function answer(counted: string): string {
  return `SELECT to_base64(to_utf8(item)), users FROM (${counted})`;
}

/** The condition is on the text of an item, which is called `item`. */
function counts(rows: Rows, condition?: string): string {
  const { relation, item, user, bound } = rows;
  if (bound !== undefined)
    return `SELECT item, count(*) AS users FROM (${keptPairs(rows, bound)}) ${where(condition)} GROUP BY item`;
  // Where equal values are equal texts, values are grouped, and each has its text made once.
  const grouped = `SELECT ${keyOf(item)} AS item, count(DISTINCT ${personOf(user)}) AS users FROM ${relation.sql} AS counted GROUP BY 1`;
  const texts = `SELECT ${isPlain(item) ? "CAST(item AS varchar)" : "item"} AS item, users FROM (${grouped})`;
  // Trino would move a condition on items alone before the grouping, and compute it for each row: even one that they aren't
  // NULL slows `npm run scale -- trino` down. This one depends on the counts.
  const kept = allOf("item IS NOT NULL", isItem(rows), condition);
  return `SELECT item, users FROM (${texts}) WHERE IF(users > 0, ${kept}, false)`;
}

function allOf(...conditions: readonly (string | undefined)[]): string | undefined {
  return conditions.filter((condition) => condition !== undefined).join(" AND ") || undefined;
}

function where(condition: string | undefined): string {
  return condition === undefined ? "" : `WHERE ${condition}`;
}

/** Each person's pairs, or copies of values, with the smallest hashes. */
function keptPairs(rows: Rows, { itemsPerUser, key }: ContributionBound): string {
  const { item, user, isNumeric = false } = rows;
  const copy = isNumeric ? "CAST(copy AS varchar), ':', " : "";
  const hashed = `concat(CAST(length(to_utf8(person)) AS varchar), ':', person, ${copy}item)`;
  const order = `sha256(concat(from_hex('${Buffer.from(key).toString("hex")}'), to_utf8(${hashed}))), item${isNumeric ? ", copy" : ""}`;
  const all = `${personText(user)} AS person, ${textOf(item)} AS item ${presentRows(rows)}`;
  const counted = isNumeric
    ? `SELECT person, item, row_number() OVER (PARTITION BY person, item) AS copy FROM (SELECT ${all})`
    : `SELECT DISTINCT ${all}`;
  return `SELECT item FROM (
      SELECT item, row_number() OVER (PARTITION BY person ORDER BY ${order}) AS place
      FROM (${counted}) ${where(isItem(rows))})
    WHERE place <= ${wholeNumber(itemsPerUser)}`;
}

export function presentRows({ relation, item, user }: Rows): string {
  return `FROM ${relation.sql} AS counted WHERE ${isPresent(item)} AND ${isPresent(user)}`;
}

/** Whether the text of an item that is present may be counted; undefined if all may. */
export function isItem({ item, isNumeric = false }: Rows): string | undefined {
  const isNumber = `regexp_like(item, '${NUMBER_PATTERN.replace(/\$$/, "\\z")}')`; // `$` would allow a newline
  return allOf(
    TEXT_TYPE.test(item.type) ? isText("item", item) : undefined,
    isNumeric && !EXACT_TYPE.test(item.type) ? isNumber : undefined,
  );
}

/** A text longer than the longest line of a file is skipped, as in files: it would fill our memory. */
export function isText(text: string, column: TrinoColumn): string {
  if (!TEXT_TYPE.test(column.type)) return `${text} IS NOT NULL`;
  return `length(to_utf8(${text})) BETWEEN 1 AND ${LONGEST_LINE} AND from_utf8(to_utf8(${text})) = ${text}`;
}

const TEXT_TYPE = /^(varchar|char)(\(\d+\))?$/;
const PADDED_TYPE = /^char(\(\d+\))?$/;
const FLOAT_TYPE = /^(real|double)$/;
const ZONED_TYPE = /^timestamp(\(\d+\))? with time zone$/;
/** Equal values have equal texts, and different ones different texts. */
const PLAIN_TYPE = /^(bigint|integer|smallint|tinyint|boolean|date|uuid|decimal(\(.*\))?)$/;
/** Every value is a number. */
const EXACT_TYPE = /^(bigint|integer|smallint|tinyint|decimal(\(.*\))?)$/;
const OTHER_TYPE = /^(timestamp|time)(\(\d+\))?$|^ipaddress$/;
const NUMBER_TYPE = /^((var)?char(\(\d+\))?|bigint|integer|smallint|tinyint|real|double|decimal(\(.*\))?)$/;

function isPlain({ type }: TrinoColumn): boolean {
  return PLAIN_TYPE.test(type);
}

/** The text of a value. */
export function textOf(column: TrinoColumn): string {
  const { name, type } = column;
  const value = nameOf(column);
  if (PADDED_TYPE.test(type)) return `trim(TRAILING ' ' FROM CAST(${value} AS varchar))`;
  if (TEXT_TYPE.test(type)) return `CAST(${value} AS varchar)`;
  if (ZONED_TYPE.test(type)) return `CAST(${value} AT TIME ZONE 'UTC' AS varchar)`;
  if ([PLAIN_TYPE, FLOAT_TYPE, OTHER_TYPE].some((known) => known.test(type)))
    return `CAST(${value} AS varchar)`;
  throw new Refusal(
    "unknown-column",
    `The column ${JSON.stringify(name)} must have plain values such as text or numbers; its type is ${type}.`,
  );
}

/** What items are grouped by. */
function keyOf(column: TrinoColumn): string {
  return isPlain(column) ? nameOf(column) : textOf(column);
}

/** What users are distinguished by; NULL, which isn't counted, for an empty user. */
function personOf(column: TrinoColumn): string {
  if (isPlain(column)) return nameOf(column);
  return TEXT_TYPE.test(column.type) ? `nullif(${personText(column)}, '')` : personText(column);
}

/** One text for each person: −0 + 0 is 0. */
export function personText(column: TrinoColumn): string {
  if (!FLOAT_TYPE.test(column.type)) return textOf(column);
  return `CAST(${nameOf(column)} + ${column.type} '0' AS varchar)`;
}

export function isPresent(column: TrinoColumn): string {
  const value = `${nameOf(column)} IS NOT NULL`;
  return TEXT_TYPE.test(column.type) ? `${value} AND ${textOf(column)} <> ''` : value;
}

/** For a relation that is called `counted`. */
function nameOf({ name }: TrinoColumn): string {
  return `counted.${quoteTrino(name)}`;
}

export function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Refusal("usage", "The number of candidates must be a whole number.");
  return String(value);
}

const CATALOGUES = ["system", "jmx"];

/** Trino has TRY. A table whose name has a dollar sign shows the files or the statistics of another one. */
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
