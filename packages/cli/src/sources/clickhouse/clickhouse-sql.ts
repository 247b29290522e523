/**
 * The statements that ClickHouse counts with. `uniqExact` keeps every distinct user, and a Distributed table
 * merges these sets over its shards before it counts them: a user on two shards is one user. The grouping stands
 * directly over the table, so shards group where the rows are. Rows with a missing or empty item or user are
 * skipped.
 *
 * Names are quoted, numbers are integers, and a list is one hexadecimal text, so no version's quoting rules
 * matter.
 *
 * The type of a column in the schema decides the text of a value, which distinguishes items, and the value that
 * distinguishes users. Whatever the settings of server and account, each value has one text and each text one
 * value: ClickHouse takes that for granted, and groups by values when it is asked for their texts.
 *
 * With a limit on the items of a person, the pairs with the smallest keyed hashes count; of values (numbers), the rows with
 * the smallest hashes, so that a value weighs as often as its person has it. The server that receives the query
 * chooses them after merging the pairs of all shards, which never see the key. Old servers don't support bound values, so
 * the key is part of the statement, which the server is told not to write to its query log. So is the key of a panel.
 * @module
 */
import { LONGEST_LINE, NUMBER_PATTERN, type Predicate, Refusal } from "winnow-release";
import type { TextSql } from "../groups.js";
import { withItems } from "../item-sql.js";
import { isInPanel, type PanelDialect } from "../panel-sql.js";
import type { Relation, Roles } from "../server-source.js";
import { type ContributionBound, type HistogramRequest, notNumbers, type Panel } from "../source.js";
import { columnOfWhere, likePattern, type WhereDialect, whereSql } from "../where-sql.js";

/** The rows to count, and how. */
export interface Rows extends Roles<Column> {
  readonly relation: Relation;
  readonly bound?: ContributionBound | undefined;
  /** Whether values are counted: only numbers, and equal ones of a person separately. */
  readonly isNumeric?: boolean;
  /** A condition on rows, for the shards to check. */
  readonly where?: string | undefined;
}

export const TEXT: TextSql = {
  length: (text) => `toString(length(${text}))`,
  concat: (...texts) => `concat(${texts.join(", ")})`,
};

/** A condition as SQL. */
export function conditionSql(where: Predicate, schema: readonly Column[]): string {
  return whereSql(where, { ...WHERE, column: (name) => presentText(columnOfWhere(schema, name)) });
}

/** Who is counted in a period as SQL. Shards check it too, so they see the key, as a part of the statement. */
export function panelSql(panel: Panel, user: Column): string {
  return isInPanel(panel, personText(user), `'${panel.key}'`, PANEL);
}

const PANEL: PanelDialect = { ...TEXT, hash: (text) => `lower(hex(SHA256(${text})))` };

/** The text of a value, empty where there is none. */
function presentText(column: Column): string {
  return isNullable(column) ? `if(${isThere(column)}, ${textOf(column)}, '')` : textOf(column);
}

/** The rows with the items of the request as a column of this name. */
export function itemised(
  relation: Relation,
  request: HistogramRequest,
  schema: readonly Column[],
  made: string,
): Relation {
  const list = (names: readonly string[]) => `[${names.map(WHERE.literal).join(", ")}]`;
  return withItems(relation, request, made, {
    ...WHERE,
    column: (name) => presentText(columnOfWhere(schema, name)),
    concat: (one, other) => `concat(${one}, ${other})`,
    alias: "",
    select: quoteClickhouse,
    quote: quoteClickhouse,
    mapped: (text, map) =>
      `transform(${text}, ${list(map.map(([from]) => from))}, ${list(map.map(([, to]) => to))}, '')`,
    safe: (text) => `toString(${text})`,
  });
}

