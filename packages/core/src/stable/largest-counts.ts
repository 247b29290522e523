/**
 * The largest counts of a histogram, the earlier candidate first where counts are equal: an order that is fixed before
 * the data are seen, as every step after it needs. Where a histogram is shorter than what is asked for, the counts that
 * are missing are 0: those of candidates that nobody mentioned.
 *
 * Cost: one pass that nearly always compares eight counts at once.
 * @module
 */
import { WinnowError } from "../errors.js";
import { nthLargest } from "../race/pool.js";
import { heldStill, isNumeric } from "../race/scores.js";

/** How many individuals each candidate has: integers ≥ 0, as bigints where they are above 2^53. */
export type Histogram = ArrayLike<number | bigint>;

export interface RankedCounts {
  /** The candidates by descending count; fewer than asked for if the histogram is shorter. */
  readonly indices: readonly number[];
  /** Their counts, in that order. */
  readonly counts: readonly (number | bigint)[];
}

/** The first `places` candidates by count. Throws if one of them is no count, without a word on which or what. */
export function largestCounts(histogram: Histogram, places: number): RankedCounts {
  const held = holdCounts(histogram);
  const indices = new CountScan(held, places).ranked().slice(0, places);
  return { indices, counts: indices.map((index) => held[index]) };
}

/** A histogram that does not change while it is read, as scores are held still. */
export function holdCounts(histogram: Histogram): Histogram {
  return heldStill(histogram, "histogram", invalidCount);
}

/** How many counts are converted at once: 32 KiB of doubles, so that they stay in the first cache. */
const BLOCK = 4096;
/** How many are read at once where they are doubles already. */
const LARGE_BLOCK = 131_072;
/** Entries beyond what is asked for, so that quickselect has something to drop. */
const SLACK = 64;

class CountScan {
  readonly #histogram: Histogram;
  readonly #places: number;
  readonly #scratch: Float64Array;
  /** The candidates that may be among the first, in ascending order, with their counts to the nearest double. */
  #indices: Float64Array;
  #counts: Float64Array;
  #held = 0;
  /** Whoever is not above this has at least `places` others before it. */
  #cut: number;

  constructor(histogram: Histogram, places: number) {
    this.#histogram = histogram;
    this.#places = places;
    this.#scratch = new Float64Array(histogram instanceof Float64Array ? 0 : BLOCK);
    const room = 2 * Math.min(places, histogram.length) + SLACK;
    this.#indices = new Float64Array(room);
    this.#counts = new Float64Array(room);
    this.#cut = this.#firstCut();
    for (let start = 0; start < histogram.length; ) {
      const block = this.#block(start);
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

  /** The counts from `start` on to the nearest double, NaN for what is no number at all. */
  #block(start: number): Float64Array {
    const histogram = this.#histogram;
    if (histogram instanceof Float64Array) return histogram.subarray(start, start + LARGE_BLOCK);
    const end = Math.min(start + BLOCK, histogram.length);
    const block = this.#scratch.subarray(0, end - start);
    if (isNumeric(histogram)) block.set(histogram.subarray(start, end));
    else for (let index = start; index < end; index++) block[index - start] = toDouble(histogram[index]);
    return block;
  }

  /**
   * Eight counts are compared at a time. `<=` is false for NaN and +∞, and integers ≥ 0 add up to such an integer. That is
   * no complete check, but whoever is not above the cut decides nothing; all others are checked one by one.
   */
  #scan(block: Float64Array, start: number): void {
    let cut = Math.min(this.#cut, Number.MAX_SAFE_INTEGER);
    let sum = 0;
    let otherSum = 0; // two sums, so that an addition does not wait for the one before
    const wholes = block.length - (block.length % 8);
    for (let i = 0; i < wholes; i += 8) {
      const a = block[i];
      const b = block[i + 1];
      const c = block[i + 2];
      const d = block[i + 3];
      const e = block[i + 4];
      const f = block[i + 5];
      const g = block[i + 6];
      const h = block[i + 7];
      if (a <= cut && b <= cut && c <= cut && d <= cut && e <= cut && f <= cut && g <= cut && h <= cut) {
        sum += a + b + (c + d);
        otherSum += e + f + (g + h);
      } else {
        this.#hold(block, i, i + 8, start);
        cut = Math.min(this.#cut, Number.MAX_SAFE_INTEGER);
      }
    }
    this.#hold(block, wholes, block.length, start);
    const total = sum + otherSum;
    if (total >= 0 && Math.floor(total) === total) return;
    for (let i = 0; i < block.length; i++) this.#check(block[i], start + i);
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
    if (2 * kept > this.#counts.length) this.#enlarge();
  }

  #countAbove(level: number): number {
    let above = 0;
    for (let i = 0; i < this.#held; i++) if (this.#counts[i] > level) above++;
    return above;
  }

  #enlarge(): void {
    const [indices, counts] = [this.#indices, this.#counts];
    this.#indices = new Float64Array(2 * indices.length);
    this.#counts = new Float64Array(2 * counts.length);
    this.#indices.set(indices);
    this.#counts.set(counts);
  }

  /** Below the `places`-th largest of a strided sample: ascending counts then cost little more than others. */
  #firstCut(): number {
    const { length } = this.#histogram;
    const size = Math.min(16 * this.#places + 1024, Math.max(4 * this.#places, length >>> 6));
    if (size > length >>> 3) return -1; // a sample would cost more than it saves
    const stride = Math.floor(length / size);
    const sample = new Float64Array(size);
    for (let i = 0; i < size; i++) sample[i] = toDouble(this.#histogram[i * stride]);
    const level = nthLargest(sample, size, this.#places);
    return level <= Number.MAX_SAFE_INTEGER ? level - 1 : -1;
  }
}

function toDouble(count: unknown): number {
  return typeof count === "number" || typeof count === "bigint" ? Number(count) : Number.NaN;
}

/** The refusal of a count, which says nothing about it: counts are private. */
function invalidCount(): WinnowError {
  const expected = "integers >= 0 throughout (bigints above 2^53)";
  return new WinnowError("invalid-score", `histogram must be ${expected}`, {
    field: "histogram",
    expected,
  });
}
