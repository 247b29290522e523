/**
 * The one loop that touches every score of an array: which of them are not far below the cut, and is each finite? It
 * draws nothing, so a bad score is refused before the first random bit. The `places`-th largest score so far raises
 * the threshold on the way, so that the list stays short in any order of the scores.
 * @module
 */
import { nthLargest } from "./nth-largest.js";
import { invalidScore, type ScoreReader } from "./scores.js";

/** The list is as long as so many times the places before it is shortened to half of that. */
const LONG = 8;

/** Room at first. */
const SHORT = 2048;

/** How many zero bits at the start of U a threshold may rely on. */
export interface ZerosRange {
  readonly least: number;
  readonly most: number;
}

/** How far below a level a score may be and still matter: a threshold for each number of zero bits that U starts with. */
export type Threshold = (level: number, zeros: number) => number;

export class NearScores {
  /** The listed indices, ascending, and how many they are. */
  indices: Float64Array<ArrayBuffer>;
  count = 0;
  /** Exactly the scores that are not below this are listed. */
  threshold: number;
  /** So many scores as there are places are known to be at least this. */
  level = -Infinity;
  readonly #places: number;
  readonly #thresholdAt: Threshold;
  readonly #zeros: ZerosRange;
  #scores: Float64Array<ArrayBuffer>;
  /** When the list is this long, it is time to look for a higher threshold. */
  #full: number;

  /** Lists the scores from a threshold on, at first this one. Throws if any score is not finite. */
  constructor(
    scores: ScoreReader,
    places: number,
    threshold: number,
    zeros: ZerosRange,
    thresholdAt: Threshold,
  ) {
    this.threshold = threshold;
    this.indices = new Float64Array(Math.min(SHORT, scores.length + 8));
    this.#scores = new Float64Array(this.indices.length);
    this.#places = places;
    this.#thresholdAt = thresholdAt;
    this.#zeros = zeros;
    this.#full = LONG * places;
    for (let start = 0; start < scores.length; ) {
      const block = scores.block(start);
      this.#read(block, start);
      start += block.length;
    }
    if (this.count > 0.75 * LONG * places) this.#raise(); // else it is hardly worth the while
  }

  /**
   * Eight scores are compared at a time; `<` is false for NaN and +∞. One of −∞ is below the threshold, and makes the sum of
   * the block −∞; so do numbers that are astronomical, and a second look tells.
   */
  #read(block: Float64Array, start: number): void {
    let threshold = this.threshold;
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
      const fourFar = a < threshold && b < threshold && c < threshold && d < threshold;
      if (fourFar && e < threshold && f < threshold && g < threshold && h < threshold) {
        sum += a + b + (c + d);
        otherSum += e + f + (g + h);
      } else {
        this.#list(block, i, i + 8, start);
        threshold = this.threshold;
      }
    }
    this.#list(block, wholes, block.length, start);
    if (!(sum + otherSum > -Infinity)) refuseInfinite(block);
  }

  #list(block: Float64Array, from: number, to: number, start: number): void {
    if (this.count + 8 > this.indices.length) this.#makeRoom();
    for (let i = from; i < to; i++) {
      const score = block[i];
      if (score - score !== 0) throw invalidScore(); // not finite
      if (score < this.threshold) continue;
      this.#scores[this.count] = score;
      this.indices[this.count++] = start + i;
    }
    if (this.count >= this.#full) this.#raise();
  }

  /** Moves the threshold up to what the listed scores allow, or half of them, and drops those below. */
  #raise(): void {
    const sorted = this.#scores.slice(0, this.count);
    this.level = nthLargest(sorted, this.count, this.#places);
    const enough = nthLargest(sorted, this.count, Math.min((LONG / 2) * this.#places, this.count));
    // As many zeros as leave about that many listed: where scores are sparse, the coins for the others can be rare.
    const zone = this.level - this.#thresholdAt(this.level, 1);
    const fitting = Math.floor((this.level - enough) / zone);
    const zeros = fitting > this.#zeros.least ? Math.min(fitting, this.#zeros.most) : this.#zeros.least;
    const threshold = this.#thresholdAt(this.level, zeros);
    if (threshold > this.threshold) this.threshold = threshold; // and not if it is not a number
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.#scores[i] < this.threshold) continue;
      this.#scores[kept] = this.#scores[i];
      this.indices[kept++] = this.indices[i];
    }
    this.count = kept;
    this.#full = Math.max(LONG * this.#places, 2 * kept);
  }

  /** The `places`-th largest of all scores; −∞ if there are fewer. */
  nthLargest(): number {
    if (this.count < this.#places) return -Infinity;
    return nthLargest(this.#scores.slice(0, this.count), this.count, this.#places);
  }

  #makeRoom(): void {
    this.indices = enlarged(this.indices, this.count);
    this.#scores = enlarged(this.#scores, this.count);
  }
}

function refuseInfinite(block: Float64Array): void {
  if (!block.every((score) => Number.isFinite(score))) throw invalidScore();
}

function enlarged(values: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length + 8);
  larger.set(values.subarray(0, count));
  return larger;
}
