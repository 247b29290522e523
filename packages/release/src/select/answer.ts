/**
 * What goes in and what comes out of a selection: counted items, which are private, and the answer, which is safe to
 * publish once its loss is charged.
 * @module
 */
import type { Loss } from "winnow-dp";

/** Items with how many users each has: private. */
export interface CountedItems {
  readonly items: readonly string[];
  /** As many, whole numbers below 2^53. */
  readonly users: readonly number[];
}

export interface Winner {
  readonly item: string;
  /** By how much it leads the next, exactly as released: a multiple of the resolution. */
  readonly gap?: string;
}

/** The answer to a question. */
export interface Answer {
  /** Whether anybody is named. "Nothing can be released" is an answer and costs the same. */
  readonly released: boolean;
  /** How many were asked for; for an adaptive question how many the mechanism decided on, said even if none is named. */
  readonly k: number;
  readonly winners: readonly Winner[];
  /** Best first; otherwise by name (UTF-16 code units), which says nothing about the counts. */
  readonly ordered: boolean;
  /** The loss incurred, whatever the answer. */
  readonly loss: Loss;
}
