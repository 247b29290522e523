/**
 * The one loop that touches every score of an array: which of them are not far below the cut, and is each finite? It
 * draws nothing, so a bad score is refused before the first random bit. The `places`-th largest score so far raises
 * the threshold on the way, so that the list stays short in any order of the scores.
 * @module
 */
import { enlarged, nthLargest } from "./pool.js";
import { invalidScore, type ScoreReader } from "./scores.js";

/** The list is as long as so many times the places before it is shortened to half of that. */
const LONG = 8;

/** Room at first. */
const SHORT = 2048;

/** How many zero bits at the start of U a threshold may rely on. */
interface ZerosRange {
  readonly least: number;
  readonly most: number;
}

/** How far below a level a score may be and still matter: a threshold for each number of zero bits that U starts with. */
type Threshold = (level: number, zeros: number) => number;

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
    if (this.count + 8 > this.indices.length) {
      this.indices = enlarged(this.indices);
      this.#scores = enlarged(this.#scores);
    }
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
}

function refuseInfinite(block: Float64Array): void {
  if (!block.every((score) => Number.isFinite(score))) throw invalidScore();
}

/*
 * Where to put the cut before the first candidate enters, guessed from a few hundred scores. With a good first cut
 * nearly every candidate is far below it and costs a comparison. A cut that turns out too high is noticed and repaired
 * exactly (`ArrayRace`), so the arithmetic here steers only time, never the law.
 */

export interface FirstCut {
  readonly cut: number;
  /** How many leading zeros of U are drawn for many candidates at once, at least 1. */
  readonly zeros: number;
  /** So many scores as there are places are at least this; undefined if nothing is known. */
  readonly level?: number;
}

const SMALLEST_LENGTH = 512;
const SMALL_SAMPLE = 256;
const LARGE_SAMPLE = 1024;
/** A candidate that the coins choose costs so much more than one that is listed as near, and may be dropped again. */
const COST_OF_CHOSEN = 2;
/** The expected number of survivors exceeds the places by so many standard deviations. */
const DEVIATIONS = 3.5;
const MOST_ZEROS = 20;
const LN_2 = 0.69;

/** A first cut for the `places` best of these scores at a noise scale; −∞ if there are few scores. */
export function firstCut(scores: ScoreReader, places: number, { scale, depth }: NoiseSize): FirstCut {
  if (scores.length < SMALLEST_LENGTH || scores.length < 8 * places) return { cut: -Infinity, zeros: 1 };
  const many = sampleOf(scores, Math.min(Math.max(LARGE_SAMPLE, 2 * places), scores.length >> 2));
  // So many scores are known to be at least the level; only very low noise brings one of them below this.
  const level = nthLargest(many, many.length, places);
  const known = level - depth * scale;
  const sample = sampleOf(scores, Math.min(Math.max(SMALL_SAMPLE, places), LARGE_SAMPLE));
  const weight = scores.length / sample.length;
  if (!Number.isFinite(known + nthLargest(sample, sample.length, 1)))
    return { cut: -Infinity, zeros: 1, level };
  const cut = highestCut(sample, scale, known, (expected, squares) => {
    // The sample's own chances count squared: one giant in it must not speak for many.
    const excess = weight * expected - places;
    const variance = weight * weight * squares + weight * expected;
    return excess > 0 && excess * excess >= DEVIATIONS * DEVIATIONS * variance;
  });
  return { cut, zeros: bestZeros(sample, weight, places, scale, cut), level };
}

/** The scale of the noise, and how many scales it may be below 0. */
interface NoiseSize {
  readonly scale: number;
  readonly depth: number;
}

/** Every so many-th score. */
function sampleOf(scores: ScoreReader, size: number): Float64Array {
  const stride = Math.floor(scores.length / size);
  const sample = new Float64Array(size);
  for (let i = 0; i < size; i++) sample[i] = scores.at(i * stride + (stride >> 1));
  return sample;
}

/** A high cut from `low` on such that enough of the sample is expected to survive it: by steps of growing size, then bisection. */
function highestCut(
  sample: Float64Array,
  scale: number,
  low: number,
  isEnough: (expected: number, squares: number) => boolean,
): number {
  let known = low;
  let step = scale;
  for (let isGrowing = true; step >= scale / 32 && step < Infinity; step = isGrowing ? 2 * step : step / 2) {
    let expected = 0; // the sum of the chances to survive the cut
    let squares = 0;
    for (let i = 0; i < sample.length; i++) {
      const chance = fadingExp((known + step - sample[i]) / scale);
      expected += chance;
      squares += chance * chance;
    }
    if (isEnough(expected, squares)) known += step;
    else isGrowing = false;
  }
  return known;
}

/** About e^−x and never above it, by (1 − x/64)^64. */
function fadingExp(x: number): number {
  if (x >= 24) return 0;
  if (x <= 0) return 1;
  let power = 1 - x / 64;
  for (let squarings = 0; squarings < 6; squarings++) power *= power;
  return power;
}

/**
 * Balances the candidates near the cut against those far below whose U starts with that many zeros, which need not be
 * fewer than there are places.
 */
function bestZeros(sample: Float64Array, weight: number, places: number, scale: number, cut: number): number {
  const nearFrom = new Float64Array(MOST_ZEROS + 2); // [z] counts those that are near for z zeros and not for fewer
  for (let i = 0; i < sample.length; i++) {
    const zeros = Math.ceil(Math.max(cut - sample[i], 0) / (LN_2 * scale));
    nearFrom[Math.min(zeros, MOST_ZEROS + 1)] += weight;
  }
  let best = 1;
  let bestCost = Infinity;
  let near = nearFrom[0];
  let chosen = weight * sample.length;
  for (let zeros = 1; zeros <= MOST_ZEROS && chosen > places; zeros++) {
    near += nearFrom[zeros];
    chosen /= 2;
    const cost = near + COST_OF_CHOSEN * chosen;
    if (cost >= bestCost) continue;
    best = zeros;
    bestCost = cost;
  }
  return best;
}
