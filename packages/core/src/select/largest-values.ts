/**
 * The largest of the numbers seen so far, as many as there are places: a heap with the least of them on top.
 * @module
 */

export class LargestValues {
  readonly #heap: Float64Array;

  constructor(places: number) {
    this.#heap = new Float64Array(places).fill(-Infinity);
  }

  /** The least of them; −∞ as long as fewer numbers were seen than there are places. */
  get least(): number {
    return this.#heap[0];
  }

  /** Takes a number in, in place of the least, if it is larger. */
  offer(value: number): void {
    const heap = this.#heap;
    if (!(value > heap[0])) return;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= value) break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = value;
  }
}
