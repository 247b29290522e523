/**
 * Which whole numbers below a bound were seen: up to a bound of 2^30 with one bit for each number, at most 128 MiB; beyond it as
 * a list of the numbers seen, eight bytes each, sorted on the first query.
 * @module
 */

const LARGEST_BITMAP = 2 ** 30;

/** A set of whole numbers from 0 below a bound. */
interface NumberSet {
  add(number: number): void;
  has(number: number): boolean;
}

export function numberSet(below: number): NumberSet {
  return below <= LARGEST_BITMAP ? new Bitmap(below) : new SortedList();
}

class Bitmap implements NumberSet {
  readonly #below: number;
  readonly #words: Uint32Array;

  constructor(below: number) {
    this.#below = below;
    this.#words = new Uint32Array(Math.ceil(below / 32));
  }

  add(number: number): void {
    this.#words[number >>> 5] |= 1 << (number & 31);
  }

  has(number: number): boolean {
    return number < this.#below && (this.#words[number >>> 5] & (1 << (number & 31))) !== 0;
  }
}

class SortedList implements NumberSet {
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
      const middle = Math.floor((low + high) / 2);
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
