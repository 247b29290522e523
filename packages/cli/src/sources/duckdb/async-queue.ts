/**
 * Values that are pushed on one side and iterated on the other. A push waits until its values have been taken, so that the
 * queue never holds more than one part.
 * @module
 */

export class AsyncQueue<T> implements AsyncIterable<T> {
  #part: readonly T[] = [];
  #isOver = false;
  #wakeReader: () => void = () => {};
  #wakeWriter: () => void = () => {};

  push(part: readonly T[]): Promise<void> {
    this.#part = part;
    this.#wakeReader();
    return new Promise((taken) => {
      this.#wakeWriter = taken;
    });
  }

  end(): void {
    this.#isOver = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (true) {
      const part = this.#part;
      this.#part = [];
      yield* part;
      if (part.length > 0) this.#wakeWriter();
      else if (this.#isOver) return;
      else
        await new Promise<void>((pushed) => {
          this.#wakeReader = pushed;
        });
    }
  }
}
