/**
 * A set of pairs of small whole numbers: open addressing in two typed arrays, eight bytes a slot, no object per pair. It is
 * exact: two different pairs are never taken for one.
 * @module
 */

/** One more than the largest number that fits: a slot keeps its first number plus one, so that zero means empty. */
export const PAIR_LIMIT = 2 ** 32 - 1;

export class PairSet {
  #first: Uint32Array;
  #second: Uint32Array;
  #size = 0;

  constructor(slots = 1 << 12) {
    this.#first = new Uint32Array(slots);
    this.#second = new Uint32Array(slots);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the pair was new. */
  add(first: number, second: number): boolean {
    if (!this.#insert(first + 1, second)) return false;
    this.#size++;
    if (2 * this.#size > this.#first.length) this.#grow();
    return true;
  }

  #insert(mark: number, second: number): boolean {
    const [firsts, seconds, mask] = [this.#first, this.#second, this.#first.length - 1];
    let slot = mix(mark, second) & mask;
    for (; firsts[slot] !== 0; slot = (slot + 1) & mask)
      if (firsts[slot] === mark && seconds[slot] === second) return false;
    firsts[slot] = mark;
    seconds[slot] = second;
    return true;
  }

  #grow(): void {
    const [firsts, seconds] = [this.#first, this.#second];
    this.#first = new Uint32Array(2 * firsts.length);
    this.#second = new Uint32Array(2 * firsts.length);
    for (const [slot, mark] of firsts.entries()) if (mark !== 0) this.#insert(mark, seconds[slot]!);
  }
}

/** Spreads neighbouring pairs over the slots. It decides where a pair lies, never whether it is in the set. */
function mix(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
