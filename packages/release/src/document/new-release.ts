/**
 * `newRelease`: the document of an answer that is not recorded yet, checked as `readRelease` checks it and in the same form:
 * what is stored, printed and read back is one text.
 * @module
 */
import { lossToJson } from "winnow-dp";
import { mechanismOf } from "../question/mechanism-of.js";
import type { Question } from "../question/question.js";
import type { Answer } from "../select/answer.js";
import { PACKAGES } from "../version.js";
import { readRelease } from "./read-release.js";
import { readableLoss } from "./readable-loss.js";
import { type NewRelease, RELEASE_SCHEMA, type ReleaseSource, type Software } from "./release-document.js";

export interface ReleaseInput {
  readonly id: string;
  readonly dataset: string;
  readonly time: Date;
  readonly software: Pick<Software, "name" | "version">;
  readonly question: Question;
  readonly answer: Answer;
  readonly source: ReleaseSource;
  readonly notes?: readonly string[] | undefined;
}

/** Throws before anything is charged if the document would not be one. */
export function newRelease(input: ReleaseInput): NewRelease {
  const { id, dataset, time, software, question, answer, source, notes = [] } = input;
  const { released, k, winners, ordered, loss } = answer;
  const release: NewRelease = {
    schema: RELEASE_SCHEMA,
    id,
    dataset,
    time: time.toISOString(),
    software: { ...software, packages: PACKAGES },
    question,
    mechanism: mechanismOf(question),
    loss: { ...lossToJson(loss), readable: readableLoss(loss) },
    answer: { released, k, winners, ordered },
    source,
    notes,
  };
  return readRelease(JSON.stringify(release));
}

/** A name for a release that nobody else will choose: 32 hexadecimal digits. */
/** Throws before anything is charged if the document would not be one. */
export function newReleaseId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
