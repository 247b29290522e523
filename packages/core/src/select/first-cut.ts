/**
 * Where to put the cut before the first candidate enters, guessed from a few hundred scores. With a good first cut
 * nearly every candidate is far below it and costs a comparison. A cut that turns out too high is noticed and repaired
 * exactly (`ArrayRace`), so the arithmetic here steers only time, never the law.
 * @module
 */
import { nthLargest } from "./nth-largest.js";
import type { ScoreReader } from "./scores.js";

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
export interface NoiseSize {
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
  const a = 1 - x / 64;
  const b = a * a;
  const c = b * b;
  const d = c * c;
  const e = d * d;
  const f = e * e;
  return f * f;
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
