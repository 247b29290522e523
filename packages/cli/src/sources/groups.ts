/**
 * Groups as engines and their answers name them: one text for each. A group of several columns is their texts, each but the last
 * with its length in bytes before it ("7:2026-10DE"), so that no two groups have one text. In an answer the text of the group
 * stands before that of the item in the same way, so that an answer of counts in groups has the form of any other.
 * @module
 */
import { mustBe, Refusal } from "winnow-release";
import type { Batch, GroupsRequest } from "./source.js";

/** SQL for the length of a text in bytes, and for joined texts. */
export interface TextSql {
  length(text: string): string;
  concat(...texts: readonly string[]): string;
}

/** SQL for a text with its length before it. */
export function measured(text: string, { length, concat }: TextSql): string {
  return concat(length(text), "':'", text);
}

/** SQL for the text of a group, from those of its columns. */
export function groupSql(columns: readonly string[], sql: TextSql): string {
  const [last, ...others] = columns.toReversed();
  return others.length === 0
    ? last!
    : sql.concat(...others.toReversed().map((text) => measured(text, sql)), last!);
}

/** SQL for what a person's groups, and the items in one of them, are ordered by, after the key. */
export function hashedGroup(person: string, group: string, sql: TextSql): string {
  return sql.concat(measured(person, sql), "'g'", group);
}

export function hashedItem(person: string, group: string, item: string, sql: TextSql): string {
  return sql.concat(measured(person, sql), "'i'", measured(group, sql), item);
}

/** Refuses columns that have two roles, and more than two columns. */
export function checkGroupColumns({ by }: GroupsRequest, item: string, user: string): void {
  if (by.length < 1 || by.length > MOST_COLUMNS)
    throw new Refusal("usage", mustBe("The number of columns of --by", "1 or 2", by.length));
  if (new Set([...by, item, user]).size < by.length + 2)
    throw new Refusal("usage", "--by, --item and --user must be different columns.");
}

const MOST_COLUMNS = 2;

/** Counts whose names begin with those of their groups; the rows of a group follow one another. */
export async function* splitGroups(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  let start = "";
  let group = "";
  for await (const { items, users } of batches) {
    let from = 0;
    for (const [i, name] of items.entries()) {
      if (start !== "" && name.startsWith(start)) continue;
      if (i > from) yield part(items, users, from, i, start, group);
      [from, group] = [i, groupOf(name)];
      start = `${Buffer.byteLength(group)}:${group}`;
    }
    if (items.length > from) yield part(items, users, from, items.length, start, group);
  }
}

function part(
  items: readonly string[],
  users: readonly number[],
  from: number,
  to: number,
  start: string,
  group: string,
): Batch {
  return {
    group,
    items: items.slice(from, to).map((name) => name.slice(start.length)),
    users: users.slice(from, to),
  };
}

/** The text whose length in bytes stands before it. */
function groupOf(name: string): string {
  const colon = name.indexOf(":");
  const bytes = Number(name.slice(0, colon));
  const text = Buffer.from(name.slice(colon + 1, colon + 1 + bytes))
    .subarray(0, bytes)
    .toString();
  if (colon < 1 || Buffer.byteLength(text) !== bytes)
    throw new Refusal("unreadable-source", "The source gave an unexpected answer.");
  return text;
}
