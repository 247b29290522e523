/**
 * Groups as a person or a program puts them, in canonical form, or refused. Budgets of preferred groups must leave something for the
 * others, and each must be at least what the others get (`groupBudgets` of core).
 * @module
 */
import { invalidParameter, Rational, rational } from "winnow-dp";
import { compareNames } from "../parts/names.js";
import {
  type GroupName,
  type Groups,
  groupParts,
  groupText,
  MOST_GROUP_COLUMNS,
  MOST_GROUPS,
  selectionSplit,
} from "../question/groups.js";
import type { GroupsInput } from "../question/question.js";

/** `whole` is the budget of the release. */
export function readGroups(input: GroupsInput, whole: Rational): Groups {
  if (typeof input !== "object" || input === null)
    throw invalidParameter("groups", "an object with by, list and maxGroupsPerUser", input);
  const other = Object.keys(input).find((name) => !FIELDS.includes(name));
  if (other !== undefined) throw invalidParameter("groups", `an object with ${FIELDS.join(", ")}`, other);
  const { by, maxGroupsPerUser } = input;
  if (!isTexts(by) || by.length > MOST_GROUP_COLUMNS || new Set(by).size < by.length)
    throw invalidParameter("groups.by", "one or two columns", by);
  if (!Number.isSafeInteger(maxGroupsPerUser) || maxGroupsPerUser < 1 || maxGroupsPerUser > MOST_GROUPS)
    throw invalidParameter("maxGroupsPerUser", `an integer from 1 to ${MOST_GROUPS}`, maxGroupsPerUser);
  const list = readList(input.list);
  const budgets = readBudgets(input.budgets ?? [], by.length);
  if (list === "selected" && budgets.length > 0)
    throw invalidParameter("groups.budgets", "absent where groups are selected", budgets.length);
  const groups: Groups = {
    ...{ by: [...by], list, maxGroupsPerUser },
    ...(budgets.length > 0 && { budgets }),
  };
  groupParts(list === "selected" ? selectionSplit(whole).answers : whole, groups);
  return groups;
}

const FIELDS = ["by", "list", "maxGroupsPerUser", "budgets"];
const HASH = /^[\da-f]{64}$/;

function readList(list: GroupsInput["list"]): Groups["list"] {
  if (list === "selected") return list;
  const isList = typeof list === "object" && list !== null && list.kind === "listed" && HASH.test(list.hash);
  if (!isList || !Number.isSafeInteger(list.size) || list.size < 1)
    throw invalidParameter("groups.list", '"selected", or a public list of groups', undefined);
  if (list.size > MOST_GROUPS)
    throw invalidParameter("groups.list", `a list of at most ${MOST_GROUPS} groups`, list.size);
  return { kind: "listed", size: list.size, hash: list.hash };
}

function readBudgets(
  given: NonNullable<GroupsInput["budgets"]>,
  columns: number,
): NonNullable<Groups["budgets"]> {
  if (!Array.isArray(given)) throw invalidParameter("groups.budgets", "a list of groups and parts", given);
  const budgets = given.map(({ group, part }: { group: GroupName; part: string }) => {
    if (!isTexts(group) || group.length !== columns)
      throw invalidParameter("groups.budgets", "a list of groups of the list", group);
    const size = rational(part, "groups.budgets");
    if (size.compare(Rational.ZERO) <= 0) throw invalidParameter("groups.budgets", "parts > 0", part);
    return { group: [...group], part: String(size) };
  });
  return budgets.toSorted((a, b) => compareNames(groupText(a.group), groupText(b.group)));
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string" && text !== "")
  );
}
