/**
 * The form's question as the one that is recorded. What the form leaves empty gets its default there.
 * @module
 */
import { type Domain, type Question, readQuestion } from "winnow-release";
import type { Asked, Candidates } from "./api.js";
import { StudioRefusal } from "./studio-refusal.js";

export function questionOf(asked: Asked, candidates: Candidates | undefined): Question {
  return readQuestion({ ...asked, domain: domainOf(asked, candidates) });
}

export function domainOf({ domain }: Asked, candidates: Candidates | undefined): Domain {
  if (domain === "unknown") return { kind: "unknown" };
  if (candidates === undefined)
    throw new StudioRefusal("no-candidates", "The question is about a public list, and none was given.");
  return { kind: "listed", ...candidates };
}
