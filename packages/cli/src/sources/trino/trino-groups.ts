/**
 * The statement with which Trino counts in groups: each person's groups with the smallest keyed hashes, and of each of them the items
 * with the smallest, then the counts of each group, one group after the other. Only people with too many groups are hashed for them.
 * Items, people and texts are those of trino-sql.ts.
 * @module
 */
import { LONGEST_LINE } from "winnow-release";
import { groupSql, hashedGroup, hashedItem, measured } from "../groups.js";
import { type Candidates, type GroupsRequest, isOfNumbers } from "../source.js";
import type { TrinoColumn } from "./trino-server.js";
import {
  checkNumeric,
  isItem,
  isPresent,
  isText,
  personText,
  presentRows,
  type Rows,
  TEXT,
  textOf,
  wholeNumber,
} from "./trino-sql.js";

export interface GroupedRows extends Omit<Rows, "bound"> {
  readonly groups: GroupsRequest;
  /** Those of `groups.by`. */
  readonly columns: readonly TrinoColumn[];
  /** The items that may come back, if they are sent along. */
  readonly listed?: readonly string[] | undefined;
  readonly mostBytes?: number | undefined;
}

/** The first column of an answer is, in base64, the text of the group with its length, and the item behind it. */
export function countInGroups(rows: GroupedRows, candidates: Candidates): string {
  const { groups, listed, mostBytes = LONGEST_LINE } = rows;
  const kept = keptRows(rows, isOfNumbers(candidates));
  const isNamed = groups.only === undefined ? "true" : isIn("grp", groups.only);
  if (candidates.kind === "groups")
    return `SELECT to_base64(to_utf8(grp)), count(DISTINCT person) FROM (${kept}) WHERE ${isNamed} GROUP BY grp`;
  const isCandidate = [
    isNamed,
    `length(to_utf8(item)) <= ${wholeNumber(mostBytes)}`,
    ...(listed === undefined ? [] : [isIn("item", listed)]),
    ...(candidates.kind === "integers"
      ? [
          `regexp_like(item, '^(0|[1-9][0-9]{0,15})\\z') AND TRY_CAST(item AS bigint) < ${wholeNumber(candidates.below)}`,
        ]
      : []),
  ].join(" AND ");
  const counts = `SELECT grp, item, count(*) AS users FROM (${kept}) WHERE ${isCandidate} GROUP BY grp, item`;
  return answer(counts, candidates);
}

function answer(counts: string, candidates: Candidates): string {
  const name = (item: string) => `to_base64(to_utf8(${TEXT.concat(measured("grp", TEXT), item)}))`;
  const all = (chosen: string) => `SELECT ${name("item")}, users FROM (${chosen}) ORDER BY grp`;
  switch (candidates.kind) {
    case "frequencies":
      return `SELECT ${name("CAST(people AS varchar)")}, items FROM (
        SELECT grp, users AS people, count(*) AS items FROM (${counts}) GROUP BY grp, users) ORDER BY grp`;
    case "largest":
      return all(`SELECT grp, item, users FROM (SELECT *, row_number() OVER (PARTITION BY grp ORDER BY users DESC, item) AS nth FROM (${counts}))
          WHERE nth <= ${wholeNumber(candidates.rows)}`);
    default:
      return all(counts);
  }
}

/** The names as one base64 text. */
function isIn(text: string, names: readonly string[]): string {
  const list = names.map((name) => Buffer.from(name, "utf8").toString("base64")).join(",");
  return `${text} IN (SELECT from_utf8(from_base64(part)) FROM UNNEST(split('${list}', ',')) AS parts (part))`;
}

/** The pairs, or copies of values, for which people are counted. */
function keptRows({ groups, columns, ...rows }: GroupedRows, isNumeric: boolean): string {
  if (isNumeric) checkNumeric(rows);
  const { perUser, itemsPerUser, key } = groups;
  const counted = pairsOf({ ...rows, isNumeric }, columns, groups.listed);
  const own = `SELECT *, max(nth) OVER (PARTITION BY person) AS own FROM (
      SELECT *, dense_rank() OVER (PARTITION BY person ORDER BY grp) AS nth FROM (${counted}))`;
  const hash = hashSql(key, hashedGroup("person", "grp", TEXT));
  const place = `dense_rank() OVER (PARTITION BY person ORDER BY CASE WHEN own > ${wholeNumber(perUser)} THEN ${hash} END, grp)`;
  const inGroups = `SELECT * FROM (SELECT *, ${place} AS place FROM (${own})) WHERE place <= ${wholeNumber(perUser)}`;
  if (itemsPerUser === undefined) return inGroups;
  const [text, order] = isNumeric
    ? [TEXT.concat("CAST(copy AS varchar)", "':'", "item"), ", copy"]
    : ["item", ""];
  const spot = `row_number() OVER (PARTITION BY person, grp ORDER BY ${hashSql(key, hashedItem("person", "grp", text, TEXT))}, item${order})`;
  return `SELECT * FROM (SELECT *, ${spot} AS spot FROM (${inGroups})) WHERE spot <= ${wholeNumber(itemsPerUser)}`;
}

function hashSql(key: Uint8Array, text: string): string {
  return `sha256(concat(from_hex('${Buffer.from(key).toString("hex")}'), to_utf8(${text})))`;
}

/** Each pair once; of values, each row with its number among those of the same person and group with the same value. */
function pairsOf(
  rows: Omit<Rows, "bound">,
  columns: readonly TrinoColumn[],
  listed: readonly string[] | undefined,
): string {
  const { item, user, isNumeric = false } = rows;
  const parts = columns.map((_, i) => `part${i}`);
  const isGroup = columns.map((column) => isPresent(column)).join(" AND ");
  const isGroupText = columns.map((column, i) => isText(parts[i], column)).join(" AND ");
  const texts = `SELECT ${personText(user)} AS person, ${textOf(item)} AS item, ${columns.map((column, i) => `${textOf(column)} AS ${parts[i]}`).join(", ")}
    ${presentRows(rows)} AND ${isGroup}`;
  const isCounted = [isItem(rows) ?? "true", isGroupText].join(" AND ");
  const grouped = `SELECT person, item, ${groupSql(parts, TEXT)} AS grp FROM (${texts}) WHERE ${isCounted}`;
  const inList = `SELECT * FROM (${grouped}) WHERE ${listed === undefined ? "true" : isIn("grp", listed)}`;
  return isNumeric
    ? `SELECT *, row_number() OVER (PARTITION BY person, grp, item) AS copy FROM (${inList})`
    : `SELECT DISTINCT person, item, grp FROM (${inList})`;
}
