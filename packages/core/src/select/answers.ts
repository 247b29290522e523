/**
 * What selections answer: a ranking or one candidate, and what it cost. Candidates are called by position, where scores came
 * in an array, or by name.
 * @module
 */
import type { LossOf } from "../accounting/loss.js";
import type { Winner } from "../race/candidates.js";

/**
 * The winners, and what they cost.
 *
 * @typeParam Candidate A position or a name.
 * @typeParam Privacy The measure of the budget.
 * @typeParam Place A winner; with gaps each has one.
 */
export interface Ranked<
  Candidate = number,
  Privacy = LossOf["pure" | "zcdp" | "approx"],
  Place extends Winner<Candidate> = Winner<Candidate>,
> {
  /** The winners, best first. */
  readonly winners: readonly Place[];
  /** The loss that was incurred. */
  readonly privacy: Privacy;
}

/**
 * The winner, and what it cost.
 *
 * @typeParam Candidate A position or a name.
 * @typeParam Privacy The measure of the budget.
 */
export interface Chosen<Candidate = number, Privacy = LossOf["pure" | "zcdp"]> {
  /** The position of the winner in the array of scores, or its name if scores came with names. */
  readonly candidate: Candidate;
  /** The loss that was incurred. */
  readonly privacy: Privacy;
}
