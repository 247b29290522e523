/**
 * Release ids: an id names one release for ever. Whoever asks again with the same parameters gets the stored answer and
 * pays nothing; with other parameters the id is refused, so that it can never stand for two answers.
 * @module
 */
import { canonicalJson } from "./canonical-json.js";
import type { RecordedRelease } from "./entry.js";
import { LedgerError } from "./ledger-error.js";

/** What was asked for. The source is compared where it is given. */
export type Asked = Pick<RecordedRelease, "dataset" | "question" | "source">;

/** The stored release, if it answers what is asked now; else throws `release-id-taken`. */
export function replay<R extends RecordedRelease>(stored: R, asked: Asked): R {
  const parameters = ({ dataset, question, source }: Asked) =>
    canonicalJson({ dataset, question, source: asked.source === undefined ? undefined : source });
  if (parameters(stored) === parameters(asked)) return stored;
  throw new LedgerError(
    "release-id-taken",
    `The release id ${JSON.stringify(stored.id)} belongs to a release with other parameters.`,
  );
}

const LONGEST_ID = 200;

/** An id is short text without control characters or spaces at its ends, so that it can be typed again. */
export function isReleaseId(id: string): boolean {
  return id.length > 0 && id.length <= LONGEST_ID && id === id.trim() && !/\p{C}/u.test(id);
}