const WHERE: Omit<WhereDialect, "column"> = {
  literal: (text) => `unhex('${hexOf(text)}')`,
  matches: (text, pattern) => `match(${text}, '${pattern}')`,
  first: (text, count) => `substring(${text}, 1, ${count})`,
  at: (text, place) => `substring(${text}, ${place}, 1)`,
  // Old servers have no exact decimals: the part before the point, then the one after it, both with the sign.
  decimal: (text) => {
    const part = (place: number) => `splitByChar('.', ${text})[${place}]`;
    const after = `toInt64OrZero(substring(concat(${part(2)}, '000000000000000000'), 1, 18))`;
    return `tuple(toInt64OrZero(${part(1)}), if(substring(${text}, 1, 1) = '-', -1, 1) * ${after})`;
  },
  lower: (text) => `lower(${text})`,
  trim: (text) => `replaceRegexpOne(replaceRegexpOne(${text}, '^${SPACE}+', ''), '${SPACE}+$', '')`,
  like: (text, parts) => `${text} LIKE unhex('${hexOf(likePattern(parts, "\\"))}')`,
  no: "0",
};

/** In a pattern within a literal. */
const SPACE = "[ \\\\t\\\\n\\\\x0B\\\\f\\\\r]";

/** Rows are filtered by a list up to this length; filtering by a longer one costs more than it saves if most rows are listed. */
const SHORT_LIST = 1000;

export function describe({ sql }: Relation): string {
  return `DESCRIBE TABLE ${sql} FORMAT TabSeparated`;
}

/** All items with their users, except items with a longer text. */
export function countAll(rows: Rows, mostBytes: number): string {
  return counts(rows, { mostBytes });
}

interface Conditions {
  /** On an item's text, checked for each row, so that few rows are grouped. */
  readonly where?: (item: string) => string;
  /** On the texts of counted items. */
  readonly having?: string;
  readonly mostBytes?: number;
}

/** The items that satisfy the conditions. A condition on an item isn't checked for each of its rows. */
function counts(rows: Rows, { where = () => "1", having = "1", mostBytes }: Conditions = {}): string {
  const { item, user, bound } = rows;
  if (bound !== undefined)
    return `SELECT count() AS winnow_users, winnow_item FROM (${keptPairs(rows, bound)})
      GROUP BY winnow_item HAVING ${isShort(item, mostBytes)} AND ${where("winnow_item")} AND ${having}`;
  return `SELECT uniqExact(${userKey(user)}) AS winnow_users, ${textOf(item)} AS winnow_item
    ${presentRows(rows)} AND ${where(textOf(item))}
    GROUP BY ${itemKey(item)}
    HAVING ${isShort(item, mostBytes)} AND ${isItem(rows)} AND ${having}`;
}

/** Whether the text of an item may be counted. */
export function isItem({ isNumeric = false }: Rows): string {
  return isNumeric ? `match(winnow_item, '${NUMBER_PATTERN}')` : "1";
}

export function presentRows({ relation, item, user, where = "1" }: Rows): string {
  return `FROM ${relation.sql} WHERE ${where} AND ${isThere(item)} AND ${isThere(user)} AND ${isWritten(user)}`;
}

/** Each person's pairs, or copies of values, with the smallest hashes. */
function keptPairs(rows: Rows, { itemsPerUser, key }: ContributionBound): string {
  const { item, user, isNumeric = false } = rows;
  const [copy, order] = isNumeric
    ? ["toString(winnow_copy), ':', ", "winnow_item, winnow_copy"]
    : ["", "winnow_item"];
  const hashed = `concat(unhex('${Buffer.from(key).toString("hex")}'), toString(length(winnow_person)), ':', winnow_person, ${copy}winnow_item)`;
  const pairs = `SELECT ${personText(user)} AS winnow_person, ${textOf(item)} AS winnow_item${isNumeric ? ", count() AS winnow_copies" : ""} ${presentRows(rows)}
      GROUP BY ${userKey(user)}, ${itemKey(item)} HAVING ${isShort(item)} AND ${isItem(rows)}`;
  // Shards count the copies; the server that receives the query makes them rows again.
  const counted = isNumeric
    ? `SELECT winnow_person, winnow_item, arrayJoin(range(winnow_copies)) + 1 AS winnow_copy FROM (${pairs})`
    : pairs;
  return `SELECT winnow_person, winnow_item
    FROM (${counted})
    ORDER BY SHA256(${hashed}), ${order} LIMIT ${wholeNumber(itemsPerUser)} BY winnow_person`;
}

