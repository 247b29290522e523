/**
 * The items with the largest counts of a stream, in memory for twice as many as are wanted. Where counts are equal the
 * smaller name stays, in UTF-16 code units: an order that does not depend on who is in the data.
 * @module
 */

interface CountedItem {
  readonly item: string;
  readonly users: number;
}

export class LargestItems {
  readonly #places: number;
  #held: CountedItem[] = [];
  /** Whoever has fewer users has enough others before it. */
  #least = 1;

  constructor(places: number) {
    this.#places = places;
  }

  /** An item that nobody has is not kept: a histogram goes on with zeros by itself. */
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
