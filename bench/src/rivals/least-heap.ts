/**
 * The largest values seen and whose they are, in a binary heap with the least of them on top: what a careful
 * engineer writes for a top-k over typed arrays. A newcomer is compared with `values[0]` by the caller, in
 * its own loop, and only then comes in here.
 * @module
 */
export class LeastHeap {
  readonly values: Float64Array;
  readonly indices: Int32Array;

  constructor(size: number) {
    this.values = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    this.indices = new Int32Array(size).fill(-1);
  }

  /** Puts a value in the least one's place and returns the new least one. */
  replaceLeast(value: number, index: number): number {
    this.#sink(value, index, this.values.length);
    return this.values[0];
  }

  /** Sorts in place, the largest first. The heap is used up. */
  sort(): this {
    const { values, indices } = this;
    for (let last = values.length - 1; last > 0; last--) {
      const value = values[last];
      const index = indices[last];
      values[last] = values[0];
      indices[last] = indices[0];
      this.#sink(value, index, last);
    }
    return this;
  }

  /** Lets an entry sink from the top of the first `size`. */
  #sink(value: number, index: number, size: number): void {
    const { values, indices } = this;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && values[child + 1] < values[child]) child++;
      if (!(values[child] < value)) break;
      values[at] = values[child];
      indices[at] = indices[child];
      at = child;
    }
    values[at] = value;
    indices[at] = index;
  }
}
