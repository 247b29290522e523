/**
 * What a replay of files found, in words: the same in the text and on the page.
 * @module
 */
import type { ReplayFailure } from "../neighbour-replay/replay-report.js";

const WORDS: Readonly<Record<ReplayFailure, string>> = {
  "count-moved-too-far": "one person moved a count by more than one, or two counts in opposite directions",
  "refused-alone": "one file was refused and its neighbour was not",
  "unequal-release": "equal counts and equal bits gave two answers",
  "release-not-allowed": "the answer's shape or price depends on one person, or it names one",
};

/** All that was found, or "nothing". */
export function failuresInWords(failures: readonly ReplayFailure[]): string {
  return failures.map((failure) => WORDS[failure]).join("; ") || "nothing";
}
