/**
 * The question that the form asks, read by the rules of `winnow-release`. The worker answers it; the page reads it too, to
 * show problems beside their fields before it asks the worker anything.
 * @module
 */
import {
  type Domain,
  type GridInput,
  mechanismFor,
  type Question,
  Refusal,
  readQuestion,
} from "winnow-release";
import type { Asked, Candidates } from "./api.js";

/** `candidates` is the public list, where there is one. Throws a WinnowError for an invalid question. */
export function questionOf(asked: Asked, candidates: Candidates | undefined): Question {
  const { mechanism, maxItemsPerUser } = asked;
  // The others are better off with all items of a person.
  const isBounded = mechanism === undefined || mechanismFor({ mechanism }).rules.bound === "needed";
  return readQuestion({
    ...asked,
    domain: domainOf(asked, candidates),
    maxItemsPerUser: isBounded ? maxItemsPerUser : undefined,
  });
}

export function domainOf({ domain, range }: Asked, candidates: Candidates | undefined): Domain | GridInput {
  if (domain === "unknown") return { kind: "unknown" };
  if (domain === "grid") return { kind: "grid", lower: "", upper: "", ...range };
  if (candidates === undefined)
    throw new Refusal("no-candidates", "The question is about a public list, and none was given.");
  return { kind: "listed", ...candidates };
}
