/**
 * Where to put the cut before the first candidate enters, guessed from a few hundred scores. With a good first cut
 * nearly every candidate is far below it and costs a comparison. A cut that turns out too high is noticed and repaired
 * exactly (`ArrayRace`), so the arithmetic here steers only time, never the law.
 * @module
 */
import { nthLargest } from "./nth-largest.js";
import type { ScoreReader } from "./scores.js";

export interface FirstCut {
  /** In steps of the reader's grid. */
  readonly cut: number;
  /** How many leading zeros of U are drawn for many candidates at once. */
  readonly zeros: number;
}

const SMALLEST_LENGTH = 512;
const SMALL_SAMPLE = 256;
/** The expected number of survivors exceeds the places by so many standard deviations. */
const DEVIATIONS = 5;
const MOST_ZEROS = 20;
const LN_2 = 0.69;

/** A first cut for the `places` best of these scores at a noise scale in steps; −∞ if there are few scores. */
export function firstCut(scores: ScoreReader, places: number, { scale, depth }: NoiseSize): FirstCut {
  if (scores.length < SMALLEST_LENGTH || scores.length < 8 * places) return { cut: -Infinity, zeros: 1 };
  const many = sampleOf(scores, Math.max(SMALL_SAMPLE, 2 * places));
  // So many scores are known to be at least the level; only very low noise brings one of them below this.
  const known = nthLargest(many, many.length, places) - depth * scale;
  const sample = sampleOf(scores, SMALL_SAMPLE);
  const weight = scores.length / sample.length;
  const largest = nthLargest(sample, sample.length, 1);
  if (!(largest - known < Infinity)) return { cut: -Infinity, zeros: 1 }; // the check of the scores will tell
  const cut = highestCut(sample, scale, known, (expected, squares) => {
    // The sample's own chances count squared: one giant in it must not speak for many.
    const excess = weight * expected - places;
    const variance = weight * weight * squares + weight * expected;
    return excess > 0 && excess * excess >= DEVIATIONS * DEVIATIONS * variance;
  });
  const levelToCome = nthLargest(sample, sample.length, Math.ceil(places / weight));
  return { cut, zeros: bestZeros(sample, weight, scale, Math.max(cut, levelToCome)) };
}

/** The scale of the noise in steps, and how many scales it may be below 0. */
export interface NoiseSize {
  readonly scale: number;
  readonly depth: number;
}

/** Every so many-th score, in steps. */
function sampleOf(scores: ScoreReader, size: number): Float64Array {
  const stride = Math.floor(scores.length / size);
  const perUnit = Number(scores.perUnit);
  const sample = new Float64Array(size);
  for (let i = 0; i < size; i++) sample[i] = scores.at(i * stride + (stride >> 1)) * perUnit;
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
  for (let isGrowing = true; step >= scale / 4; step = isGrowing ? 2 * step : step / 2) {
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

/** Balances the candidates near the cut against those far below whose U starts with that many zeros. */
function bestZeros(sample: Float64Array, weight: number, scale: number, cut: number): number {
  const nearFrom = new Float64Array(MOST_ZEROS + 2); // [z] counts those that are near for z zeros and not for fewer
  for (let i = 0; i < sample.length; i++) {
    const zeros = Math.ceil(Math.max(cut - sample[i], 0) / (LN_2 * scale));
    nearFrom[Math.min(zeros, MOST_ZEROS + 1)] += weight;
  }
  let best = 1;
  let bestCost = Infinity;
  let near = nearFrom[0];
  let chosen = weight * sample.length;
  for (let zeros = 1; zeros <= MOST_ZEROS; zeros++) {
    near += nearFrom[zeros];
    chosen /= 2;
    if (near + chosen >= bestCost) continue;
    best = zeros;
    bestCost = near + chosen;
  }
  return best;
}
