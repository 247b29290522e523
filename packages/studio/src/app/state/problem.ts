/**
 * A refusal as the page shows it: one sentence, and what to do next. Only refusals have words of their own; of any other
 * error nothing is repeated, because its text may quote a row.
 * @module
 */
import { type RefusalCode, StudioRefusal } from "../../worker/studio-refusal.js";

export interface Problem {
  readonly code: RefusalCode;
  readonly sentence: string;
  readonly next: string;
}

export function problemOf(error: unknown): Problem {
  const refusal =
    error instanceof StudioRefusal
      ? error
      : new StudioRefusal("unexpected", "The page hit an unexpected error.");
  return { code: refusal.code, sentence: refusal.message, next: refusal.next };
}

/** Such a problem is shown once, beside the question, whichever call failed. */
export function isAboutTheQuestion(problem: Problem | undefined): boolean {
  return problem?.code === "invalid-question";
}

/** Cancelled work isn't a problem to show. */
export function isCancelled(error: unknown): boolean {
  return error instanceof StudioRefusal && error.code === "cancelled";
}
