/**
 * Exact distinct users of each item, counted in the engine: first the distinct pairs, then the pairs of each item.
 * This is the fastest exact form, and it spills to disk if it doesn't fit in memory; data that is too large even
 * for that is counted in several passes. The counts stay in a table of the engine, from which the candidates are then
 * read. An approximate count is never used.
 *
 * With a limit on the items of a person, the pairs with the smallest keyed hashes count. Of values (numbers), it is the rows
 * with the smallest hashes, so that a value weighs as often as its person has it. The engine gets the key as a bound value,
 * never as part of a statement. An invalid item (empty, or not a number where numbers are counted) is skipped and doesn't
 * count towards the limit.
 *
 * In groups, the distinct pairs have their group beside them. Only the groups of people who have too many are hashed, and what such
 * a person has in the others is taken out before the pairs are counted.
 * @module
 */
import { blobValue, type DuckDBBlobValue, type DuckDBConnection } from "@duckdb/node-api";
import {
  columnsOf,
  NUMBER_PATTERN,
  type NumberStyle,
  type Predicate,
  type RowFacts,
  SPACES,
  STYLE_RULES,
  type StyleRule,
  type WrittenStyle,
} from "winnow-release";
import { groupSql, hashedGroup, hashedItem, measured, splitGroups, type TextSql } from "../groups.js";
import { itemSql } from "../item-sql.js";
import { isInPanel, type PanelDialect } from "../panel-sql.js";
import type { Batch, Candidates, ComputedItems, ContributionBound, GroupsRequest, Panel } from "../source.js";
import { LETTERS, type WhereDialect, whereSql } from "../where-sql.js";
import { isOutOfMemory, sqlText } from "./engine.js";
import type { Relation, Roles } from "./relation.js";

/** The numbers of passes to try, one after the other, as long as the pairs of one pass don't fit in memory. */
const PASSES = [8, 32, 128, 512];

/** Each row belongs to one of this many parts, and a pass counts some of the parts. */
const PARTS = 512;

/** The rows to count, and how. */
export interface Counting {
  readonly roles: Roles;
  readonly bound?: ContributionBound | undefined;
  /** Whether values are counted: only numbers, and equal ones of a person separately. */
  readonly isNumeric?: boolean | undefined;
  /** How those numbers are written. */
  readonly numbers?: NumberStyle | undefined;
  readonly groups?: GroupsCounting | undefined;
  readonly where?: Predicate | undefined;
  readonly panel?: Panel | undefined;
  /** Then the role of the item is that of its first column. */
  readonly computed?: ComputedItems | undefined;
}

export interface GroupsCounting extends GroupsRequest {
  /** Whether people are counted in each group, whatever they have there. */
  readonly isOfGroups: boolean;
}

export async function countUsers(
  connection: DuckDBConnection,
  relation: Relation,
  counting: Counting,
): Promise<void> {
  const rows = inPlainNumbers(rowsSql(relation, counting), counting);
  await loadGroups(connection, counting);
  await loadMap(connection, counting);
  try {
    await connection.run(`${INTO_COUNTS} ${usersSql(rows, counting)}`, keyOf(counting));
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    await countInPasses(connection, rows, counting);
  }
}

/** The rows with their numbers as `plain` writes them; a text that isn't one in this style begins with a mark that no number has. */
function inPlainNumbers(rows: string, { numbers: style, groups }: Omit<Counting, "roles">): string {
  if (style === undefined || style === "plain") return rows;
  const rule: StyleRule = STYLE_RULES[style];
  const plain = `replace(regexp_replace(item, ${sqlText(rule.dropped)}, '', 'g'), ${sqlText(rule.mark)}, '.')`;
  const read = `CASE WHEN ${isIn(style)} THEN ${plain} WHEN item = '' THEN '' ELSE '?' || item END`;
  return `SELECT ${read} AS item, "user"${groups === undefined ? "" : `, "group"`} FROM (${rows})`;
}

function isIn(style: WrittenStyle): string {
  return `regexp_matches(item, ${sqlText(STYLE_RULES[style].pattern)})`;
}

