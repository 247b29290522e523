/**
 * The statement with which ClickHouse counts in groups. Shards give the distinct pairs; the server that receives the query gathers
 * those of each person, keeps the groups with the smallest keyed hashes, and of each of them the items with the smallest. Only people with too many groups are hashed. Items, people and texts are those of clickhouse-sql.ts. Names that aren't text
 * are skipped here, not there: so runs of equal counts, and the largest items where such a name is among them, are made here.
 * @module
 */
import { LONGEST_LINE } from "winnow-release";
import { groupSql, hashedGroup, hashedItem, measured, splitGroups } from "../groups.js";
import { type Batch, type Candidates, type GroupsRequest, isOfNumbers } from "../source.js";
import {
  type Column,
  checkNumeric,
  hexOf,
  isItem,
  isShort,
  isThere,
  isWritten,
  itemKey,
  personText,
  presentRows,
  type Rows,
  TEXT,
  textOf,
  userKey,
  wholeNumber,
} from "./clickhouse-sql.js";

export interface GroupedRows extends Omit<Rows, "bound"> {
  readonly groups: GroupsRequest;
  /** Those of `groups.by`. */
  readonly columns: readonly Column[];
  /** The items that may come back, if they are sent along. */
  readonly listed?: readonly string[] | undefined;
  readonly mostBytes?: number | undefined;
}

/** The second column of an answer is the text of the group with its length, and the item behind it. */
export function countInGroups(rows: GroupedRows, candidates: Candidates): string {
  const { groups, listed, mostBytes = LONGEST_LINE } = rows;
  const kept = keptRows(rows, isOfNumbers(candidates));
  const isNamed = groups.only === undefined ? "1" : isIn("winnow_group", groups.only);
  if (candidates.kind === "groups")
    return `SELECT uniqExact(winnow_person) AS winnow_users, winnow_group FROM (${kept}) WHERE ${isNamed} GROUP BY winnow_group`;
  const isCandidate = [
    isNamed,
    `length(winnow_item) <= ${wholeNumber(mostBytes)}`,
    ...(listed === undefined ? [] : [isIn("winnow_item", listed)]),
    ...(candidates.kind === "integers"
      ? [
          `match(winnow_item, '^(0|[1-9][0-9]{0,15})$') AND toUInt64OrZero(winnow_item) < ${wholeNumber(candidates.below)}`,
        ]
      : []),
  ].join(" AND ");
  const counts = `SELECT count() AS winnow_users, winnow_group, winnow_item FROM (${kept}) WHERE ${isCandidate} GROUP BY winnow_group, winnow_item`;
  return answer(counts, candidates);
}

function answer(counts: string, candidates: Candidates): string {
  const chosen =
    candidates.kind === "largest"
      ? `SELECT * FROM (${counts}) ORDER BY winnow_users DESC, winnow_item LIMIT ${wholeNumber(candidates.rows)} BY winnow_group`
      : counts;
  const name = TEXT.concat(measured("winnow_group", TEXT), "winnow_item");
  return `SELECT winnow_users, ${name} AS winnow_name FROM (${chosen}) ORDER BY winnow_group`;
}

/** The counts of one group as a source gives them: its largest, or how many items have each number of people. */
function chosenHere({ items, users }: Batch, candidates: Candidates): Batch {
  switch (candidates.kind) {
    case "frequencies":
      return runsOf(users);
    case "largest":
      return largestOf({ items, users }, candidates.rows);
    default:
      return { items, users };
  }
}

function runsOf(users: readonly number[]): Batch {
  const runs = new Map<number, number>();
  for (const people of users) runs.set(people, (runs.get(people) ?? 0) + 1);
  return { items: Array.from(runs.keys(), String), users: [...runs.values()] };
}

function largestOf({ items, users }: Batch, most: number): Batch {
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const places = [...items.keys()].sort((a, b) => users[b] - users[a] || byBytes(items[a], items[b]));
  const kept = places.slice(0, most);
  return { items: kept.map((place) => items[place]), users: kept.map((place) => users[place]) };
}

