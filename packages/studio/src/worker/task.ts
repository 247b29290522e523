import { Refusal } from "winnow-release";

/**
 * Work that can be cancelled. A worker hears the page only between two of its own turns, so long work pauses at checkpoints:
 * it lets waiting messages in and ends there if it was cancelled.
 * @module
 */

const LONGEST_TURN = 40; // milliseconds

export class Task {
  readonly #controller = new AbortController();
  #turnBegan = performance.now();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(): void {
    this.#controller.abort(new Refusal("cancelled", "It was cancelled."));
  }

  /** Throws if the work was cancelled; gives others a turn if this one has lasted long enough. */
  async checkpoint(): Promise<void> {
    if (performance.now() - this.#turnBegan >= LONGEST_TURN) {
      await nextTurn();
      this.#turnBegan = performance.now();
    }
    this.signal.throwIfAborted();
  }
}

/** A message to oneself comes after those that wait already, and unlike a timer it is not held back. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
