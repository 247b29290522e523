/**
 * A `TopKStream` on its way to another thread: those of its candidates that can still win, each with its exact score
 * and the digits of its U that are drawn. The other digits are drawn where the stream arrives, so the state
 * is O(k) and the law is that of a merge in place.
 *
 * The state holds noise. Anyone who sees it, or uses it twice, undoes the privacy of the answer: it is wiped when it is
 * read. Proof: race/race.proof.md.
 * @module
 */
import { invalidData } from "../errors.js";
import { type Rational, rational } from "../exact/rational.js";
import { object } from "../options.js";
import type { Contents } from "../race/pool.js";
import { refuseOtherTerms } from "./stream-rules.js";

/**
 * A `TopKStream` on its way to another thread or process. It holds noise: secret, and to be used once.
 *
 * @typeParam Id What candidates are named by.
 */
export interface StreamState<Id = number> {
  /** The format and its version. */
  readonly format: "winnow-stream/1";
  /** What streams must agree on to be merged. */
  readonly parameters: string;
  /** How many candidates were pushed. */
  readonly pushed: number;
  /** The candidates that can still win. */
  readonly ids: Id[];
  /** Their scores: numbers, or exact rationals as text. */
  readonly scores: (number | string)[];
  /** The drawn digits of each candidate's uniform U ∈ [word, word + 1)·2^−bits. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** How many binary places of it are drawn. */
  readonly bits: Uint8Array<ArrayBuffer>;
}

export function writeState<Id>(parameters: string, pushed: number, contents: Contents<Id>): StreamState<Id> {
  const scores = contents.scores.map((score) => (typeof score === "number" ? score : String(score)));
  return { format: "winnow-stream/1", parameters, pushed, ...contents, scores };
}

/** What a state holds; the state itself is empty afterwards. Nothing of it is quoted in a refusal. */
export function readState<Id>(
  state: StreamState<Id>,
  parameters: string,
): { pushed: number; contents: Contents<Id> } {
  const expected = "the state of a stream with the same parameters that was not attached before";
  refuseOtherTerms("state", expected, parameters, object("state", state).parameters);
  if (!isWhole(state)) throw invalidData("state", expected, "invalid-parameter");
  const { pushed, ids, scores, words, bits } = state;
  const contents = {
    ids: ids.slice(),
    scores: scores.map((score): number | Rational => (typeof score === "number" ? score : rational(score))),
    words: words.slice(),
    bits: bits.slice(),
  };
  wipe(state);
  return { pushed, contents };
}

/** A wiped state has no candidates although some were pushed. */
function isWhole<Id>({ format, pushed, ids, scores, words, bits }: StreamState<Id>): boolean {
  const columns = [ids, scores, words, bits];
  return (
    format === "winnow-stream/1" &&
    Number.isSafeInteger(pushed) &&
    columns.every((column) => column.length === ids.length) &&
    ids.length <= pushed &&
    (ids.length > 0 || pushed === 0)
  );
}

function wipe<Id>({ ids, scores, words, bits }: StreamState<Id>): void {
  ids.length = 0;
  scores.length = 0;
  words.fill(0);
  bits.fill(0);
}
