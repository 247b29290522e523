/**
 * A question as a program asks it, in the terms of its own language, and as the library reads it.
 * @module
 */
import {
  type AskedPeriod,
  allConditions,
  choose,
  countsOfGuess,
  type Domain,
  type GridInput,
  type GroupName,
  type GroupsInput,
  groupText,
  kindOf,
  listedDomain,
  periodCondition,
  type Question,
  type QuestionInput,
  Refusal,
  readGuess,
  readItems,
  readQuestion,
  sizeOf,
  unitOf,
} from "winnow-release";
import {
  type AskedMap,
  askedMap,
  computedItems,
  itemsName,
  readTypedItem,
  type TypedItem,
} from "../../cli/src/release/items.js";
import { checkRoles, itemOption, type Roles } from "../../cli/src/release/roles.js";
import { type TypedColumns, typesOf } from "./condition.js";

/** A question as the program asks it. */
export interface Asked
  extends Omit<QuestionInput, "domain" | "unit" | "groups" | "types" | "period" | "items" | "map"> {
  readonly kind: string;
  /** The column, or what is computed from columns; several make a basket. */
  readonly item: NonNullable<TypedItem>;
  /** A public map of items: pairs of one and what replaces it. */
  readonly map?: readonly (readonly [from: string, to: string])[] | undefined;
  readonly user: string;
  readonly unit?: string | undefined;
  /** A public list. */
  readonly candidates?: readonly string[] | undefined;
  /** The candidates are the numbers from 0 below this. */
  readonly domainSize?: number | undefined;
  /** Both ends of a grid. */
  readonly range?: readonly [lower: string, upper: string] | undefined;
  readonly step?: string | undefined;
  /** A public guess at the data, which decides between mechanisms. */
  readonly guess?: string | null | undefined;
  /** One answer for each group: its columns. */
  readonly by?: readonly string[] | undefined;
  /** The public list of groups; without one they are selected. */
  readonly groups?: readonly GroupName[] | undefined;
  readonly maxGroupsPerUser?: number | undefined;
  readonly groupBudgets?: GroupsInput["budgets"];
  /** The types of columns of the condition. */
  readonly types?: TypedColumns | undefined;
  /** Where the budget has periods: the column of days, and which period it is. */
  readonly time?: string | undefined;
  readonly period?: string | undefined;
}

/** A question and the columns that it is about. */
export interface Read {
  readonly question: Question;
  readonly roles: Roles;
}

/** The question in canonical form, and the columns that it is about; throws what the library says of them. */
export async function readAsked(asked: Asked, about: AskedPeriod | undefined): Promise<Read> {
  const map = await mapOf(asked);
  const question = await questionOf(asked, about, map);
  const roles = rolesOf(asked, map);
  checkRoles({ names: [], isPublic: true }, roles, itemOption(question.kind), asked.by);
  return { question, roles };
}

/** The first pair of an item counts. */
async function mapOf({ map }: Asked): Promise<AskedMap | undefined> {
  if (map === undefined) return undefined;
  const first = new Map<string, string>();
  for (const [from, to] of map) if (!first.has(from)) first.set(from, to);
  return askedMap(first);
}

function rolesOf({ kind, item, user }: Asked, map: AskedMap | undefined): Roles {
  const computed = computedItems(typedItem({ kind, item }), map?.pairs);
  if (computed === undefined) return { item: String(item), user };
  return { item: itemsName(computed), user, computed };
}

/** A column of numbers is read as it is. */
function typedItem({ kind, item }: Pick<Asked, "kind" | "item">): ReturnType<typeof readTypedItem> {
  return kindOf({ kind }).shape === "values" ? { item: String(item) } : readTypedItem(item);
}

/** The columns that an item is computed from, or the column that it is. */
export function columnsOfItem(kind: string, item: NonNullable<TypedItem>): readonly string[] {
  const typed = typedItem({ kind, item });
  return typed.items === undefined
    ? [typed.item!]
    : [...new Set(readItems(typed.items).map(({ column }) => column))];
}

async function questionOf(
  asked: Asked,
  about: AskedPeriod | undefined,
  mapped: AskedMap | undefined,
): Promise<Question> {
  const { item: _, map: _map, candidates, domainSize, range, step, unit, guess, time = "", ...rest } = asked;
  const { by, groups: __, maxGroupsPerUser, groupBudgets, types, where: typed, ...question } = rest;
  const domain = await domainOf(asked);
  const read = types === undefined ? undefined : typesOf(types);
  const where = allConditions([typed, about && periodCondition(about.days, time)], read);
  const input: QuestionInput = {
    ...{ items: typedItem(asked).items, map: mapped?.map },
    ...{ ...question, domain, where, period: about?.period, unit: unit ?? unitOf(asked.user) },
    ...(read !== undefined && { types: read }),
    ...{ groups: await groupsOf(asked) },
  };
  if (guess === undefined || guess === null || domain.kind === "grid") return readQuestion(input);
  if (input.groups !== undefined)
    throw new Refusal("usage", "guess must be left out with by, because each group has counts of its own.");
  const counts = countsOfGuess(readGuess(guess), sizeOf(domain));
  return choose({ ...input, domain }, { guess: counts }).chosen.question;
}

/** Undefined for a question about all rows. */
async function groupsOf({ by, groups, maxGroupsPerUser, groupBudgets, delta }: Asked) {
  if (by === undefined) {
    const idle = Object.entries({ groups, maxGroupsPerUser, groupBudgets }).find(
      ([, part]) => part !== undefined,
    );
    if (idle === undefined) return undefined;
    throw new Refusal("usage", `${idle[0]} needs by, the column of the groups.`);
  }
  if (maxGroupsPerUser === undefined)
    throw new Refusal(
      "usage",
      "maxGroupsPerUser must say in how many groups a person counts at most, such as 1 where everyone is in one.",
    );
  if (groups === undefined && delta === undefined)
    throw new Refusal(
      "usage",
      "delta must be given, such as 1e-6, because without a public list of groups their names come from the rows.",
    );
  const listed = listedGroups({ groups });
  const list = listed === undefined ? "selected" : await listedDomain(listed.map(groupText));
  return { by, list, maxGroupsPerUser, budgets: groupBudgets } as const;
}

/** The public list of groups, each once, in its order. */
export function listedGroups({ groups }: Pick<Asked, "groups">): readonly GroupName[] | undefined {
  return groups && [...new Map(groups.map((name) => [groupText(name), name])).values()];
}

async function domainOf({
  kind,
  candidates,
  domainSize,
  range,
  step,
  delta,
}: Asked): Promise<Domain | GridInput> {
  if (candidates !== undefined && domainSize !== undefined)
    throw new Refusal(
      "usage",
      "candidates and domain_size cannot be combined: the candidates come from one place.",
    );
  if (range !== undefined) return { kind: "grid", lower: range[0], upper: range[1], step };
  if (candidates !== undefined) return listedDomain(candidates);
  if (domainSize !== undefined) return { kind: "integers", below: domainSize };
  if (delta === undefined && kind !== "frequencies")
    throw new Refusal(
      "usage",
      "delta must be given, such as 1e-6, because without a public list of candidates the domain is unknown and the items themselves are private.",
    );
  return { kind: "unknown" };
}
