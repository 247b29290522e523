/**
 * Lets long work share its thread: every few milliseconds it waits for its next turn, and it ends when told to.
 * @module
 */

const LONGEST_TURN = 12; // milliseconds; a page stays smooth

export class TurnTaker {
  readonly #signal: AbortSignal | undefined;
  #began = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether it is time to let others have theirs. */
  get isOver(): boolean {
    return performance.now() - this.#began >= LONGEST_TURN;
  }

  /** Resolves when it is our turn again; rejects if there is to be none. */
  async next(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