/** With the column `"group"` where groups are counted: empty or NULL in rows without one. */
function rowsSql(relation: Relation, { roles, groups, where, panel, computed }: Counting): string {
  const parts = computed?.parts ?? [];
  const also = [
    ...(groups?.by ?? []),
    ...(where === undefined ? [] : columnsOf(where)),
    ...parts.map(({ column }) => column),
  ];
  const read = relation.rows(also.length === 0 ? roles : { ...roles, also });
  const fitting = filteredSql(read, also, where, panel);
  const rows = computed === undefined ? fitting : itemsSql(relation, fitting, also, computed);
  if (groups === undefined) return rows;
  const columns = groups.by.map((_, i) => `also_${i}`);
  const isThere = columns.map((column) => `${column} <> ''`).join(" AND ");
  return `SELECT item, "user", CASE WHEN ${isThere} THEN ${groupSql(columns, TEXT)} END AS "group"
    FROM (${rows})`;
}

/** A row for each item of a row. In a format with lines, an item that is NULL stays so, because it marks a line that is skipped. */
function itemsSql(
  relation: Relation,
  rows: string,
  also: readonly string[],
  { parts, map }: ComputedItems,
): string {
  const column = (name: string) => `also_${also.lastIndexOf(name)}`;
  const texts = parts.map((part) =>
    itemSql(part, { ...WHERE, column, concat: (one, other) => `${one} || ${other}` }),
  );
  const others = also.map((_, i) => `, also_${i}`).join("");
  const made = `SELECT item AS first_item, "user"${others}, unnest([${texts.join(", ")}]) AS made FROM (${rows})`;
  const named = map === undefined ? "made" : "coalesce(renamed, '')";
  const joined = map === undefined ? "" : " LEFT JOIN temp.item_map ON name = made";
  const item = relation.lines === undefined ? named : `CASE WHEN first_item IS NOT NULL THEN ${named} END`;
  return `SELECT ${item} AS item, "user"${others} FROM (${made})${joined}`;
}

/** The rows that fit a condition, and those without an item, which may stand for lines that are skipped. */
function filteredSql(
  rows: string,
  also: readonly string[],
  where: Predicate | undefined,
  panel: Panel | undefined,
): string {
  if (panel !== undefined) {
    const known = filteredSql(rows, also, where, undefined);
    const isIn = isInPanel(panel, '"user"', sqlText(panel.key), PANEL);
    return `SELECT * FROM (${known}) WHERE item IS NULL OR ("user" <> '' AND ${isIn})`;
  }
  if (where === undefined) return rows;
  const column = (name: string) => `also_${also.lastIndexOf(name)}`;
  return `SELECT * FROM (${rows}) WHERE item IS NULL OR ${whereSql(where, { ...WHERE, column })}`;
}

const WHERE: Omit<WhereDialect, "column"> = {
  literal: sqlText,
  matches: (text, pattern) => `regexp_matches(${text}, '${pattern}')`,
  first: (text, count) => `left(${text}, ${count})`,
  at: (text, place) => `substr(${text}, ${place}, 1)`,
  decimal: (text) => `TRY_CAST(${text} AS DECIMAL(38, 18))`,
  lower: (text) => `translate(${text}, ${LETTERS})`,
  trim: (text) => `trim(${text}, ${sqlText(SPACES)})`,
  // A pattern has no _, so nothing is escaped. With ESCAPE the engine would try all places of each part, for hours on one long text.
  like: (text, parts) => `${text} LIKE ${sqlText(parts.join("%"))}`,
  no: "false",
};

const TEXT: TextSql = {
  length: (text) => `strlen(${text})`,
  concat: (...texts) => texts.join(" || "),
};

const PANEL: PanelDialect = { ...TEXT, hash: (text) => `sha256(${text})` };

/** The public map of items. */
async function loadMap(connection: DuckDBConnection, { computed }: Counting): Promise<void> {
  if (computed?.map === undefined) return;
  await connection.run("CREATE OR REPLACE TEMP TABLE item_map (name VARCHAR, renamed VARCHAR)");
  const appender = await connection.createAppender("item_map", "main", "temp");
  for (const [name, renamed] of computed.map) {
    appender.appendVarchar(name);
    appender.appendVarchar(renamed);
    appender.endRow();
  }
  appender.closeSync();
}

