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

  /** Returns nothing to wait for unless the turn is over. */
  giveWay(): Promise<void> | undefined {
    return performance.now() - this.#began < LONGEST_TURN ? undefined : this.#wait();
  }

  async #wait(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
