/**
 * From the teachers' votes on one query to counts. What a teacher says counts once: a vote that is none would let one
 * teacher move a count by more than everything else here allows for, so it is refused, without a word on which.
 *
 * Cost: one pass over the votes, about a nanosecond each.
 * @module
 */

import { invalidData, type WinnowError } from "../errors.js";
import { lengthOf } from "../options.js";

/**
 * The votes on one query.
 *
 * @inline
 */
export type QueryVotes = ArrayLike<number>;

/** How many teachers give each label, from a 0 or 1 for each label of the first teacher, then of the next, … */
export function countLabels(votes: QueryVotes, teachers: number, labels: number): Uint32Array {
  refuseLength(votes, teachers * labels);
  const counts = new Uint32Array(labels);
  let areVotes = true;
  for (let teacher = 0, next = 0; teacher < teachers; teacher++) {
    for (let label = 0; label < labels; label++, next++) {
      const vote = votes[next];
      areVotes &&= vote === 0 || vote === 1;
      if (areVotes) counts[label] += vote;
    }
  }
  if (!areVotes) throw invalidVote("0 or 1 for each teacher and label");
  return counts;
}

/** How many teachers say each class, from the class that each of them says. */
export function countClasses(votes: QueryVotes, teachers: number, classes: number): Uint32Array {
  refuseLength(votes, teachers);
  const counts = new Uint32Array(classes);
  let areVotes = true;
  for (let teacher = 0; teacher < teachers; teacher++) {
    const vote = votes[teacher];
    areVotes &&= typeof vote === "number" && vote >>> 0 === vote && vote < classes;
    if (areVotes) counts[vote]++;
  }
  if (!areVotes) throw invalidVote(`a class from 0 to ${classes - 1} for each teacher`);
  return counts;
}

function refuseLength(votes: QueryVotes, expected: number): void {
  if (lengthOf("votes", votes) !== expected)
    throw invalidData("votes", `a list of ${expected} votes for each query`, "invalid-parameter");
}

function invalidVote(expected: string): WinnowError {
  return invalidData("votes", expected);
}