/** Empty items are skipped, and so are items longer than a line of a file may be, as in files: they would fill our memory. */
export function isShort(item: Column, mostBytes = LONGEST_LINE): string {
  if (!isText(item)) return "1";
  return `length(winnow_item) BETWEEN 1 AND ${wholeNumber(Math.min(mostBytes, LONGEST_LINE))}`;
}

/** The items of a list, including those without users. */
export function countListed(rows: Rows, items: readonly string[]): string {
  const listed = `unhex(arrayJoin(splitByChar(',', '${items.map(hexOf).join(",")}')))`;
  const isListed = (item: string) => (items.length <= SHORT_LIST ? `${item} IN (SELECT ${listed})` : "1");
  return joined(`SELECT ${listed} AS winnow_item`, rows, isListed);
}

/** The names in a column of a public table, each once, with 0 users. */
export function publicNames(listed: Relation, column: Column): string {
  return `SELECT toUInt64(0) AS winnow_users, ${namesOf(listed, column)}`;
}

/** The names with the users of each, including names without users. The receiving server reads the names for all shards. */
export function countNamed(rows: Rows, listed: Relation, column: Column): string {
  const names = `SELECT ${namesOf(listed, column)}`;
  return joined(names, rows, (item) => `${item} GLOBAL IN (${names})`);
}

function namesOf(listed: Relation, column: Column): string {
  return `${textOf(column)} AS winnow_item FROM ${listed.sql} WHERE ${isThere(column)} AND ${isWritten(column)} GROUP BY ${itemKey(column)}`;
}

function joined(names: string, rows: Rows, isListed: (item: string) => string): string {
  return `SELECT winnow_users, winnow_item
    FROM (${names})
    ANY LEFT JOIN (${counts(rows, { where: isListed })})
    USING winnow_item`;
}

export function hexOf(item: string): string {
  return Buffer.from(item, "utf8").toString("hex");
}

/** The items that are whole numbers below a bound. */
export function countIntegers(rows: Rows, below: number): string {
  const isNumber = `match(winnow_item, '^(0|[1-9][0-9]{0,15})$')`;
  return counts(rows, { having: `${isNumber} AND toUInt64OrZero(winnow_item) < ${wholeNumber(below)}` });
}

/** The items that are numbers; other items don't count towards a person's limit. */
export function countNumbers(rows: Rows): string {
  checkNumeric(rows);
  return counts({ ...rows, isNumeric: true });
}

/** Refuses a column whose type has no numeric values. */
export function checkNumeric({ item }: Pick<Rows, "item">): void {
  if (!NUMBER_TYPE.test(valueType(item))) throw notNumbers(item.name, item.type);
}

/** The items with the most users; ties in the order of their bytes. */
export function countLargest(rows: Rows, most: number): string {
  return `${counts(rows)}
    ORDER BY winnow_users DESC, winnow_item LIMIT ${wholeNumber(most)}`;
}

export function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Refusal("usage", "The number of candidates must be a whole number.");
  return String(value);
}

export interface Column {
  readonly name: string;
  /** As in the schema. */
  readonly type: string;
}

const TEXT_TYPE = /^(String|FixedString\(\d+\)|Enum(8|16)\(.*\))$/s;
const FLOAT_TYPE = /^(Float(32|64)|BFloat16)$/;
const TIME_TYPE = /^DateTime/;
const NUMBER_TYPE = /^(String|FixedString\(.*\)|Enum.*|U?Int\d+|Float\d+|BFloat16|Decimal.*)$/s;
const OTHER_TYPE = /^(U?Int\d+|UUID|Decimal.*|Date|Date32|Bool|IPv[46])$/;

