/**
 * The statement with which PostgreSQL counts in groups: each person's groups with the smallest keyed hashes, and of each of them the
 * items with the smallest, then the counts of each group, one group after the other. Only people with too many groups are hashed. Items, people and texts are those of postgres-sql.ts.
 * @module
 */
import { LONGEST_LINE, mustBeButIs, NUMBER_PATTERN, Refusal } from "winnow-release";
import { groupSql, hashedGroup, hashedItem, measured } from "../groups.js";
import { type Candidates, type GroupsRequest, isOfNumbers } from "../source.js";
import {
  type Column,
  isAtMost,
  isPresent,
  isShort,
  type Rows,
  type Statement,
  TEXT,
  textOf,
  WHOLE_NUMBER,
} from "./postgres-sql.js";

export interface GroupedRows extends Rows {
  readonly groups: GroupsRequest;
  /** Those of `groups.by`. */
  readonly columns: readonly Column[];
  /** The items that may come back, if they are sent along. */
  readonly listed?: readonly string[] | undefined;
  /** Items with more bytes don't come back. */
  readonly mostBytes?: number | undefined;
}

/** The first column of an answer is the text of the group with its length, and the item behind it. */
export function countInGroups(rows: GroupedRows, candidates: Candidates): Statement {
  const values: unknown[] = [Buffer.from(rows.groups.key)];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  // A PostgreSQL text can't contain NUL, and none may be sent.
  const bindList = (names: readonly string[]) =>
    bind(
      names.filter((name) => !name.includes("\0")),
      "text[]",
    );
  const { groups, listed, mostBytes = LONGEST_LINE } = rows;
  const isListed = groups.listed && `grp = ANY (${bindList(groups.listed)})`;
  const kept = keptRows(rows, isOfNumbers(candidates), isListed ?? "true");
  const isNamed = groups.only === undefined ? "true" : `grp = ANY (${bindList(groups.only)})`;
  if (candidates.kind === "groups")
    return {
      text: `SELECT grp, pg_catalog.count(DISTINCT person)::text FROM (${kept}) AS kept WHERE ${isNamed} GROUP BY grp`,
      values,
    };
  const isItem = [
    isNamed,
    isAtMost("item", mostBytes),
    ...(listed === undefined ? [] : [`item = ANY (${bindList(listed)})`]),
    ...(candidates.kind === "integers"
      ? [
          `CASE WHEN item ~ '${WHOLE_NUMBER}' THEN item::bigint < ${bind(candidates.below, "bigint")} ELSE false END`,
        ]
      : []),
  ].join(" AND ");
  const counts = `SELECT grp, item, pg_catalog.count(*) AS users FROM (${kept}) AS kept WHERE ${isItem} GROUP BY grp, item`;
  return { text: answer(counts, candidates), values };
}

function answer(counts: string, candidates: Candidates): string {
  const name = (item: string) => TEXT.concat(measured("grp", TEXT), item);
  const all = (chosen: string) =>
    `SELECT ${name("item")}, users::text FROM (${chosen}) AS chosen ORDER BY grp COLLATE "C"`;
  switch (candidates.kind) {
    case "frequencies":
      return `SELECT ${name("users::text")}, pg_catalog.count(*)::text FROM (${counts}) AS counts
      GROUP BY grp, users ORDER BY grp COLLATE "C"`;
    case "largest":
      return all(`SELECT * FROM (SELECT *, pg_catalog.row_number() OVER (PARTITION BY grp ORDER BY users DESC, item COLLATE "C") AS nth
          FROM (${counts}) AS counts) AS placed WHERE nth <= ${BigInt(candidates.rows)}`);
    default:
      return all(counts);
  }
}

/** The pairs, or copies of values, for which people are counted. */
function keptRows({ groups, ...rows }: GroupedRows, isNumeric: boolean, isListed: string): string {
  const { perUser, itemsPerUser } = groups;
  const written = "pg_catalog.min(written) OVER (PARTITION BY person) AS written";
  const pairs = groupedRows(rows, isNumeric, isListed);
  const counted = isNumeric
    ? `SELECT item, grp, person, ${written}, pg_catalog.row_number() OVER (PARTITION BY person, grp, item) AS copy FROM (${pairs}) AS pairs`
    : `SELECT item, grp, person, ${written.replace("min(written)", "min(pg_catalog.min(written))")} FROM (${pairs}) AS pairs GROUP BY item, grp, person`;
  const own = `SELECT *, pg_catalog.max(nth) OVER (PARTITION BY person) AS own FROM (
      SELECT *, pg_catalog.dense_rank() OVER (PARTITION BY person ORDER BY grp COLLATE "C") AS nth FROM (${counted}) AS counted
    ) AS numbered`;
  const place = `pg_catalog.dense_rank() OVER (PARTITION BY person ORDER BY
      CASE WHEN own > ${BigInt(perUser)} THEN ${hashSql(hashedGroup("written", "grp", TEXT))} END, grp COLLATE "C")`;
  const inGroups = `SELECT * FROM (SELECT *, ${place} AS place FROM (${own}) AS own) AS placed WHERE place <= ${BigInt(perUser)}`;
  if (itemsPerUser === undefined) return inGroups;
  const [text, order] = isNumeric ? ["copy::text || ':' || item", ", copy"] : ["item", ""];
  const spot = `pg_catalog.row_number() OVER (PARTITION BY person, grp
      ORDER BY ${hashSql(hashedItem("written", "grp", text, TEXT))}, item COLLATE "C"${order})`;
  return `SELECT * FROM (SELECT *, ${spot} AS spot FROM (${inGroups}) AS in_groups) AS spots WHERE spot <= ${BigInt(itemsPerUser)}`;
}

/** The hash of the key, which is the first value, and a text. */
function hashSql(text: string): string {
  return `pg_catalog.sha256($1::bytea || pg_catalog.convert_to(${text}, 'UTF8'))`;
}

function groupedRows(
  { relation, item, user, columns }: Omit<GroupedRows, "groups">,
  isNumeric: boolean,
  isListed: string,
): string {
  const person = user.equality === "own" ? `counted.${quoted(user)}` : textOf(user);
  const present = [item, user, ...columns].map((column) => `${isPresent(column)} AND ${isShort(column)}`);
  return `SELECT * FROM (SELECT ${textOf(item)} AS item, ${groupSql(columns.map(textOf), TEXT)} AS grp,
      ${person} AS person, ${textOf(user)} AS written
    FROM ${relation.sql} AS counted
    WHERE ${present.join(" AND ")} AND ${isNumeric ? `${textOf(item)} ~ '${NUMBER_PATTERN}'` : "true"}) AS texts
    WHERE ${isListed}`;
}

function quoted({ name }: Column): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** In other encodings a list with some letters couldn't be sent. */
export function checkGroupsEncoding(encoding: string): void {
  if (encoding !== "UTF8")
    throw new Refusal("usage", mustBeButIs("The encoding of the database", "UTF8 with --by", encoding));
}