/** The type of the groups of a public list, and the name of a group of it or of any other. */
const LISTED_GROUP = "listed_group";
const GROUP_NAME = `"group"::VARCHAR`;

/** The public lists of groups. A list comes from its table, so no name is part of a statement. */
export async function loadGroups(
  connection: DuckDBConnection,
  { groups }: Pick<Counting, "groups">,
): Promise<void> {
  for (const [table, names] of [
    ["listed_groups", groups?.listed],
    ["only_groups", groups?.only],
  ] as const)
    if (names !== undefined) await loadNames(connection, table, "name", names);
  if (groups?.listed === undefined) return;
  await connection.run(`DROP TYPE IF EXISTS ${LISTED_GROUP}`);
  // A type has at least one value; no row has the empty group.
  await connection.run(
    `CREATE TYPE ${LISTED_GROUP} AS ENUM (SELECT DISTINCT name FROM (SELECT '' AS name UNION ALL SELECT name FROM temp.listed_groups))`,
  );
}

const INTO_COUNTS = "CREATE OR REPLACE TEMP TABLE counts AS";

/**
 * The rows are parsed once and stored, on disk as far as they don't fit in memory. Each pass counts different pairs, chosen by
 * their hash, so the sums are exact, even if one item has all of them. A limit on the items of a person needs all pairs of a
 * person in one pass.
 */
