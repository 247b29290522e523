/**
 * Builds the document of an answer that isn't recorded yet. `readRelease` checks it and gives it its form, so the text
 * that is stored, printed and read back is one text. The versions of the packages that computed the answer are part of
 * it.
 * @module
 */
import { type Loss, lossToJson } from "winnow-dp";
import { kindOf } from "../kinds/kinds.js";
import { mechanismOf } from "../mechanisms/of-question.js";
import type { Answer } from "../question/answer.js";
import { countedInWords, isLimited } from "../question/labels.js";
import type { Question } from "../question/question.js";
import { asSentence } from "../words/sentences.js";
import { readableLoss } from "./loss-text.js";
import { readRelease } from "./read-release.js";
import {
  type EpsilonFrom,
  GROUPS_SCHEMA,
  type NewRelease,
  RELEASE_SCHEMA,
  type ReleaseBits,
  type ReleaseLoss,
  type ReleaseSource,
  type Software,
} from "./release-document.js";

/** As in their package.json files, which a test compares. */
export const PACKAGES: Readonly<Record<string, string>> = Object.freeze({
  "winnow-dp": "0.1.0",
  "winnow-release": "0.1.0",
});

/**
 * What a release document is made from.
 *
 * @inline
 */
export interface ReleaseInput {
  readonly id: string;
  readonly dataset: string;
  /** The public name of the person who asked. */
  readonly analyst?: string | undefined;
  readonly time: Date;
  readonly software: Pick<Software, "name" | "version">;
  readonly question: Question;
  readonly answer: Answer;
  readonly source: ReleaseSource;
  readonly epsilonFrom?: EpsilonFrom | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** The document with the commitments to its bits. */
export function withBits(release: NewRelease, bits: ReleaseBits): NewRelease {
  return readRelease(JSON.stringify({ ...release, bits }));
}

/** Throws before anything is charged if the document would not be one. */
export function newRelease(input: ReleaseInput): NewRelease {
  const { id, dataset, analyst, time, software, question, answer, source, epsilonFrom, notes = [] } = input;
  const { loss, ...said } = answer;
  const note =
    question.groups === undefined ? kindOf(question).note?.({ question, answer: said }) : undefined;
  const release: NewRelease = {
    schema: question.groups === undefined ? RELEASE_SCHEMA : GROUPS_SCHEMA,
    id,
    dataset,
    ...(analyst !== undefined && { analyst }),
    time: time.toISOString(),
    software: { ...software, packages: PACKAGES },
    question,
    mechanism: mechanismOf(question),
    loss: releaseLoss(loss),
    answer: { ...said, ...(isLimited(question) && { counted: countedInWords(question) }) },
    source,
    ...(epsilonFrom !== undefined && { epsilonFrom }),
    notes: [...notes, ...(note === undefined ? [] : [asSentence(note)])],
  };
  return readRelease(JSON.stringify(release));
}

/** A loss as a document states it: exact numbers, and words. */
export function releaseLoss(loss: Loss): ReleaseLoss {
  return { ...lossToJson(loss), readable: readableLoss(loss) };
}

/** A name for a release that no one else will choose: 32 hexadecimal digits. */
export function newReleaseId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
