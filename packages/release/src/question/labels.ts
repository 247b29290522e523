/**
 * What the numbers of an answer count, and of whom, in one place for every output. Without a limit a count is of users. With a limit of m
 * items a user is in at most m of the counts, chosen by a keyed hash, so a count can be far below the number of users who
 * have the item, and says so wherever it is shown. Quantiles are of at most m values of each user, chosen at random.
 * @module
 */
import type { Neighbours, Question } from "./question.js";

/** One and several of what is counted and of whom, as a reader of a picture calls them: films and viewers. */
export interface Nouns {
  readonly items: readonly [one: string, many: string];
  readonly people: readonly [one: string, many: string];
}

export const NOUNS: Nouns = { items: ["item", "items"], people: ["user", "users"] };

/** "1 item", "3 items". */
export function countedNoun(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

type Counted = Pick<Question, "domain" | "maxItemsPerUser">;

/** Values are asked for among the points of a grid. */
function isOfValues({ domain }: Pick<Question, "domain">): boolean {
  return domain.kind === "grid";
}

/** "users", or "users (each counted for at most 2 items)"; of quantiles "at most 2 values of each user, chosen at random". */
export function countedInWords(
  { domain, maxItemsPerUser: most }: Counted,
  { items, people: [person, people] }: Nouns = NOUNS,
): string {
  if (isOfValues({ domain })) return `${valuesInWords(most)} of each ${person}, chosen at random`;
  return most === undefined ? people : `${people} (each counted for at most ${countedNoun(most, items)})`;
}

/** For the head of a column: "users", or "users (≤ 2 items each)". */
export function countedShort({ domain, maxItemsPerUser: most }: Counted): string {
  if (isOfValues({ domain })) return `≤ ${most} ${most === 1 ? "value" : "values"} per user`;
  return most === undefined ? "users" : `users (≤ ${itemsInWords(most)} each)`;
}

/** What a column of a CSV file is called: "count", or "count_max_2_items_per_user". */
export function countedColumn(name: string, { domain, maxItemsPerUser: most }: Counted): string {
  if (most === undefined) return name;
  const noun = isOfValues({ domain }) ? "value" : "item";
  return `${name}_max_${most}_${noun}${most === 1 ? "" : "s"}_per_user`;
}

/** Whether it is the column of a CSV file of ours whose numbers count each user for a limited number of items or values. */
export function isLimitedColumn(name: string): boolean {
  return /^[a-z_]+_max_\d+_(item|value)s?_per_user$/.test(name);
}

/** What a reader of limited counts must know; undefined where people count for all their items. */
export function limitInWords(
  { domain, maxItemsPerUser: most }: Counted,
  { items, people: [person] }: Nouns = NOUNS,
): string | undefined {
  if (most === undefined || isOfValues({ domain })) return undefined;
  const [item] = items;
  return `each ${person} is counted for at most ${countedNoun(most, items)}, and far more people may have ${article(item)} ${item} than its count says`;
}

function valuesInWords(most = 1): string {
  return most === 1 ? "one value" : `at most ${most.toLocaleString("en")} values`;
}

function itemsInWords(most: number): string {
  return countedNoun(most, NOUNS.items);
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? "an" : "a";
}

/** What one person is, if no one says more: "one value of column visitor". */
export function unitOf(column: string): string {
  return `one value of column ${column}`;
}

export function neighboursInWords(neighbours: Neighbours): string {
  return neighbours === "add-remove" ? "one person is added or removed" : "one person is replaced by another";
}

/** The unit of privacy as it follows a loss: "per user (added or removed)". A statement has the exact unit. */
export function unitInWords({ unit, neighbours }: Pick<Question, "unit" | "neighbours">): string {
  const column = /^one value of (?:the )?column "?(\p{L}[^"]*)"?$/u.exec(unit)?.[1];
  const one = column ?? /^(?:one|an?) (.+)$/u.exec(unit)?.[1];
  const change = neighbours === "add-remove" ? "added or removed" : "replaced by any other";
  return `${one === undefined ? `for ${unit}` : `per ${one}`} (${change})`;
}
