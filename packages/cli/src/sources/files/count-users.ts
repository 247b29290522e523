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
 * @module
 */
import { blobValue, type DuckDBBlobValue, type DuckDBConnection } from "@duckdb/node-api";
import {
  NUMBER_PATTERN,
  type NumberStyle,
  type RowFacts,
  STYLE_RULES,
  type StyleRule,
  type WrittenStyle,
} from "winnow-release";
import type { Batch, Candidates, ContributionBound } from "../source.js";
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
}

export async function countUsers(
  connection: DuckDBConnection,
  relation: Relation,
  counting: Counting,
): Promise<void> {
  const rows = inPlainNumbers(relation.rows(counting.roles), counting.numbers);
  try {
    await connection.run(`${INTO_COUNTS} ${usersSql(rows, counting)}`, keyOf(counting.bound));
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    await countInPasses(connection, rows, counting);
  }
}

/** The rows with their numbers as `plain` writes them; a text that isn't one in this style begins with a mark that no number has. */
function inPlainNumbers(rows: string, style: NumberStyle | undefined): string {
  if (style === undefined || style === "plain") return rows;
  const rule: StyleRule = STYLE_RULES[style];
  const plain = `replace(regexp_replace(item, ${sqlText(rule.dropped)}, '', 'g'), ${sqlText(rule.mark)}, '.')`;
  const read = `CASE WHEN ${isIn(style)} THEN ${plain} WHEN item = '' THEN '' ELSE '?' || item END`;
  return `SELECT ${read} AS item, "user" FROM (${rows})`;
}

function isIn(style: WrittenStyle): string {
  return `regexp_matches(item, ${sqlText(STYLE_RULES[style].pattern)})`;
}

const INTO_COUNTS = "CREATE OR REPLACE TEMP TABLE counts AS";

/**
 * The rows are parsed once and stored, on disk as far as they don't fit in memory. Each pass counts different pairs, chosen by
 * their hash, so the sums are exact, even if one item has all of them. A limit on the items of a person needs all pairs of a
 * person in one pass.
 */
async function countInPasses(connection: DuckDBConnection, rows: string, counting: Counting): Promise<void> {
  const { bound } = counting;
  const hashed = bound === undefined ? `item, "user"` : `"user"`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE aside AS
    SELECT item, "user", (hash(${hashed}) % ${PARTS})::USMALLINT AS part FROM (${rows})`);
  for (const passes of PASSES)
    try {
      for (let pass = 0; pass < passes; pass++) {
        const some = `SELECT item, "user" FROM temp.aside WHERE part % ${passes} = ${pass}`;
        const into = pass === 0 ? INTO_COUNTS : "INSERT INTO temp.counts";
        await connection.run(`${into} ${usersSql(some, counting)}`, keyOf(bound));
      }
      break;
    } catch (error) {
      if (!isOutOfMemory(error) || passes === PARTS) throw error;
    }
  await connection.run("DROP TABLE temp.aside");
  await connection.run(
    `${INTO_COUNTS} SELECT item, sum(users) AS users, sum(lost) AS lost FROM temp.counts GROUP BY item`,
  );
}

/**
 * A SELECT with the columns `item` and `users` of such rows, and `lost`, which is above 0 if rows of the item have no person. With a
 * limit it needs the values of `keyOf`.
 */
export function usersSql(rows: string, { bound, isNumeric = false }: Omit<Counting, "roles"> = {}): string {
  const counted = isNumeric ? copiesOf(rows) : `SELECT DISTINCT item, "user" FROM (${rows})`;
  const isItem = isNumeric ? IS_NUMBER : "item <> ''";
  const [from, isKept] =
    bound === undefined
      ? [counted, "true"]
      : [placesSql(counted, isItem, isNumeric), `place <= ${BigInt(bound.itemsPerUser)}`];
  return `SELECT item, count(*) FILTER (${isItem} AND "user" <> '' AND ${isKept}) AS users,
    count(*) FILTER (coalesce("user", '') = '') AS lost FROM (${from}) GROUP BY item`;
}

/** All rows, numbered among those of the same person with the same value; equal rows are alike, so their order doesn't matter. */
function copiesOf(rows: string): string {
  return `SELECT item, "user", row_number() OVER (PARTITION BY "user", item) AS copy FROM (${rows})`;
}

/** The pairs, or copies, with their rank among those of their person. */
function placesSql(counted: string, isItem: string, isNumeric: boolean): string {
  const [hashed, order] = isNumeric ? [`copy || ':' || item`, "item, copy"] : ["item", "item"];
  return `SELECT *, row_number() OVER (PARTITION BY "user", ${isItem}
    ORDER BY sha256($1::BLOB || encode(strlen("user") || ':' || "user" || ${hashed})), ${order}) AS place FROM (${counted})`;
}

/** The bound values of `usersSql`. */
export function keyOf(bound: ContributionBound | undefined): DuckDBBlobValue[] | undefined {
  return bound && [blobValue(bound.key)];
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
  { lines, rows }: Relation,
  roles: Roles,
): Promise<RowTotals> {
  const isEmpty = lines === undefined ? "coalesce(item, '') = ''" : "item = ''";
  const isRow = lines === undefined ? "true" : "item IS NOT NULL";
  const any = await number(
    connection,
    `SELECT count(*) FROM temp.counts WHERE ${isEmpty} OR (lost > 0 AND ${isRow})`,
  );
  if (any === 0) return { skippedRows: 0 };
  const found = `SELECT * FROM (${rows(roles)}) WHERE ${isRow}`;
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
  return number(connection, "SELECT count(*) FROM temp.counts WHERE users > 0");
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
): AsyncGenerator<Batch> {
  const result = await connection.stream(countsSql(candidates));
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
    case "integers":
      return `SELECT '=' || item, users FROM temp.counts WHERE users > 0 AND regexp_full_match(item, '0|[1-9][0-9]{0,15}')
        AND try_cast(item AS BIGINT) < ${BigInt(candidates.below)}`;
    case "frequencies":
      return "SELECT '=' || users, count(*) FROM temp.counts WHERE users > 0 GROUP BY users";
    case "numbers":
      return "SELECT '=' || item, users FROM temp.counts WHERE users > 0";
    case "largest":
      return `SELECT '=' || item, users FROM temp.counts WHERE users > 0 ORDER BY users DESC, item LIMIT ${BigInt(candidates.rows)}`;
  }
}

/** Loads a public list; duplicates are one candidate. */
export async function loadCandidates(
  connection: DuckDBConnection,
  items: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  await connection.run("CREATE OR REPLACE TEMP TABLE listed (candidate VARCHAR)");
  const appender = await connection.createAppender("listed", "main", "temp");
  for await (const item of items) {
    appender.appendVarchar(item);
    appender.endRow();
  }
  appender.closeSync();
  await connection.run(
    "CREATE OR REPLACE TEMP TABLE candidates AS SELECT DISTINCT candidate FROM temp.listed",
  );
  await connection.run("DROP TABLE temp.listed");
}

async function number(connection: DuckDBConnection, sql: string): Promise<number> {
  const [[value] = []] = await (await connection.run(sql)).getRows();
  return Number(value);
}
