/**
 * A kind of question: what is asked for, and what its answer looks like. Its name is the command of the command line and the value
 * in JSON. Mechanisms of one kind give answers of one form, so tables, pictures and readers look at the kind and never at the
 * mechanism. The list of all is kinds.ts.
 * @module
 */
import type { OptionName } from "../ask/options.js";
import type { Answer } from "../question/answer.js";
import type { Nouns } from "../question/labels.js";
import type { Question } from "../question/question.js";

/** A kind of question: one object, one file each. */
export interface Kind {
  /** As recorded in releases: never changes. */
  readonly name: string;
  /** The form of the answer. */
  readonly shape: Shape;
  /** Given where the asker left them out. */
  readonly defaults: { readonly k?: number; readonly maxItemsPerUser?: number };
  /** For a choice: "Top k". */
  readonly title: string;
  /** What one gets, for a list of commands: "publish the k items with the most users". */
  readonly summary: string;
  readonly options: KindOptions;
  /** Whether k is how many there are to be, or the most that there may be. */
  readonly k: "asked" | "most";
  /** Whether an answer over a public domain tells all k. */
  readonly isComplete?: true;
  /** Whether a list with fewer than k winners needs an explanation. */
  readonly explainsFewer?: true;

  /** In the line under a heading: "top 5". */
  asked(k: number): string;
  /** In the middle of a sentence: "the 5 items with the most users". */
  wanted(question: Question): string;
  /** In a statement: "top, k = 5". */
  question(question: Question): string;
  /** An answer that tells anything, as a heading: who is named and why. */
  headline(told: Told): string;
  /** How near any answer's numbers are to the truth, as far as the question alone tells. */
  accuracy?(question: Question): string;
  /** How near the numbers are to the truth, for a caption. */
  details?(told: Told): readonly string[];
  /** What a reader of this answer should know; it follows from the answer and public values. Recorded with it. */
  note?(told: Pick<Told, "question" | "answer">): string | undefined;
}

/** In the order of the help. */
export interface KindOptions {
  /** What most questions need. */
  readonly usual: readonly OptionName[];
  readonly others: readonly OptionName[];
  /** What an option means for this kind, where the table's text says less. */
  readonly texts?: { readonly [Name in OptionName]?: string };
}

/**
 * Names with leads and counts, values with rank errors, or how many items have how many people.
 *
 * @inline
 */
export type Shape = "winners" | "values" | "frequencies";

/** As much of a release as its headings depend on. */
export interface Told {
  readonly question: Question;
  readonly answer: Omit<Answer, "loss">;
  /** The column that was counted. */
  readonly source: { readonly item: string };
  /** What items and people are called. Default: items and users. */
  readonly nouns?: Nouns | undefined;
}
