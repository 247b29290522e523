/**
 * The items with the largest counts of a stream, in memory for twice as many as are wanted. Among equal counts the smaller
 * name stays, in UTF-16 code units: an order that doesn't depend on who is in the data.
 * @module
 */
import { compareNames } from "./names.js";

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
