/**
 * The largest counts of a histogram, the earlier candidate first where counts are equal: an order that is fixed before
 * the data are seen, as every step after it needs. Where a histogram is shorter than what is asked for, the counts that
 * are missing are 0: those of candidates that no row mentions.
 *
 * Cost: one pass that nearly always compares eight counts at once.
 * @module
 */
import { invalidData, type WinnowError } from "../errors.js";
import { nthLargest } from "../race/nth-largest.js";
import { enlarged } from "../race/pool.js";
import { firstNear } from "../race/scan.js";
import { blockOf, heldStill, scratchFor } from "../race/scores.js";

/**
 * How many individuals each candidate has: integers ≥ 0, as bigints where they are above 2^53.
 *
 * @inline
 */
export type Histogram = ArrayLike<number | bigint>;

export interface RankedCounts {
  /** The candidates by descending count; fewer than asked for if the histogram is shorter. */
  readonly indices: readonly number[];
  /** Their counts, in that order. */
  readonly counts: readonly (number | bigint)[];
}

/** The first `places` candidates by count. Throws if one of them isn't a count, without a word on which or what. */
export function largestCounts(histogram: Histogram, places: number): RankedCounts {
  const held = holdCounts(histogram);
  const indices = new CountScan(held, places).ranked().slice(0, places);
  return { indices, counts: indices.map((index) => held[index]) };
}

/** A histogram that does not change while it is read, as scores are held still. */
export function holdCounts(histogram: Histogram): Histogram {
  return heldStill(histogram, "histogram", invalidCount);
}

/** Entries beyond what is asked for, so that quickselect has something to drop. */
const SLACK = 64;

class CountScan {
  readonly #histogram: Histogram;
  readonly #places: number;
  /** The candidates that may be among the first, in ascending order, with their counts to the nearest double. */
  #indices: Float64Array<ArrayBuffer>;
  #counts: Float64Array<ArrayBuffer>;
  #held = 0;
  /** A candidate that isn't above this has at least `places` others before it. */
  #cut: number;

  constructor(histogram: Histogram, places: number) {
    this.#histogram = histogram;
    this.#places = places;
    const room = 2 * Math.min(places, histogram.length) + SLACK;
    this.#indices = new Float64Array(room);
    this.#counts = new Float64Array(room);
    this.#cut = this.#firstCut();
    const scratch = scratchFor(histogram);
    for (let start = 0; start < histogram.length; ) {
      const block = blockOf(histogram, start, scratch);
      this.#scan(block, start);
      start += block.length;
    }
  }

  /** All candidates that may be among the first, in their order. */
  ranked(): number[] {
    this.#compact();
    const histogram = this.#histogram;
    const ahead = (a: number, b: number) => {
      if (histogram[a] === histogram[b]) return a - b;
      return histogram[a] > histogram[b] ? -1 : 1;
    };
    return Array.from(this.#indices.subarray(0, this.#held)).sort(ahead);
  }

  /**
   * Those above the cut are held. The others decide nothing and are not checked one by one, but integers ≥ 0 add up to such
   * an integer.
   */
  #scan(block: Float64Array, start: number): void {
    const total = new Float64Array(1);
    for (let i = 0; ; ) {
      i = firstNear(block, i, this.#above(), total);
      if (i >= block.length) break;
      this.#hold(block, i, Math.min(i + 8, block.length), start);
      i += 8;
    }
    const [sum] = total;
    if (!(sum >= 0) || Math.floor(sum) !== sum) throw invalidCount();
  }

  /** The integers below this are those that are not above the cut. */
  #above(): number {
    return Math.floor(Math.min(this.#cut, Number.MAX_SAFE_INTEGER)) + 1;
  }

  #hold(block: Float64Array, from: number, to: number, start: number): void {
    for (let i = from; i < to; i++) {
      const count = block[i];
      this.#check(count, start + i);
      if (count <= this.#cut) continue;
      this.#counts[this.#held] = count;
      this.#indices[this.#held++] = start + i;
    }
    if (this.#held + 8 > this.#counts.length) this.#compact();
  }

  #check(count: number, index: number): void {
    if (!(count >= 0) || count !== Math.floor(count) || count === Infinity) throw invalidCount();
    if (count > Number.MAX_SAFE_INTEGER && typeof this.#histogram[index] !== "bigint") throw invalidCount();
  }

  /** Drops who cannot be among the first: of those at the `places`-th largest count, the last ones. */
  #compact(): void {
    if (this.#held <= this.#places) return;
    const level = nthLargest(this.#counts.slice(0, this.#held), this.#held, this.#places);
    // Above 2^53 equal doubles may stand for different counts: all of them stay.
    const isExact = level <= Number.MAX_SAFE_INTEGER;
    let spare = isExact ? this.#places - this.#countAbove(level) : Infinity;
    let kept = 0;
    for (let i = 0; i < this.#held; i++) {
      const count = this.#counts[i];
      if (count < level || (count === level && spare-- <= 0)) continue;
      this.#counts[kept] = count;
      this.#indices[kept++] = this.#indices[i];
    }
    this.#held = kept;
    this.#cut = isExact ? level : level - level * Number.EPSILON;
    if (2 * kept <= this.#counts.length) return;
    this.#indices = enlarged(this.#indices);
    this.#counts = enlarged(this.#counts);
  }

  #countAbove(level: number): number {
    let above = 0;
    for (let i = 0; i < this.#held; i++) if (this.#counts[i] > level) above++;
    return above;
  }

  /** Below the `places`-th largest of a strided sample: ascending counts then cost little more than others. */
  #firstCut(): number {
    const { length } = this.#histogram;
    const size = Math.min(16 * this.#places + 1024, Math.max(4 * this.#places, length >>> 6));
    if (size > length >>> 3) return -1; // a sample would cost more than it saves
    const stride = Math.floor(length / size);
    const sample = new Float64Array(size);
    for (let i = 0; i < size; i++) sample[i] = Number(this.#histogram[i * stride]);
    const level = nthLargest(sample, size, this.#places);
    return level <= Number.MAX_SAFE_INTEGER ? level - 1 : -1;
  }
}

/** The refusal of a count, which says nothing about it: counts are private. */
function invalidCount(): WinnowError {
  return invalidData("histogram", "integers >= 0 throughout (bigints above 2^53)");
}
