/**
 * The one loop that touches every score of an array: which of them are not far below the cut, and is each finite? It
 * draws nothing, so a bad score is refused before the first random bit. The `places`-th largest score so far raises
 * the threshold on the way, so that the list stays short in any order of the scores.
 * @module
 */
import { nthLargest } from "./nth-largest.js";
import { BLOCK, invalidScore, type ScoreReader } from "./scores.js";

export class NearScores {
  /** The listed indices, ascending, and how many they are. */
  indices = new Float64Array(2 * BLOCK);
  count = 0;
  /** Every score that is not below this is listed. */
  threshold: number;
  readonly #places: number;
  readonly #thresholdAt: (level: number) => number;
  #scores = new Float64Array(2 * BLOCK);
  /** When the list is this long, it is time to look for a higher threshold. */
  #full: number;

  /**
   * Lists all scores from the threshold on. Throws if any score is not finite. `thresholdAt` gives the threshold for when
   * `places` scores are known to be at least `level`; it never falls.
   */
  constructor(
    scores: ScoreReader,
    places: number,
    threshold: number,
    thresholdAt: (level: number) => number,
  ) {
    this.threshold = threshold;
    this.#places = places;
    this.#thresholdAt = thresholdAt;
    this.#full = 4 * places;
    for (let start = 0; start < scores.length; start += BLOCK) {
      this.#makeRoom();
      this.#read(scores.block(start), start);
    }
    this.#raise();
  }

  /**
   * Eight scores are compared at a time. `<` is false for NaN and +∞, and the sum of eight numbers below the threshold is
   * −∞ only if one of them is, or if they are astronomical.
   */
  #read(block: Float64Array, start: number): void {
    let threshold = this.threshold;
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
      const fourFar = a < threshold && b < threshold && c < threshold && d < threshold;
      if (fourFar && e < threshold && f < threshold && g < threshold && h < threshold) {
        if (a + b + (c + d) + (e + f + (g + h)) !== -Infinity) continue;
      }
      this.#list(block, i, i + 8, start);
      threshold = this.threshold;
    }
    this.#list(block, wholes, block.length, start);
  }

  #list(block: Float64Array, from: number, to: number, start: number): void {
    for (let i = from; i < to; i++) {
      const score = block[i];
      if (score - score !== 0) throw invalidScore(); // not finite
      if (score < this.threshold) continue;
      this.#scores[this.count] = score;
      this.indices[this.count++] = start + i;
    }
    if (this.count >= this.#full) this.#raise();
  }

  /** Moves the threshold up to what the listed scores allow and drops those below. */
  #raise(): void {
    if (this.count >= this.#places) {
      const level = nthLargest(this.#scores.slice(0, this.count), this.count, this.#places);
      this.threshold = this.#thresholdAt(level);
    }
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.#scores[i] < this.threshold) continue;
      this.#scores[kept] = this.#scores[i];
      this.indices[kept++] = this.indices[i];
    }
    this.count = kept;
    this.#full = Math.max(4 * this.#places, 2 * kept);
  }

  /** Room for another block. */
  #makeRoom(): void {
    if (this.count + BLOCK <= this.indices.length) return;
    this.indices = enlarged(this.indices, this.count);
    this.#scores = enlarged(this.#scores, this.count);
  }
}

function enlarged(values: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values.subarray(0, count));
  return larger;
}
