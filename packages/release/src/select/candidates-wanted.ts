/**
 * What a source must count for a question. Over public candidates every one of them, or, for whole numbers, those that
 * have rows, the others being zero. Over an unknown domain only the k̄ + 1 largest counts: more never leave the engine.
 * @module
 */
import type { Question } from "../question/question.js";

export type CandidatesWanted =
  /** Every candidate of the public list once, 0 users if it has no row. */
  | { readonly kind: "listed"; readonly size: number }
  /** The whole numbers from 0 below this that have rows. */
  | { readonly kind: "integers"; readonly below: number }
  /** The items with the most users, at most so many. */
  | { readonly kind: "largest"; readonly rows: number };

export function candidatesWanted({ domain, k }: Question): CandidatesWanted {
  switch (domain.kind) {
    case "listed":
      return { kind: "listed", size: domain.size };
    case "integers":
      return { kind: "integers", below: domain.below };
    default:
      return { kind: "largest", rows: k + 1 };
  }
}
