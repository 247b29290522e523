/**
 * What the numbers of an answer count, and of whom, in one place for every output. Without a limit a count is of users. With a limit of m
 * items a user is in at most m of the counts, chosen by a keyed hash, so a count can be far below the number of users who
 * have the item, and says so wherever it is shown. Quantiles are of at most m values of each user, chosen at random. In groups, each
 * user is counted in at most g of them, and the limit on items or values holds in each.
 * @module
 */
import { groupsPerUser } from "./groups.js";
import type { Neighbours, Question } from "./question.js";

/** One and several of what is counted and of whom, as a reader of a picture calls them: films and viewers. */
export interface Nouns {
  readonly items: readonly [one: string, many: string];
  readonly people: readonly [one: string, many: string];
}

/** The usual words for items and people. */
export const NOUNS: Nouns = { items: ["item", "items"], people: ["user", "users"] };

/** "1 item", "3 items". */
export function countedNoun(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

type Counted = Pick<Question, "domain" | "maxItemsPerUser" | "groups" | "maxGroupsPerUser">;

/** Values are asked for among the points of a grid. */
function isOfValues({ domain }: Pick<Question, "domain">): boolean {
  return domain.kind === "grid";
}

/**
 * "users", or "users (each counted for at most 2 items)", or "users (each counted in at most 3 groups)"; of quantiles "at most 2
 * values of each user, chosen at random".
 */
export function countedInWords(
  question: Counted,
  { items, people: [person, people] }: Nouns = NOUNS,
): string {
  const { maxItemsPerUser: most } = question;
  const groups = groupsPerUser(question);
  const inGroups = groups === undefined ? "" : `in at most ${groupsInWords(groups)}`;
  if (isOfValues(question))
    return `${valuesInWords(most)} of each ${person}${groups === undefined ? "" : ` in each group, each ${person} ${inGroups}`}, chosen at random`;
  if (groups !== undefined)
    return `${people} (each counted ${inGroups}${most === undefined ? "" : `, for at most ${countedNoun(most, items)} in each`})`;
  return most === undefined ? people : `${people} (each counted for at most ${countedNoun(most, items)})`;
}

/** Whether a person counts for less than all that they have. */
export function isLimited(question: Counted): boolean {
  return question.maxItemsPerUser !== undefined || groupsPerUser(question) !== undefined;
}

/** For the head of a column: "users", or "users (≤ 2 items each)". */
export function countedShort(question: Counted): string {
  const { maxItemsPerUser: most } = question;
  const groups = groupsPerUser(question);
  const also = groups === undefined ? "" : `≤ ${groupsInWords(groups)}`;
  if (isOfValues(question))
    return `≤ ${most} ${most === 1 ? "value" : "values"} per user${also && ` and group, ${also}`}`;
  const limits = [also, most === undefined ? "" : `≤ ${itemsInWords(most)}`].filter((limit) => limit !== "");
  return limits.length === 0 ? "users" : `users (${limits.join(", ")} each)`;
}

/** What a column of a CSV file is called: "count", "count_max_2_items_per_user" or "count_max_3_groups_2_items_per_user". */
export function countedColumn(name: string, question: Counted): string {
  const { maxItemsPerUser: most } = question;
  const groups = groupsPerUser(question);
  const limits = [limitOf(groups, "group"), limitOf(most, isOfValues(question) ? "value" : "item")].filter(
    (limit) => limit !== "",
  );
  return limits.length === 0 ? name : `${name}_max_${limits.join("_")}_per_user`;
}

function limitOf(most: number | undefined, noun: string): string {
  return most === undefined ? "" : `${most}_${noun}${most === 1 ? "" : "s"}`;
}

/** Whether it is the column of a CSV file of ours whose numbers count each user for a limited number of items or values. */
export function isLimitedColumn(name: string): boolean {
  return /^[a-z_]+_max_(\d+_groups?|(\d+_groups?_)?\d+_(item|value)s?)_per_user$/.test(name);
}

/** What a reader of limited counts must know; undefined where people count for all their items. */
export function limitInWords(
  question: Counted,
  { items, people: [person] }: Nouns = NOUNS,
): string | undefined {
  const { maxItemsPerUser: most } = question;
  const groups = groupsPerUser(question);
  if (isOfValues(question) || (most === undefined && groups === undefined)) return undefined;
  const limits = [
    groups === undefined ? "" : `in at most ${groupsInWords(groups)}`,
    most === undefined
      ? ""
      : `for at most ${countedNoun(most, items)}${groups === undefined ? "" : " in each"}`,
  ].filter((limit) => limit !== "");
  const [item] = items;
  return `each ${person} is counted ${limits.join(", ")}, and far more people may have ${article(item)} ${item} than its count says`;
}

function groupsInWords(most: number): string {
  return countedNoun(most, ["group", "groups"]);
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

/** Which data sets are to look alike, as a phrase. */
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
