/**
 * The question that the form asks, read by the rules of `winnow-release`. The worker answers it; the page reads it too, to
 * show problems beside their fields before it asks the worker anything.
 * @module
 */
import {
  type Domain,
  type GridInput,
  type GroupsInput,
  mechanismFor,
  type Question,
  Refusal,
  readQuestion,
} from "winnow-release";
import type { Asked, Candidates } from "./api.js";

/** The public lists, where there are any. */
export interface PublicLists {
  readonly candidates?: Candidates | undefined;
  readonly groups?: Candidates | undefined;
}

/** Throws a WinnowError for an invalid question. */
export function questionOf(asked: Asked, { candidates, groups }: PublicLists): Question {
  const { mechanism, maxItemsPerUser } = asked;
  // The others are better off with all items of a person.
  const isBounded = mechanism === undefined || mechanismFor({ mechanism }).rules.bound === "needed";
  return readQuestion({
    ...asked,
    domain: domainOf(asked, candidates),
    maxItemsPerUser: isBounded ? maxItemsPerUser : undefined,
    groups: groupsOf(asked, groups),
  });
}

export function groupsOf({ groups: asked }: Asked, groups: Candidates | undefined): GroupsInput | undefined {
  if (asked === undefined) return undefined;
  const { by, list, maxGroupsPerUser } = asked;
  if (list === "selected") return { by, list, maxGroupsPerUser };
  if (groups === undefined)
    throw new Refusal("no-candidates", "The question is about a public list of groups, and none was given.");
  return { by, list: { kind: "listed", ...groups }, maxGroupsPerUser };
}

export function domainOf({ domain, range }: Asked, candidates: Candidates | undefined): Domain | GridInput {
  if (domain === "unknown") return { kind: "unknown" };
  if (domain === "grid") return { kind: "grid", lower: "", upper: "", ...range };
  if (candidates === undefined)
    throw new Refusal("no-candidates", "The question is about a public list, and none was given.");
  return { kind: "listed", ...candidates };
}
