/**
 * The contenders of a race in columns: numbers stay in typed arrays, and an object is made only of who comes in among
 * the first. Most contenders are dropped again.
 * @module
 */
import type { Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import { Contender } from "./contender.js";

/** All that is known of some contenders, in columns of one length: their other bounds follow from it. */
export interface Contents<Id> {
  readonly ids: Id[];
  readonly scores: (number | Rational)[];
  /** U ∈ [word, word + 1)·2^−bits, and no other digit of it is drawn. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly bits: Uint8Array<ArrayBuffer>;
}

export class Pool<Id> {
  count = 0;
  /** Doubles around each contender's key. */
  lower: Float64Array<ArrayBuffer>;
  upper: Float64Array<ArrayBuffer>;
  words: Float64Array<ArrayBuffer>;
  bits: Float64Array<ArrayBuffer>;
  readonly ids: Id[] = [];
  readonly scores: (number | Rational)[] = [];
  readonly entropies: Entropy[] = [];

  constructor(room: number) {
    this.lower = new Float64Array(room);
    this.upper = new Float64Array(room);
    this.words = new Float64Array(room);
    this.bits = new Float64Array(room);
  }

  /** Adds a contender with a U ∈ [word, word + 1)·2^−bits of which the entropy draws more. */
  add(
    id: Id,
    score: number | Rational,
    lower: number,
    upper: number,
    word: number,
    bits: number,
    entropy: Entropy,
  ): void {
    const place = this.count++;
    if (place === this.lower.length) this.#grow();
    this.lower[place] = lower;
    this.upper[place] = upper;
    this.words[place] = word;
    this.bits[place] = bits;
    this.ids[place] = id;
    this.scores[place] = score;
    this.entropies[place] = entropy;
  }

  /** Adds one of another pool. */
  addFrom(other: Pool<Id>, place: number): void {
    if (this.count === this.lower.length) this.#grow();
    this.#copy(other, place, this.count++);
  }

  /** Drops all whose keys are certainly below the cut. */
  dropBelow(cut: number): void {
    let kept = 0;
    for (let place = 0; place < this.count; place++) {
      if (this.upper[place] < cut) continue;
      if (kept < place) this.#copy(this, place, kept);
      kept++;
    }
    this.truncate(kept);
  }

  #copy(other: Pool<Id>, from: number, to: number): void {
    this.lower[to] = other.lower[from];
    this.upper[to] = other.upper[from];
    this.words[to] = other.words[from];
    this.bits[to] = other.bits[from];
    this.ids[to] = other.ids[from];
    this.scores[to] = other.scores[from];
    this.entropies[to] = other.entropies[from];
  }

  truncate(count: number): void {
    this.count = count;
    this.ids.length = count;
    this.scores.length = count;
    this.entropies.length = count;
  }

  /**
   * All of them, by their lower ends, the highest first, except where they hardly differ. The place of each stands in the last
   * digits of its lower end, so that one native sort, without a call for each comparison, moves both.
   */
  byLowerDescending(): Contender<Id>[] {
    const ends = this.lower.slice(0, this.count);
    const digits = new Uint32Array(ends.buffer); // each double's last 32, then its first
    const places = this.count > 1 ? 0xffff_ffff >>> Math.clz32(this.count - 1) : 0;
    for (let place = 0; place < this.count; place++) {
      if (ends[place] === -Infinity) ends[place] = -Number.MAX_VALUE; // which has digits to spare
      digits[2 * place] = (digits[2 * place] & ~places) | place;
    }
    ends.sort();
    const order: Contender<Id>[] = new Array(this.count);
    for (let rank = 0; rank < this.count; rank++) {
      order[this.count - 1 - rank] = this.#contender(digits[2 * rank] & places);
    }
    return order;
  }

  #contender(place: number): Contender<Id> {
    return new Contender(
      this.ids[place],
      this.scores[place],
      this.entropies[place],
      this.words[place],
      this.bits[place],
      this.lower[place],
      this.upper[place],
    );
  }

  #grow(): void {
    this.lower = enlarged(this.lower);
    this.upper = enlarged(this.upper);
    this.words = enlarged(this.words);
    this.bits = enlarged(this.bits);
  }
}

/** Takes all contenders out of a pool; nothing of them stays behind. A stream alone needs it, so it is no method. */
export function takeContents<Id>(pool: Pool<Id>): Contents<Id> {
  const { ids, scores, words, bits, count } = pool;
  const contents = {
    ids: ids.slice(),
    scores: scores.slice(),
    words: Uint32Array.from(words.subarray(0, count)),
    bits: Uint8Array.from(bits.subarray(0, count)),
  };
  for (const column of [pool.lower, pool.upper, words, bits]) column.fill(0);
  pool.truncate(0);
  return contents;
}

/** The same numbers, with room for more than as many again. */
export function enlarged(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length + 8);
  larger.set(values);
  return larger;
}

/*
 * The n-th largest of some numbers, by quickselect with the median of three as pivot. It reorders them.
 */

/** The n-th largest (n ≥ 1) of the first `count` numbers. */
export function nthLargest(values: Float64Array, count: number, n: number): number {
  const rank = count - n; // in ascending order
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = medianOfThree(values[low], values[(low + high) >> 1], values[high]);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const held = values[i];
      values[i++] = values[j];
      values[j--] = held;
    }
    // Everything up to j is at most the pivot, everything from i on at least; what is between equals it.
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return pivot;
  }
  return values[rank];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
