/**
 * A question in the words of core's stable mechanisms. Counts of people have sensitivity 1; they are monotone where
 * people are added or removed, and not where one is replaced by another.
 * @module
 */
import type { StableTopKFixedOptions, StableTopKOptions } from "winnow-dp";
import type { Question } from "./question.js";

export function stableOptions(question: Question): StableTopKOptions {
  return { ...budgetOf(question), maxK: question.k };
}

export function fixedOptions(question: Question): StableTopKFixedOptions {
  const domain = question.domain.kind === "unknown" ? "unknown" : "public";
  return { ...budgetOf(question), k: question.k, domain };
}

/** The rules see to it that such a question has a δ. */
function budgetOf({ epsilon, rho, delta = "0", neighbours }: Question) {
  return { epsilon, rho, delta, monotone: neighbours === "add-remove" };
}
