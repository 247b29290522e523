/**
 * A growing list of numbers that can tell which it holds: eight bytes each, sorted when first asked.
 * @module
 */

export class NumberList {
  #numbers = new Float64Array(1024);
  #length = 0;
  #isSorted = true;

  add(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length++] = number;
    this.#isSorted = false;
  }

  has(number: number): boolean {
    if (!this.#isSorted) this.#numbers.subarray(0, this.#length).sort();
    this.#isSorted = true;
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.#numbers[low] === number;
  }

  #grow(): void {
    const larger = new Float64Array(this.#length * 2);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