async function countInPasses(connection: DuckDBConnection, rows: string, counting: Counting): Promise<void> {
  const { bound, groups } = counting;
  const hashed = bound === undefined && groups === undefined ? `item, "user"` : `"user"`;
  const group = groups === undefined ? "" : `, "group"`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE aside AS
    SELECT item, "user"${group}, (hash(${hashed}) % ${PARTS})::USMALLINT AS part FROM (${rows})`);
  for (const passes of PASSES)
    try {
      for (let pass = 0; pass < passes; pass++) {
        const some = `SELECT item, "user"${group} FROM temp.aside WHERE part % ${passes} = ${pass}`;
        const into = pass === 0 ? INTO_COUNTS : "INSERT INTO temp.counts";
        await connection.run(`${into} ${usersSql(some, counting)}`, keyOf(counting));
      }
      break;
    } catch (error) {
      if (!isOutOfMemory(error) || passes === PARTS) throw error;
    }
  await connection.run("DROP TABLE temp.aside");
  await connection.run(
    `${INTO_COUNTS} SELECT item${group}, sum(users) AS users, sum(lost) AS lost FROM temp.counts GROUP BY item${group}`,
  );
}

/**
 * A SELECT with the columns `item` and `users` of such rows, `"group"` in groups, and `lost`, which is above 0 if rows of the item may
 * have no person. With a limit it needs the values of `keyOf`.
 */
export function usersSql(rows: string, counting: Omit<Counting, "roles"> = {}): string {
  const { bound, isNumeric = false, groups } = counting;
  if (groups !== undefined) return usersInGroups(rows, groups, isNumeric);
  const counted = isNumeric ? copiesOf(rows) : `SELECT DISTINCT item, "user" FROM (${rows})`;
  const isItem = isNumeric ? IS_NUMBER : "item <> ''";
  const [from, isKept] =
    bound === undefined
      ? [counted, "true"]
      : [placesSql(counted, isItem, isNumeric), `place <= ${BigInt(bound.itemsPerUser)}`];
  return `SELECT item, count(*) FILTER (${isItem} AND "user" <> '' AND ${isKept}) AS users,
    count(*) FILTER (coalesce("user", '') = '') AS lost FROM (${from}) GROUP BY item`;
}

/**
 * People are cut before pairs are told apart, because that leaves fewer of them. A public list of groups is a type of the engine, so a
 * group is a small number. Rows that don't count have no person and no group: they tell about skipped lines and values.
 */
function usersInGroups(rows: string, groups: GroupsCounting, isNumeric: boolean): string {
  const { listed, only, perUser, itemsPerUser, isOfGroups } = groups;
  const group = listed === undefined ? `"group"` : `TRY_CAST("group" AS ${LISTED_GROUP})`;
  const isCounted = `"user" <> '' AND ${isNumeric ? IS_NUMBER : "item <> ''"} AND grp IS NOT NULL`;
  const counted = `SELECT item, CASE WHEN is_counted THEN grp END AS "group", CASE WHEN is_counted THEN "user" END AS "user"
    FROM (SELECT *, ${isCounted} AS is_counted FROM (SELECT item, "user", ${group} AS grp FROM (${rows})))`;
  const [name, users] = isOfGroups
    ? [`"group"`, `count(DISTINCT "user")`]
    : ["item", isNumeric || itemsPerUser !== undefined ? "count(*)" : `count(DISTINCT "user")`];
  const isNamed = only === undefined ? "true" : `"group"::VARCHAR IN (SELECT name FROM temp.only_groups)`;
  const counts = `SELECT "group", ${name} AS item, ${users} AS users FROM ${keptPairs(itemsPerUser, isNumeric)} WHERE ${isNamed} GROUP BY ALL`;
  return `WITH read AS MATERIALIZED (${counted}),
      people AS (SELECT DISTINCT "user", "group" FROM read WHERE "group" IS NOT NULL),
      many AS (SELECT "user" FROM people GROUP BY "user" HAVING count(*) > ${BigInt(perUser)}),
      beyond AS (${groupsBeyond(perUser)}),
      kept AS (SELECT * FROM read ANTI JOIN beyond USING ("user", "group") WHERE "group" IS NOT NULL)
    SELECT "group"::VARCHAR AS "group", item::VARCHAR AS item, users, 0 AS lost FROM (${counts})
    UNION ALL SELECT NULL, item, 0, 1 FROM (SELECT DISTINCT item FROM read WHERE "group" IS NULL)`;
}

/** The rows that are kept; with a limit on items, each pair (of values, each row) once, as far as it allows. */
function keptPairs(itemsPerUser: number | undefined, isNumeric: boolean): string {
  if (itemsPerUser === undefined) return "kept";
  const pairs = isNumeric
    ? `(SELECT *, row_number() OVER (PARTITION BY "user", "group", item) AS copy FROM kept)`
    : `(SELECT DISTINCT item, "group", "user" FROM kept)`;
  return `(${firstItems(pairs, itemsPerUser, isNumeric)})`;
}

/** The groups in which people who have too many aren't counted. */
function groupsBeyond(perUser: number): string {
  return `SELECT "user", "group" FROM (SELECT "user", "group", row_number() OVER (PARTITION BY "user"
      ORDER BY ${hashSql(hashedGroup('"user"', GROUP_NAME, TEXT))}, ${GROUP_NAME}) AS place
    FROM people SEMI JOIN many USING ("user")) WHERE place > ${BigInt(perUser)}`;
}

/** What each person keeps in each group. */
function firstItems(kept: string, itemsPerUser: number, isNumeric: boolean): string {
  const [text, order] = isNumeric ? ["copy || ':' || item", "item, copy"] : ["item", "item"];
  return `SELECT * FROM ${kept} QUALIFY row_number() OVER (PARTITION BY "user", "group"
    ORDER BY ${hashSql(hashedItem('"user"', GROUP_NAME, text, TEXT))}, ${order}) <= ${BigInt(itemsPerUser)}`;
}

/** The hash of the key and a text. */
function hashSql(text: string): string {
  return `sha256($1::BLOB || encode(${text}))`;
}

/** All rows, numbered among those of the same person with the same value; equal rows are alike, so their order doesn't matter. */
function copiesOf(rows: string): string {
  return `SELECT item, "user", row_number() OVER (PARTITION BY "user", item) AS copy FROM (${rows})`;
}

/** The pairs, or copies, with their rank among those of their person. */
function placesSql(counted: string, isItem: string, isNumeric: boolean): string {
  const [hashed, order] = isNumeric ? [`copy || ':' || item`, "item, copy"] : ["item", "item"];
  return `SELECT *, row_number() OVER (PARTITION BY "user", ${isItem}
    ORDER BY ${hashSql(`${measured('"user"', TEXT)} || ${hashed}`)}, ${order}) AS place FROM (${counted})`;
}

/** The bound values of `usersSql`. */
export function keyOf({ bound, groups }: Pick<Counting, "bound" | "groups">): DuckDBBlobValue[] | undefined {
  const key = groups?.key ?? bound?.key;
  return key && [blobValue(key)];
}

/**
 * How many lines the survey or the last count skipped; undefined if the format has no lines. The count shows whether there are
 * any; only then are they counted in another pass.
 */
export async function unreadLines(
  connection: DuckDBConnection,
  { lines, malformedSql }: Relation,
  roles: Roles,
): Promise<number | undefined> {
  if (lines === undefined || malformedSql === undefined) return undefined;
  const isAny = (await number(connection, "SELECT count(*) FROM temp.counts WHERE item IS NULL")) > 0;
  return lines.unreadable + (isAny ? await number(connection, malformedSql(roles)) : 0);
}

export type RowTotals = Pick<RowFacts, "rows" | "skippedRows">;

/**
 * Rows without a person or an item. The count shows whether there are any; only then are the rows read again. In a format with
 * lines, a row without an item at all is a skipped line.
 */
export async function rowTotals(
  connection: DuckDBConnection,
  relation: Relation,
  { roles, where, computed }: Pick<Counting, "roles" | "where" | "computed">,
): Promise<RowTotals> {
  const { lines } = relation;
  const isEmpty = lines === undefined ? "coalesce(item, '') = ''" : "item = ''";
  const isRow = lines === undefined ? "true" : "item IS NOT NULL";
  const any = await number(
    connection,
    `SELECT count(*) FROM temp.counts WHERE ${isEmpty} OR (lost > 0 AND ${isRow})`,
  );
  if (any === 0) return { skippedRows: 0 };
  const found = `SELECT * FROM (${rowsSql(relation, { roles, where, computed })}) WHERE ${isRow}`;
  const all = await number(connection, `SELECT count(*) FROM (${found})`);
  const isLost = `${isEmpty} OR coalesce("user", '') = ''`;
  return {
    rows: all,
    skippedRows: await number(connection, `SELECT count(*) FROM (${found}) WHERE ${isLost}`),
  };
}

export type OtherValues = Pick<RowFacts, "skippedValues" | "writtenNumbers">;

/** The different values that aren't numbers; if they were read as plain ones, also how many are written in another style. */
export async function otherValues(
  connection: DuckDBConnection,
  style: NumberStyle = "plain",
): Promise<OtherValues> {
  const others = `FROM temp.counts WHERE item <> '' AND NOT ${IS_NUMBER}`;
  const skippedValues = await number(connection, `SELECT count(*) ${others}`);
  if (skippedValues === 0 || style !== "plain") return { skippedValues };
  const written = (one: WrittenStyle) => number(connection, `SELECT count(*) ${others} AND ${isIn(one)}`);
  return { skippedValues, writtenNumbers: { point: await written("point"), comma: await written("comma") } };
}

const IS_NUMBER = `regexp_matches(item, ${sqlText(NUMBER_PATTERN)})`;

/** The number of items with users. */
export function countedItems(connection: DuckDBConnection): Promise<number> {
  return number(connection, "SELECT count(DISTINCT item) FROM temp.counts WHERE users > 0");
}

/** How many users differ from another only in case or spaces; the rows are read again. */
export function similarUsers(
  connection: DuckDBConnection,
  relation: Relation,
  roles: Roles,
): Promise<number> {
  return number(
    connection,
    `SELECT coalesce(sum(spellings), 0) FROM (
      SELECT count(*) AS spellings FROM (
        SELECT DISTINCT "user" FROM (${relation.rows(roles)}) WHERE item <> '' AND "user" <> ''
      ) GROUP BY ${PLAIN_USER} HAVING count(*) > 1
    )`,
  );
}

/** In lower case, with one plain space for any spaces within, and none at the ends. */
const PLAIN_USER = `trim(lower(regexp_replace("user", '[\\s\\p{Z}\\x{200B}\\x{FEFF}]+', ' ', 'g')))`;

/** The counts of the candidates, after `countUsers` and, for a public list, `loadCandidates`. */
export async function* readCounts(
  connection: DuckDBConnection,
  candidates: Candidates,
  isInGroups = false,
): AsyncGenerator<Batch> {
  const result = await connection.stream(isInGroups ? groupedCountsSql(candidates) : countsSql(candidates));
  const batches = batchesOf(result);
  yield* isInGroups && candidates.kind !== "groups" ? splitGroups(batches) : batches;
}

async function* batchesOf(result: Awaited<ReturnType<DuckDBConnection["stream"]>>): AsyncGenerator<Batch> {
  for await (const chunk of result) {
    const [items = [], users = []] = chunk.getColumns();
    yield { items: items.map((item) => String(item).slice(1)), users: users.map(Number) };
  }
}

/** The sign before each item protects a byte order mark, which would be lost on the way to JavaScript. */
function countsSql(candidates: Candidates): string {
  switch (candidates.kind) {
    case "listed":
      return `SELECT '=' || candidate, coalesce(users, 0) FROM temp.candidates LEFT JOIN temp.counts ON item = candidate`;
    case "frequencies":
      return "SELECT '=' || users, count(*) FROM temp.counts WHERE users > 0 GROUP BY users";
    case "largest":
      return `SELECT '=' || item, users FROM temp.counts WHERE users > 0 ORDER BY users DESC, item LIMIT ${BigInt(candidates.rows)}`;
    default:
      return `SELECT '=' || item, users FROM temp.counts WHERE users > 0 AND ${isCandidate(candidates)}`;
  }
}

/** For each group in turn; the text of the group stands before the item. */
function groupedCountsSql(candidates: Candidates): string {
  const name = (item: string) => `'=' || ${measured('"group"', TEXT)} || ${item}`;
  const from = `FROM temp.counts WHERE users > 0 AND "group" IS NOT NULL AND ${isCandidate(candidates)}`;
  switch (candidates.kind) {
    case "groups":
      return `SELECT '=' || item, users ${from}`;
    case "frequencies":
      return `SELECT ${name("users")}, count(*) ${from} GROUP BY "group", users ORDER BY "group"`;
    case "largest":
      return `SELECT ${name("item")}, users ${from} QUALIFY row_number() OVER (PARTITION BY "group"
        ORDER BY users DESC, item) <= ${BigInt(candidates.rows)} ORDER BY "group"`;
    default:
      return `SELECT ${name("item")}, users ${from} ORDER BY "group"`;
  }
}

/** On an item that has users. */
function isCandidate(candidates: Candidates): string {
  if (candidates.kind === "listed") return "item IN (SELECT candidate FROM temp.candidates)";
  if (candidates.kind !== "integers") return "true";
  return `regexp_full_match(item, '0|[1-9][0-9]{0,15}') AND try_cast(item AS BIGINT) < ${BigInt(candidates.below)}`;
}

/** Loads a public list; duplicates are one candidate. */
export async function loadCandidates(
  connection: DuckDBConnection,
  items: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  await loadNames(connection, "listed", "candidate", items);
  await connection.run(
    "CREATE OR REPLACE TEMP TABLE candidates AS SELECT DISTINCT candidate FROM temp.listed",
  );
  await connection.run("DROP TABLE temp.listed");
}

async function loadNames(
  connection: DuckDBConnection,
  table: string,
  column: string,
  names: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${column} VARCHAR)`);
  const appender = await connection.createAppender(table, "main", "temp");
  for await (const name of names) {
    appender.appendVarchar(name);
    appender.endRow();
  }
  appender.closeSync();
}

async function number(connection: DuckDBConnection, sql: string): Promise<number> {
  const [[value] = []] = await (await connection.run(sql)).getRows();
  return Number(value);
}
