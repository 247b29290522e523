import { Refusal } from "winnow-release";

/**
 * Counts the distinct users of each item, exactly, and the rows of each pair. Each name is kept once, as a number; a row is a
 * pair of two numbers. A row with an empty item or user is skipped. Memory grows with the number of different pairs, not
 * with the number of rows.
 *
 * Pairs are kept by open addressing in three typed arrays, twelve bytes a slot and no object per pair. The set is exact:
 * two different pairs are never taken for one.
 * @module
 */

/** A JavaScript map holds 2^24 entries; a little below that, the page refuses with a sentence instead of crashing. */
const MOST_NAMES = 16_000_000;
const MOST_PAIRS = 100_000_000;

/** Items with how many users each has. */
interface Histogram {
  readonly items: readonly string[];
  readonly users: readonly number[];
}

export class UserCounter {
  readonly #items = new Map<string, number>();
  readonly #users = new Map<string, number>();
  readonly #counts: number[] = [];
  readonly #pairs = new PairSet();

  get items(): number {
    return this.#items.size;
  }

  get users(): number {
    return this.#users.size;
  }

  /** One row. A person counts once per item, however many rows say so. */
  add(item: string, user: string): void {
    if (item === "" || user === "") return;
    const itemNumber = numberOf(this.#items, item);
    if (!this.#pairs.add(itemNumber, numberOf(this.#users, user))) return;
    this.#counts[itemNumber] = (this.#counts[itemNumber] ?? 0) + 1;
    if (this.#pairs.size > MOST_PAIRS) throw tooMany();
  }

  usersOf(item: string): number {
    const number = this.#items.get(item);
    return number === undefined ? 0 : this.#counts[number]!;
  }

  /** The items with the most users, most first; among equals the one met first. */
  largest(places: number): { readonly item: string; readonly users: number }[] {
    const items = Array.from(this.#items, ([item, number]) => ({ item, users: this.#counts[number]! }));
    return items.sort((a, b) => b.users - a.users).slice(0, places);
  }

  /** How many items are of a kind. */
  itemsThat(isOne: (item: string) => boolean): number {
    let count = 0;
    for (const item of this.#items.keys()) if (isOne(item)) count++;
    return count;
  }

  /** Every pair once, in no particular order. */
  *pairs(): Generator<readonly [user: string, item: string], void> {
    const [items, users] = [[...this.#items.keys()], [...this.#users.keys()]];
    for (const [item, user] of this.#pairs) yield [users[user]!, items[item]!];
  }

  /** Every row of some items, in no particular order: a pair as often as rows say it. */
  *rows(isCounted: (item: string) => boolean): Generator<readonly [user: string, item: string], void> {
    const [items, users] = [[...this.#items.keys()], [...this.#users.keys()]];
    const counted = items.map(isCounted);
    for (const [item, user, copies] of this.#pairs)
      for (let copy = counted[item] ? copies : 0; copy > 0; copy--) yield [users[user]!, items[item]!];
  }

  /** How many pairs are left if each person is cut to `most` items. */
  pairsOfAtMost(most: number): number {
    return this.#keptOf(most, () => 1);
  }

  /** How many rows of some items are left if each person is cut to `most` items. */
  rowsOfAtMost(most: number, isCounted: (item: string) => boolean): number {
    const counted = [...this.#items.keys()].map(isCounted);
    return this.#keptOf(most, (item, copies) => (counted[item] ? copies : 0));
  }

  #keptOf(most: number, weightOf: (item: number, copies: number) => number): number {
    const kept = new Uint32Array(this.#users.size);
    let count = 0;
    for (const [item, user, copies] of this.#pairs) {
      const more = Math.min(weightOf(item, copies), most - kept[user]!);
      kept[user]! += more;
      count += more;
    }
    return count;
  }

  /** In the order in which the items were first met. */
  histogram(): Histogram {
    return { items: [...this.#items.keys()], users: this.#counts };
  }
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  if (numbers.size >= MOST_NAMES) throw tooMany();
  numbers.set(ownText(name), numbers.size);
  return numbers.size - 1;
}

/** A part of a larger text keeps all of it in memory; this text keeps only itself. */
function ownText(part: string): string {
  return ` ${part}`.slice(1);
}

function tooMany(): Refusal {
  return new Refusal("too-many-items", "The file has more people or items than the page can hold.");
}

export class PairSet {
  #first: Uint32Array;
  #second: Uint32Array;
  /** How many times a pair was added. */
  #copies: Uint32Array;
  #size = 0;

  constructor(slots = 1 << 12) {
    this.#first = new Uint32Array(slots);
    this.#second = new Uint32Array(slots);
    this.#copies = new Uint32Array(slots);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the pair was new. */
  add(first: number, second: number): boolean {
    if (!this.#insert(first + 1, second, 1)) return false;
    this.#size++;
    if (2 * this.#size > this.#first.length) this.#grow();
    return true;
  }

  *[Symbol.iterator](): Generator<readonly [first: number, second: number, copies: number], void> {
    for (const [slot, mark] of this.#first.entries())
      if (mark !== 0) yield [mark - 1, this.#second[slot]!, this.#copies[slot]!];
  }

  #insert(mark: number, second: number, copies: number): boolean {
    const [firsts, seconds, mask] = [this.#first, this.#second, this.#first.length - 1];
    let slot = mix(mark, second) & mask;
    for (; firsts[slot] !== 0; slot = (slot + 1) & mask)
      if (firsts[slot] === mark && seconds[slot] === second) {
        this.#copies[slot]! += copies;
        return false;
      }
    firsts[slot] = mark;
    seconds[slot] = second;
    this.#copies[slot] = copies;
    return true;
  }

  #grow(): void {
    const [firsts, seconds, copies] = [this.#first, this.#second, this.#copies];
    this.#first = new Uint32Array(2 * firsts.length);
    this.#second = new Uint32Array(2 * firsts.length);
    this.#copies = new Uint32Array(2 * firsts.length);
    for (const [slot, mark] of firsts.entries())
      if (mark !== 0) this.#insert(mark, seconds[slot]!, copies[slot]!);
  }
}

/** Spreads neighbouring pairs over the slots. It decides where a pair lies, never whether it is in the set. */
function mix(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
