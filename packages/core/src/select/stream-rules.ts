/**
 * Two rules of everything that takes its data bit by bit.
 *
 * Streams merge only if they draw by the same law and promise the same: a promise of one says nothing about people whom
 * another counted under other bounds. So all that a law or a promise depends on is written as one text, and texts are compared.
 *
 * A stream does one thing at a time. A source of bits, an iterator or a getter is code of the caller's and may call the
 * stream that waits for it; such a call would see a draw half done, and could take an answer that is paid for once twice.
 * @module
 */
import { invalidData, WinnowError } from "../errors.js";

/**
 * Everything that a stream's law or promise depends on, as a text that two streams share only if they may be merged.
 *
 * @param stated Every option as it was read, with its default where it was left out; budgets and bits aside. Options that are
 * new are among them without being named here or there.
 * @param found The noise and the loss that the budget led to.
 */
export function agreement(stated: object, found: object): string {
  const terms = Object.entries({ ...stated, ...found }).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(terms, (_, term) => (typeof term === "number" ? String(term) : term));
}

/** Refuses to merge with what was made under other terms. What else came with it is not quoted: it may hold noise. */
export function refuseOtherTerms(field: string, expected: string, ours: string, theirs: unknown): void {
  if (theirs !== ours) throw invalidData(field, expected, "invalid-parameter");
}

/** Lets one call at a time into a stream. */
export class Turn {
  #isTaken = false;

  /** Refuses a call while another is on its way. */
  refuseWhileTaken(): void {
    if (this.#isTaken)
      throw new WinnowError(
        "stream-busy",
        "this stream is busy with another call: its source of bits, its iterator or a getter called it again",
      );
  }

  /** Takes the turn; `end` gives it back. */
  begin(): void {
    this.refuseWhileTaken();
    this.#isTaken = true;
  }

  end(): void {
    this.#isTaken = false;
  }
}
