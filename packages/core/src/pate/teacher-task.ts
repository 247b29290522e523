/**
 * What teachers are asked, and what an answer costs. Data sets that differ in one person differ in one teacher, who is
 * replaced by another: that teacher's votes may change in any way, in both directions. A teacher does not disappear,
 * so nothing here is monotone.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { Entropy } from "../entropy.js";
import type { QueryVotes } from "./votes.js";

/**
 * The labels of a query, or the answer that the teachers do not agree enough.
 *
 * @inline
 */
export type TeacherAnswer =
  | {
      /** There is an answer. */
      readonly released: true;
      /** The labels, ascending; one for a query with one right class. */
      readonly labels: readonly number[];
    }
  | {
      /** There is none, which costs the same. */
      readonly released: false;
    };

/** The loss of one answer in two measures; either may be the better one for many of them. */
export interface QueryLoss {
  readonly zcdp: LossOf["zcdp"];
  readonly renyi: LossOf["renyi"];
}

export interface TeacherTask {
  /** How many votes there are on a query. */
  readonly votesPerQuery: number;
  readonly loss: QueryLoss;
  /** Counts the votes on a query. Throws if they are invalid. */
  count(votes: QueryVotes): Uint32Array;
  answer(counts: Uint32Array, entropy: Entropy): TeacherAnswer;
}