/** Names that the statements give to what they count. */
const RESERVED_NAMES = [
  ...["winnow_item", "winnow_users", "winnow_person", "winnow_copy", "winnow_copies", "winnow_group"],
  ...["winnow_rows", "winnow_row", "winnow_kept", "winnow_name"],
];

export function quoteClickhouse(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

/**
 * The text of a value. The zeros that pad a `FixedString` are not part of it; zeros within it, as in digests, are. Times are
 * written in UTC, because when clocks are set back, two times have the same local text.
 */
export function textOf(column: Column): string {
  const type = valueType(column);
  const value = presentValue(column);
  if (type === "String") return value;
  if (FLOAT_TYPE.test(type)) return floatText(value, value);
  return TIME_TYPE.test(type) ? `toString(${value}, 'UTC')` : `toString(${value})`;
}

/** The key for grouping items: the value, which is faster than its text, if equal values have equal texts. */
export function itemKey(column: Column): string {
  return FLOAT_TYPE.test(valueType(column)) ? textOf(column) : presentValue(column);
}

/** The key that distinguishes users: 0 and −0 are equal, and one person. */
export function userKey(column: Column): string {
  const value = presentValue(column);
  return FLOAT_TYPE.test(valueType(column)) ? floatText(value, `${value} + 0`) : value;
}

/** One text for each person. */
export function personText(column: Column): string {
  return FLOAT_TYPE.test(valueType(column)) ? userKey(column) : textOf(column);
}

/** NaN values differ in their bits but have one text, and none equals itself. */
function floatText(value: string, written: string): string {
  return `if(isNaN(${value}), 'nan', toString(${written}))`;
}

/** Not missing. */
export function isThere(column: Column): string {
  return isNullable(column) ? `isNotNull(${nameOf(column)})` : "1";
}

/** Not empty, if it is there. */
export function isWritten(column: Column): string {
  return isText(column) ? `notEmpty(${textOf(column)})` : "1";
}

/** Whether someone can write a text that is empty or arbitrarily long. */
function isText(column: Column): boolean {
  return TEXT_TYPE.test(valueType(column));
}

/** The value of a row, if it isn't null. */
function presentValue(column: Column): string {
  const name = nameOf(column);
  if (!isNullable(column)) return name;
  const type = valueType(column);
  // A missing value is stored as the number 0, which may have no name, so it is replaced by a number that has one.
  const named = /^Enum.*= (-?\d+)\)$/s.exec(type)?.[1];
  return named === undefined
    ? `assumeNotNull(${name})`
    : `CAST(ifNull(CAST(${name} AS Nullable(Int16)), ${named}) AS ${type})`;
}

function nameOf({ name }: Column): string {
  if (RESERVED_NAMES.includes(name))
    throw new Refusal(
      "unknown-column",
      `The column ${JSON.stringify(name)} must have another name, because the count uses this name. Rename it with a query: SELECT ${name} AS named.`,
    );
  return quoteClickhouse(name);
}

function isNullable({ type }: Column): boolean {
  return /^(LowCardinality\()?Nullable\(/.test(type);
}

/** Without `LowCardinality` and `Nullable`. */
function valueType({ name, type }: Column): string {
  let inner = type;
  for (const wrapper of ["LowCardinality(", "Nullable("])
    if (inner.startsWith(wrapper)) inner = inner.slice(wrapper.length, -1);
  if (![TEXT_TYPE, FLOAT_TYPE, TIME_TYPE, OTHER_TYPE].some((known) => known.test(inner)))
    throw new Refusal(
      "unknown-column",
      `The column ${JSON.stringify(name)} must have plain values such as text or numbers, not lists or states.`,
    );
  return inner;
}
