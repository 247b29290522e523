/**
 * The contenders of a race in columns: numbers stay in typed arrays, and an object is made only of who comes in among
 * the first. Most contenders are dropped again.
 * @module
 */
import type { Rational } from "../exact/rational.js";
import { sortNumbers } from "./sort-numbers.js";

/** All that is known of some contenders, in columns of one length: their other bounds follow from it. */
export interface Contents<Id> {
  readonly ids: Id[];
  readonly scores: (number | Rational)[];
  /** U ∈ [word, word + 1)·2^−bits, and no other digit of it is drawn. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly bits: Uint8Array<ArrayBuffer>;
}

/** The columns that are numbers. */
const COLUMNS = ["lower", "upper", "words", "bits"] as const;

export class Pool<Id> {
  count = 0;
  /** Doubles around each contender's key. */
  lower: Float64Array<ArrayBuffer>;
  upper: Float64Array<ArrayBuffer>;
  words: Float64Array<ArrayBuffer>;
  bits: Float64Array<ArrayBuffer>;
  readonly ids: Id[] = [];
  readonly scores: (number | Rational)[] = [];

  constructor(room: number) {
    this.lower = new Float64Array(room);
    this.upper = new Float64Array(room);
    this.words = new Float64Array(room);
    this.bits = new Float64Array(room);
  }

  /** A place for one more, whose columns are to be written. */
  next(): number {
    if (this.count === this.lower.length) for (const column of COLUMNS) this[column] = enlarged(this[column]);
    return this.count++;
  }

  /** Drops all whose keys are certainly below the cut; the last ones take their places. */
  dropBelow(cut: number): void {
    for (let place = 0; place < this.count; )
      if (this.upper[place] < cut) this.#move(--this.count, place);
      else place++;
    this.truncate();
  }

  #move(from: number, to: number): void {
    this.lower[to] = this.lower[from];
    this.upper[to] = this.upper[from];
    this.words[to] = this.words[from];
    this.bits[to] = this.bits[from];
    this.ids[to] = this.ids[from];
    this.scores[to] = this.scores[from];
  }

  /** Forgets what is beyond the count. */
  truncate(): void {
    this.ids.length = this.count;
    this.scores.length = this.count;
  }

  /**
   * The places of all contenders, by their lower ends, the highest first, except where they hardly differ. The place of each
   * stands in the last digits of its lower end, so that one native sort, without a call for each comparison, moves both.
   */
  byLowerDescending(): Uint32Array {
    const { count } = this;
    const ends = this.lower.slice(0, count);
    const digits = new Uint32Array(ends.buffer); // each double's last 32, then its first
    const mask = 0xffff_ffff >>> Math.clz32(count - 1); // of one contender all digits, as its place is 0
    for (let place = 0; place < count; place++) {
      if (ends[place] === -Infinity) ends[place] = -Number.MAX_VALUE; // which has digits to spare
      digits[2 * place] = (digits[2 * place] & ~mask) | place;
    }
    sortNumbers(ends);
    const order = new Uint32Array(count);
    for (let rank = 0; rank < count; rank++) order[count - 1 - rank] = digits[2 * rank] & mask;
    return order;
  }
}

/** Takes all contenders out of a pool; nothing of them stays behind. A stream alone needs it, so it isn't a method. */
export function takeContents<Id>(pool: Pool<Id>): Contents<Id> {
  const { ids, scores, words, bits, count } = pool;
  const contents = {
    ids: ids.slice(),
    scores: scores.slice(),
    words: Uint32Array.from(words.subarray(0, count)),
    bits: Uint8Array.from(bits.subarray(0, count)),
  };
  for (const column of COLUMNS) pool[column].fill(0);
  pool.count = 0;
  pool.truncate();
  return contents;
}

/** The same numbers, with room for as many again and more. */
export function enlarged(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length + 64);
  larger.set(values);
  return larger;
}
