/**
 * Rows of people in many groups, under names that engines sort, compare or hash in different ways; what a source counts in them;
 * and what it should, by definition. Texts are compared by their bytes.
 * @module
 */
import { createHash } from "node:crypto";
import { boundGroups } from "winnow-dp";
import { countedHashes, NUMBER_PATTERN } from "winnow-release";
import type { Candidates, GroupsRequest, Panel, Source } from "../../src/sources/source.js";

export interface GroupedRow {
  readonly user: string;
  readonly country: string;
  readonly month: string;
  readonly item: string;
}

const GROUPS = ["DE", "de", "D", "é", "e\u0301", "日本", "a ", "1:DE", "😀", "it's", "\ufb00"];
const MONTHS = ["2026-10", "2026-11", "1"];
const ITEMS = ["a", "A", "7", "07", "-1.5", "1e3", "ß", "ss", "trailing ", "back\\slash", "😀", "17:DEx"];
const PEOPLE = ["u", "U", "u ", "1", "11", "1:", "日本", "\u{10ffff}", "é", "é2", "x"];

/** People in all groups and in one, some rows twice; rows without a person, a group or an item are skipped. */
export function groupedRows(): GroupedRow[] {
  const rows: GroupedRow[] = [];
  for (const [p, user] of PEOPLE.entries())
    for (const [g, country] of GROUPS.entries())
      for (const [m, month] of MONTHS.entries())
        for (const [i, item] of ITEMS.entries())
          if ((p * 31 + g * 17 + m * 7 + i * 5) % 11 < (p % 4) + 1) {
            rows.push({ user, country, month, item });
            if ((p + i) % 2 === 0) rows.push({ user, country, month, item });
          }
  const whole = { user: "lost", country: "DE", month: "1", item: "a" };
  for (const role of ["user", "country", "month", "item"] as const) rows.push({ ...whole, [role]: "" });
  return rows;
}

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 251 - 3 * i);

/** One column and two, listed groups and all, cuts that bite and that don't. */
export const GROUP_REQUESTS: readonly GroupsRequest[] = [
  { by: ["country"], perUser: 2, key: KEY },
  { by: ["country"], perUser: 1, itemsPerUser: 2, key: KEY, listed: ["é", "XX", "日本", "DE", "1:DE", "de"] },
  { by: ["country"], perUser: 3, key: KEY, only: ["DE", "😀"] },
  { by: ["country"], perUser: 1000, key: new Uint8Array(32) },
  { by: ["month", "country"], perUser: 4, itemsPerUser: 1, key: KEY },
  { by: ["country", "month"], perUser: 2, key: KEY, listed: ["2:DE1", "2:de2026-10", "4:1:DE1", "2:é1"] },
];

export const GROUP_CANDIDATES: readonly Candidates[] = [
  { kind: "largest", rows: 3 },
  { kind: "largest", rows: 1000 },
  { kind: "listed", items: ["a", "A", "absent", "😀", "17:DEx"] },
  { kind: "integers", below: 8 },
  { kind: "frequencies" },
  { kind: "numbers" },
  { kind: "groups" },
];

/** A year of eight periods, in three of which each person is counted, and one in which everyone is counted once. */
const PROMISES = [8, 2].map((horizon) => ({
  ...({ unit: "person", period: "week", first: "2026-01-05", horizon } as const),
  maxPeriodsPerUser: horizon === 8 ? 3 : 1,
}));

/** Who is counted in each period, under one key. */
export const PANELS: readonly (readonly Panel[])[] = PROMISES.map((promise) =>
  Array.from({ length: promise.horizon }, (_, index) => ({
    key: "0123456789abcdef".repeat(4),
    hashes: countedHashes(promise, index),
  })),
);

/** By definition. */
export function isCounted(user: string, { key, hashes }: Panel): boolean {
  const hash = createHash("sha256")
    .update(`${key}${bytesOf(user)}:${user}`)
    .digest("hex");
  return hashes.some(([from, until]) => hash >= from && (until === undefined || hash < until));
}

/** By group and item, in one order. */
export type Counts = readonly (readonly [group: string, item: string, users: number])[];

const bytesOf = (text: string) => Buffer.byteLength(text);
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export function groupOf(row: GroupedRow, by: readonly string[]): string {
  const texts = by.map((column) => row[column as keyof GroupedRow]);
  if (texts.includes("")) return "";
  return texts.map((text, i) => (i < texts.length - 1 ? `${bytesOf(text)}:${text}` : text)).join("");
}

