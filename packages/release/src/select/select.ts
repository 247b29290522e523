/**
 * `select`: the private answer to a question about counted items. It is core's mechanisms, given exactly what their
 * theorems ask for:
 *
 * - over a public list, every candidate once, those without a row as zeros; over the whole numbers below N, those that
 *   have rows, the others drawn as the zeros that they are. Memory is O(k) (and one bit for each number, see `numberSet`);
 * - over an unknown domain, the k̄ + 1 largest counts. A position among them depends on who is in the data, so candidates
 *   are ordered by name before anything is drawn and only names come out, by name, without counts or gaps.
 *
 * Nothing is charged here: charge the answer's loss before you show it to anyone.
 * @module
 */
import type { Entropy } from "winnow-dp";
import type { Question } from "../question/question.js";
import type { Answer } from "./answer.js";
import type { Batches } from "./counted-rows.js";
import { raceIntegers, raceListed } from "./race.js";
import { selectFixed, selectStable } from "./stable.js";

export interface SelectOptions {
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

export async function select(
  question: Question,
  batches: Batches,
  { entropy }: SelectOptions = {},
): Promise<Answer> {
  switch (question.mechanism) {
    case "stable-top-k":
      return selectStable(question, batches, entropy);
    case "stable-top-k-fixed":
      return selectFixed(question, batches, entropy);
    default:
      return question.domain.kind === "integers"
        ? raceIntegers(question, batches, entropy)
        : raceListed(question, batches, entropy);
  }
}
