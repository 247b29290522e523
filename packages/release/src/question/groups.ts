/**
 * A question in groups: one answer for each group of rows, such as each country, in one release. Each person is counted in at most
 * g groups, so it costs the g largest losses of a group, however many groups there are. The groups are a public list, recorded as
 * its size and hash, or those that enough people are in, selected first from the same budget.
 *
 * A group is the texts of one or two columns. Where a group is one text, each of them but the last has its length in bytes before
 * it: "7:2026-10DE".
 * @module
 */
import { groupBudgets, inGroups, type Loss, Rational, rational } from "winnow-dp";
import type { Domain } from "./domain.js";

type Neighbours = "add-remove" | "replace";

/** The texts of a group, one for each column. */
export type GroupName = readonly string[];

/**
 * What a preferred group gets of the whole budget, in the measure of the question.
 *
 * @inline
 */
export interface GroupBudget {
  readonly group: GroupName;
  readonly part: string;
}

/** The groups of a question: one answer for each. */
export interface Groups {
  /** One or two columns. */
  readonly by: readonly string[];
  /** A public list, or the groups that enough people are in. */
  readonly list: Extract<Domain, { kind: "listed" }> | "selected";
  /** The most groups that a person is counted in, chosen by a keyed hash. */
  readonly maxGroupsPerUser: number;
  /** The parts of preferred groups, fewer than a person is counted in; all others get equal parts. */
  readonly budgets?: readonly GroupBudget[];
}

/** All of them are answered, and are held in memory. */
export const MOST_GROUPS = 10_000;
export const MOST_GROUP_COLUMNS = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One text for each group; no two groups have the same. */
export function groupText(name: GroupName): string {
  return name
    .map((part, i) => (i < name.length - 1 ? `${encoder.encode(part).length}:${part}` : part))
    .join("");
}

/** The group that has this text; undefined if no group of this many columns does. */
export function groupOfText(text: string, columns: number): GroupName | undefined {
  if (columns === 1) return [text];
  const [, digits] = /^(0|[1-9]\d*):/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const bytes = encoder.encode(text.slice(digits.length + 1));
  if (Number(digits) > bytes.length) return undefined;
  const part = decoder.decode(bytes.subarray(0, Number(digits)));
  const rest = text.slice(digits.length + 1 + part.length);
  const others = groupOfText(rest, columns - 1);
  const name = others && [part, ...others];
  return name !== undefined && groupText(name) === text ? name : undefined;
}

/** For people: "DE", or "2026-10 · DE". */
export function groupLabel(name: GroupName): string {
  return name.join(" · ");
}

/** The most groups that a person is counted in, of a question in groups and of the question of one of them. */
export function groupsPerUser({
  groups,
  maxGroupsPerUser,
}: {
  readonly groups?: Groups;
  readonly maxGroupsPerUser?: number;
}): number | undefined {
  return groups?.maxGroupsPerUser ?? maxGroupsPerUser;
}

/** The share of the budget that selects the groups, where there is no list of them. */
export const SELECTION_SHARE = rational("1/4");

/** In how many groups one person counts at most: no more than there are. */
export function countedGroups({ list, maxGroupsPerUser }: Groups): number {
  return list === "selected" ? maxGroupsPerUser : Math.min(maxGroupsPerUser, list.size);
}

/** The budget of each preferred group, by its text, and that of any other. */
export function groupParts(whole: Rational, groups: Groups) {
  const preferred = (groups.budgets ?? []).map(({ group, part }) => [groupText(group), part] as const);
  const most = countedGroups(groups);
  // How many groups there are beyond these doesn't matter, and which they are neither: a text with a zero at its start is none.
  const others = Array.from({ length: Math.max(most - preferred.length, 0) }, (_, i) => `\0${i}`);
  const names = [...preferred.map(([group]) => group), ...others];
  const parts = groupBudgets(whole, {
    ...{ groups: names, maxGroupsPerUser: groups.maxGroupsPerUser },
    ...(preferred.length > 0 && { budgets: preferred }),
  });
  return { ofGroup: parts, common: others.length > 0 ? (parts.get(others[0]) as Rational) : undefined };
}

/** The δ of each group: g of them may fail, and twice as many where one person is replaced by another. */
export function groupDelta(whole: Rational, groups: Groups, neighbours: Neighbours): Rational {
  const failing = countedGroups(groups) * (neighbours === "replace" ? 2 : 1);
  return whole.dividedBy(BigInt(failing));
}

/**
 * The loss of all groups. `common` is that of any group without a budget of its own: of these only as many count as a person can
 * be in, twice that many where one person is replaced by another.
 */
export function lossTogether(
  losses: readonly Loss[],
  common: Loss | undefined,
  { groups, neighbours }: { readonly neighbours: Neighbours; readonly groups: Groups },
): Loss {
  const most = groups.list === "selected" ? MOST_GROUPS : groups.list.size;
  const others = Math.min(most - losses.length, 2 * groups.maxGroupsPerUser);
  const all = common === undefined ? losses : [...losses, ...Array<Loss>(others).fill(common)];
  if (all.length === 0) throw new RangeError("a question in groups has groups");
  return inGroups(all, { maxGroupsPerUser: groups.maxGroupsPerUser, neighbours });
}

/** The parts of a budget that select the groups and answer in them. */
export function selectionSplit(whole: Rational): {
  readonly selection: Rational;
  readonly answers: Rational;
} {
  const selection = whole.times(SELECTION_SHARE);
  return { selection, answers: whole.minus(selection) };
}

/** Half of δ, where both parts pay one. */
export const HALF = Rational.of(1n, 2n);
