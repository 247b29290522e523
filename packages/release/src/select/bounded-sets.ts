/**
 * What a selection remembers of a stream, in bounded memory.
 *
 * `LargestItems` keeps the items with the largest counts, in memory for twice as many as are wanted. Among equal
 * counts the smaller name stays, in UTF-16 code units: an order that doesn't depend on who is in the data.
 *
 * `numberSet` remembers which whole numbers below a bound were seen: up to a bound of 2^30 with one bit for each
 * number, at most 128 MiB; beyond it as a list of the numbers seen, eight bytes each, sorted on the first query.
 * @module
 */

interface CountedItem {
  readonly item: string;
  readonly users: number;
}

export class LargestItems {
  readonly #places: number;
  #held: CountedItem[] = [];
  /** An item with fewer users has enough others before it. */
  #least = 1;

  constructor(places: number) {
    this.#places = places;
  }

  /** An item without users isn't kept: a histogram goes on with zeros by itself. */
  take(item: string, users: number): void {
    if (users < this.#least) return;
    this.#held.push({ item, users });
    if (this.#held.length >= 2 * this.#places) this.#compact();
  }

  /** The largest, in the order of their names. */
  byName(): { readonly items: readonly string[]; readonly users: readonly number[] } {
    this.#compact();
    const sorted = this.#held.toSorted((a, b) => compareNames(a.item, b.item));
    return { items: sorted.map(({ item }) => item), users: sorted.map(({ users }) => users) };
  }

  #compact(): void {
    this.#held.sort((a, b) => b.users - a.users || compareNames(a.item, b.item));
    this.#held = this.#held.slice(0, this.#places);
    if (this.#held.length === this.#places) this.#least = this.#held[this.#places - 1].users;
  }
}

/** By UTF-16 code units, the same in every language and place. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

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
