/**
 * The one refusal of everything above the library: a code of the catalogue and one sentence made of public values only. Front
 * ends print it and add nothing. It never holds a row, a count, or the words of an engine about them, so it may be shown to
 * anyone, recorded, and sent between processes as its code and its sentence.
 *
 * It isn't a `WinnowError`: programs switch on the few codes of the library, which stay as they are.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { kindAndPlace } from "../words/neutralise.js";
import { entryOf, type Front, type RefusalCode } from "./catalogue.js";

/**
 * What a refusal tells besides its code.
 *
 * @inline
 */
export interface RefusalDetails {
  /** Worth trying again after this many seconds. */
  readonly after?: number;
  /** The id to ask again with. */
  readonly release?: string;
  /** For the operator's log only. */
  readonly cause?: unknown;
}

/** A refusal that a person can act on: a code of the catalogue with its details. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly after: number | undefined;
  readonly release: string | undefined;

  constructor(
    readonly code: RefusalCode,
    sentence: string,
    { after, release, cause }: RefusalDetails = {},
  ) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.after = after;
    this.release = release;
  }

  get exit(): number {
    return entryOf(this.code).exit;
  }

  get status(): number {
    return entryOf(this.code).status;
  }

  /** The same sentence for every refusal with this code. */
  get title(): string {
    return entryOf(this.code).title;
  }

  /** What to do next, in the words of a front end; of one that never shows this code, what it says of a bug. */
  next(front: Front): string {
    return entryOf(this.code)[front] ?? entryOf("unexpected")[front]!;
  }
}

/** What the library refuses. An invalid parameter is part of the question. */
const OF_THE_LIBRARY: Readonly<Record<WinnowError["code"], RefusalCode>> = {
  "invalid-parameter": "invalid-question",
  "invalid-score": "unexpected",
  "stream-finished": "unexpected",
  "stream-busy": "unexpected",
  "sample-out-of-range": "unexpected",
  "entropy-unavailable": "no-entropy",
  "budget-exceeded": "over-budget",
};

/**
 * Any error as a refusal. The sentences of the library are made of parameters, which are public, and are kept; of an error that
 * no one foresaw, only its kind and its place in the code are, because its message may quote a row.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof WinnowError && OF_THE_LIBRARY[error.code] !== "unexpected")
    return new Refusal(OF_THE_LIBRARY[error.code], `${error.message}.`, { cause: error });
  if (error instanceof Error && error.name === "AbortError")
    return new Refusal("interrupted", "The run was interrupted.", { cause: error });
  return new Refusal("unexpected", `An unexpected error occurred (${kindAndPlace(error)}).`, {
    cause: error,
  });
}

/**
 * What everyone is told about a count that failed after it began, whatever the reason: rows can raise any error, break a
 * connection, damage a file or take too long. The command line and the service charge it in full and say this. That the count
 * failed is an exact event, and no price makes it private: it is outside the promise (docs/limits.md).
 */
export const COUNT_FAILED = "The rows couldn't be counted to their end, and the price counts in full.";
