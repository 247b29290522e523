/**
 * The mechanism of a question, prepared once to run many times on the same scores: thresholds and scales are computed
 * here and not in every run. It is the mechanism that releases, with the same law. Either its scores are public, or
 * its answers stay with the curator.
 * @module
 */
import { invalidParameter } from "winnow-dp";
import { mechanismFor } from "../mechanisms/of-question.js";
import type { Run } from "../question/answer.js";
import type { Question } from "../question/question.js";

/** `scores` are counts, largest first; `bounded` are those of the same items after people were cut to fewer. */
export function prepareRun(question: Question, scores: Float64Array, bounded?: Float64Array): Run {
  const { prepare } = mechanismFor(question);
  if (prepare === undefined) throw invalidParameter("kind", "one whose answers name items", question.kind);
  return prepare(question, countedScores(question, scores, bounded));
}

/** The counts that the mechanism sees: those after people were cut to fewer items, where the question says so. */
function countedScores(
  { maxItemsPerUser }: Question,
  scores: Float64Array,
  bounded: Float64Array | undefined,
): Float64Array {
  if (maxItemsPerUser === undefined) return scores;
  if (bounded === undefined)
    throw invalidParameter(
      "scores",
      "counts of rows, to know what a limit on the items of a person leaves of them",
    );
  return bounded;
}
