/**
 * Scores in falling order, for a mechanism whose law is a sum over positions: the score at a position, and the candidate
 * there. Among equal scores the earlier candidate comes first; the law doesn't depend on that.
 *
 * Only the scores near the first places are sorted. The others follow if someone asks for them.
 *
 * Cost: one pass and a native sort of the near scores. Candidates are looked up in one more pass when they are asked for.
 * @module
 */
import { type Rational, rational } from "../exact/rational.js";
import { nthLargest } from "../race/nth-largest.js";
import { invalidScore, type ScoreReader } from "../race/scores.js";
import { sortNumbers } from "../race/sort-numbers.js";

/** A difference of two doubles differs from that of the scores by less than this share of both, 2^−49. */
export const SHARE_LOST = 1 / 0x2_0000_0000_0000;

export class RankedScores {
  /** How many positions there are. */
  readonly length: number;
  readonly #reader: ScoreReader;
  /** The score of each candidate, to the nearest double. */
  readonly #doubles: Float64Array;
  /** Those that are sorted, ascending. */
  #sorted: Float64Array;
  /** All candidates in order, if doubles don't tell it: above 2^53 one double stands for several bigints. */
  readonly #order: readonly number[] | undefined;

  /** Sorts the `places` largest scores, and all others that may be less than `reach` below the last of them. */
  constructor(reader: ScoreReader, places: number, reach: number) {
    this.length = reader.length;
    this.#reader = reader;
    this.#doubles = new Float64Array(this.length);
    for (let start = 0; start < this.length; ) {
      const block = reader.block(start);
      this.#doubles.set(block, start);
      start += block.length;
    }
    if (!this.#doubles.every(Number.isFinite)) throw invalidScore();
    const last = nthLargest(this.#doubles.slice(), this.length, places);
    const isNear = (score: number) => last - score - (Math.abs(last) + Math.abs(score)) * SHARE_LOST < reach;
    this.#sorted = reach === Infinity ? this.#doubles.slice() : this.#doubles.filter(isNear);
    sortNumbers(this.#sorted);
    const isLarge = (score: number) => Math.abs(score) > Number.MAX_SAFE_INTEGER;
    this.#order = this.#doubles.some(isLarge) ? this.#exactOrder() : undefined;
  }

  /** How many positions are sorted. The score at every later one is at least `reach` below that of the last place. */
  get sortedLength(): number {
    return this.#sorted.length;
  }

  /** The score at a position, counted from 0, to the nearest double. */
  at(position: number): number {
    if (position >= this.#sorted.length) this.#sorted = sortNumbers(this.#doubles.slice());
    return this.#sorted[this.#sorted.length - 1 - position];
  }

  /** The score at a position, exactly. */
  exact(position: number): Rational {
    return rational(
      this.#order === undefined ? this.at(position) : this.#reader.exact(this.#order[position]),
    );
  }

  /** The candidates at some positions. */
  candidates(positions: readonly number[]): number[] {
    const order = this.#order;
    if (order !== undefined) return positions.map((position) => order[position]);
    const tied = new Map(positions.map((position) => [this.at(position), [] as number[]]));
    const least = [...tied.keys()].reduce((a, b) => Math.min(a, b), Infinity);
    this.#doubles.forEach((score, index) => {
      if (score >= least) tied.get(score)?.push(index);
    });
    return positions.map((position) => {
      const score = this.at(position);
      return (tied.get(score) as number[])[position - this.#above(score)];
    });
  }

  /** How many of the sorted scores are above this one. */
  #above(score: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle] > score) high = middle;
      else low = middle + 1;
    }
    return this.#sorted.length - low;
  }

  #exactOrder(): number[] {
    const doubles = this.#doubles;
    const exact = Array.from(doubles, (_, index) => rational(this.#reader.exact(index)));
    return Array.from(doubles, (_, index) => index).sort(
      (a, b) => doubles[b] - doubles[a] || exact[b].compare(exact[a]) || a - b,
    );
  }
}