/** As the library counts, from the same rows. */
export function countGroupsHere(
  rows: readonly GroupedRow[],
  groups: GroupsRequest,
  candidates: Candidates,
): Counts {
  const isNumeric = candidates.kind === "numbers";
  const { listed, only, perUser, itemsPerUser, key } = groups;
  const triples = rows.flatMap((row): [string, string, string][] => {
    const [user, group, item] = [row.user, groupOf(row, groups.by), row.item];
    const isRead = user !== "" && group !== "" && item !== "";
    return isRead && (!isNumeric || new RegExp(NUMBER_PATTERN).test(item)) ? [[user, group, item]] : [];
  });
  const copies = new Map<string, number>();
  const copied = triples.map(([user, group, item]): [string, string, string] => {
    const which = JSON.stringify([user, group, item]);
    copies.set(which, (copies.get(which) ?? 0) + 1);
    return [user, group, isNumeric ? `${copies.get(which)}:${item}` : item];
  });
  const counted = boundGroups(copied, {
    ...{ groups: listed, maxGroupsPerUser: perUser, key },
    maxItemsPerUser: candidates.kind === "groups" ? undefined : itemsPerUser,
  });
  if (candidates.kind === "groups") return peopleOf(triples, groups);
  const found: [string, string, number][] = [];
  for (const [group, items] of counted) {
    if (only?.includes(group) === false) continue;
    const sums = new Map<string, number>();
    for (const [item, users] of items) {
      const name = isNumeric ? item.slice(item.indexOf(":") + 1) : item;
      sums.set(name, (sums.get(name) ?? 0) + users);
    }
    for (const [item, users] of chosen([...sums], candidates)) found.push([group, item, users]);
  }
  return inOrder(found);
}

function chosen(items: readonly [string, number][], candidates: Candidates): readonly [string, number][] {
  switch (candidates.kind) {
    case "listed":
      return items.filter(([item]) => [...(candidates.items as Iterable<string>)].includes(item));
    case "integers":
      return items.filter(([item]) => /^(0|[1-9]\d{0,15})$/.test(item) && Number(item) < candidates.below);
    case "largest":
      return items.toSorted(([a, m], [b, n]) => n - m || byBytes(a, b)).slice(0, candidates.rows);
    case "frequencies": {
      const runs = new Map<string, number>();
      for (const [, users] of items) runs.set(String(users), (runs.get(String(users)) ?? 0) + 1);
      return [...runs];
    }
    default:
      return items;
  }
}

/** How many people are counted in each group, from the definition of the hash. */
function peopleOf(triples: readonly [string, string, string][], groups: GroupsRequest): Counts {
  const people = new Map<string, Set<string>>();
  for (const [user, group] of triples)
    if (groups.listed?.includes(group) !== false)
      people.set(user, (people.get(user) ?? new Set()).add(group));
  const counts = new Map<string, number>();
  for (const [user, those] of people) {
    const hash = (group: string) =>
      createHash("sha256")
        .update(groups.key)
        .update(`${bytesOf(user)}:${user}g${group}`)
        .digest("hex");
    const kept = [...those].sort((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, groups.perUser);
    for (const group of kept) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return inOrder(
    [...counts]
      .filter(([group]) => groups.only?.includes(group) !== false)
      .map(([group, n]) => ["", group, n]),
  );
}

/** What a source counts; throws if a group comes back after another. */
export async function countGroups(
  source: Source,
  groups: GroupsRequest,
  candidates: Candidates,
  panel?: Panel,
): Promise<Counts> {
  const found: [string, string, number][] = [];
  const seen = new Set<string>();
  let last: string | undefined;
  for await (const { group = "", items, users } of source.histogram({
    ...{ item: "item", user: "user", groups, candidates, panel },
  })) {
    if (group !== last && seen.has(group)) throw new Error("the rows of a group must follow one another");
    seen.add(group);
    last = group;
    for (const [i, item] of items.entries()) found.push([group, item, users[i]]);
  }
  return inOrder(found);
}

function inOrder(counts: readonly (readonly [string, string, number])[]): Counts {
  return counts.toSorted(([a, x], [b, y]) => byBytes(a, b) || byBytes(x, y));
}