/** Combines all counts of all groups, as they come. */
export async function* combinedHere(
  counts: AsyncIterable<Batch>,
  candidates: Candidates,
): AsyncGenerator<Batch> {
  let group: string | undefined;
  let items: string[] = [];
  let users: number[] = [];
  const whole = () => {
    const { items: names, users: counts } = chosenHere({ items, users }, candidates);
    const start = `${Buffer.byteLength(group ?? "")}:${group}`;
    return { items: names.map((name) => start + name), users: counts };
  };
  for await (const batch of splitGroups(counts)) {
    if (group !== undefined && batch.group !== group) {
      yield whole();
      [items, users] = [[], []];
    }
    group = batch.group;
    for (const [i, item] of batch.items.entries()) {
      items.push(item);
      users.push(batch.users[i]);
    }
  }
  if (group !== undefined) yield whole();
}

/** The names as one hexadecimal text. */
function isIn(text: string, names: readonly string[]): string {
  return `${text} IN (SELECT unhex(arrayJoin(splitByChar(',', '${names.map(hexOf).join(",")}'))))`;
}

/** The pairs, or copies of values, for which people are counted. */
function keptRows({ groups, columns, ...rows }: GroupedRows, isNumeric: boolean): string {
  if (isNumeric) checkNumeric(rows);
  const { perUser, itemsPerUser } = groups;
  const pairs = pairsOf({ ...rows, isNumeric }, columns, groups.listed);
  const [copy, place] = isNumeric ? [", winnow_copy", ", winnow_row.3 AS winnow_copy"] : ["", ""];
  const counted = isNumeric
    ? `SELECT winnow_person, winnow_group, winnow_item, arrayJoin(range(winnow_copies)) + 1 AS winnow_copy FROM (${pairs})`
    : pairs;
  const all = "groupUniqArray(winnow_group)";
  const hash = hashSql(groups.key, hashedGroup("winnow_person", "x", TEXT));
  const kept = `if(length(${all}) > ${wholeNumber(perUser)}, arraySlice(arraySort(x -> (${hash}, x), ${all}), 1, ${wholeNumber(perUser)}), ${all})`;
  const inGroups = `SELECT winnow_person, winnow_row.1 AS winnow_group, winnow_row.2 AS winnow_item${place} FROM (
      SELECT winnow_person, groupArray((winnow_group, winnow_item${copy})) AS winnow_rows, ${kept} AS winnow_kept
      FROM (${counted}) GROUP BY winnow_person
    ) ARRAY JOIN winnow_rows AS winnow_row WHERE has(winnow_kept, winnow_row.1)`;
  if (itemsPerUser === undefined) return inGroups;
  const text = isNumeric ? TEXT.concat("toString(winnow_copy)", "':'", "winnow_item") : "winnow_item";
  const order = hashSql(groups.key, hashedItem("winnow_person", "winnow_group", text, TEXT));
  return `SELECT winnow_person, winnow_group, winnow_item FROM (${inGroups})
    ORDER BY ${order}, winnow_item${copy} LIMIT ${wholeNumber(itemsPerUser)} BY winnow_person, winnow_group`;
}

function hashSql(key: Uint8Array, text: string): string {
  return `SHA256(concat(unhex('${Buffer.from(key).toString("hex")}'), ${text}))`;
}

/** Each pair once; of values, with how often the person has it. */
function pairsOf(
  rows: Omit<Rows, "bound">,
  columns: readonly Column[],
  listed: readonly string[] | undefined,
): string {
  const { item, user, isNumeric = false } = rows;
  const group = groupSql(columns.map(textOf), TEXT);
  const isGroup = columns.map((column) => `${isThere(column)} AND ${isWritten(column)}`).join(" AND ");
  return `SELECT ${personText(user)} AS winnow_person, ${group} AS winnow_group, ${textOf(item)} AS winnow_item${isNumeric ? ", count() AS winnow_copies" : ""}
    ${presentRows(rows)} AND ${isGroup} AND ${listed === undefined ? "1" : isIn(group, listed)}
    GROUP BY ${userKey(user)}, ${columns.map(textOf).join(", ")}, ${itemKey(item)}
    HAVING ${isShort(item)} AND ${isItem(rows)} AND length(winnow_group) <= ${LONGEST_LINE}`;
}
