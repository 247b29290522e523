/**
 * Where to put the cut before the first candidate enters, guessed from a few hundred scores. With a good first cut
 * nearly every candidate is far below it and costs a comparison. A cut that turns out too high is noticed and repaired
 * exactly (`raceOverArray`), so the arithmetic here steers only time, never the law.
 * @module
 */

import { fastLn } from "../exact/fast-ln.js";
import type { ScoreReader } from "./scores.js";
import { sortNumbers } from "./sort-numbers.js";

export interface FirstCut {
  readonly cut: number;
  /** How many leading zeros of U are drawn for many candidates at once, at least 1. */
  readonly zeros: number;
  /** About where the scores are that matter; undefined if nothing is known. */
  readonly level?: number;
}

interface Circumstances {
  /** The scale of the noise, and how many scales it may be below 0. */
  readonly scale: number;
  readonly depth: number;
  /** A cut that is certain. */
  readonly floor?: number;
}

const SMALLEST_LENGTH = 512;

const SMALL_SAMPLE = 256;

const LARGE_SAMPLE = 512;

export const MOST_ZEROS = 20;

const LN_2 = 0.69;

/** How much more a candidate costs that the coins choose than one that is listed as near; it may be dropped again. */
const COST_OF_CHOSEN = 2;

/** Safety margin for estimates, in standard deviations. */
const DEVIATIONS = 3.5;

/** How often the first cut is improved. */
const TURNS = 4;

/** 2^12: logarithms are of integers. */
const GRID = 4096;

/**
 * A first cut for the `places` best of these scores at a noise scale; −∞ if there are few scores. A score s reaches it with
 * probability e^−x for x = (cut − s)/scale; of the scores that the sample stands for, enough must be expected to.
 */
export function firstCut(
  scores: ScoreReader,
  places: number,
  { scale, depth, floor = -Infinity }: Circumstances,
): FirstCut {
  const { length } = scores;
  if (length < SMALLEST_LENGTH || length < 8 * places) return { cut: floor, zeros: 1 };
  const fitting = Math.min(Math.max(SMALL_SAMPLE, places), LARGE_SAMPLE, length >> 1);
  const size = floor > -Infinity ? fitting >> 2 : fitting; // less is to be learnt
  const sample = new Float64Array(size);
  for (let i = 0; i < size; i++) sample[i] = scores.at(Math.floor(((i + 0.5) * length) / size));
  sortNumbers(sample);
  // At least `places` scores of the sample reach the level, or all of a smaller sample; only very low noise brings one of them below this.
  const level = sample[Math.max(size - places, 0)];
  let cut = Math.max(level - depth * scale, floor);
  const enough = places + DEVIATIONS * Math.sqrt(places) + 8;
  // At least as many scores as are enough are from here on; with those below, and noise, the cut can be higher.
  const few = (enough * size) / length;
  const rank = Math.min(Math.ceil(few + DEVIATIONS * (DEVIATIONS + Math.sqrt(few))), size);
  cut = Math.max(cut, sample[size - rank]);
  for (let turn = 0; turn < TURNS; turn++) {
    const share = Math.floor((GRID * survivors(sample, scale, cut)) / few);
    if (share > GRID) cut += scale * (fastLn(share) - fastLn(GRID));
  }
  return { cut, zeros: bestZeros(sample, length, places, scale, cut), level };
}

/**
 * How many keys of a sorted sample are expected to reach a cut, less some deviations. High scores are few, and tell little of
 * how many others are as high: all those above some level count as if they were there, and the best such level is taken.
 */
function survivors(sample: Float64Array, scale: number, cut: number): number {
  let [best, sum, squares] = [0, 0, 0];
  for (let left = sample.length, step = 0; left > 0; left -= step) {
    const chance = expMinus((cut - sample[sample.length - left]) / scale);
    const all = sum + left * chance;
    const variance = squares + left * chance * chance - (all * all) / sample.length;
    best = Math.max(best, all - DEVIATIONS * Math.sqrt(Math.max(variance, 0)));
    step = 1 + (left >> 3);
    sum += step * chance;
    squares += step * chance * chance;
  }
  return best;
}

/** About e^−x, at most 1. */
function expMinus(x: number): number {
  let power = x > 0 ? 1 / (1 + x / 1024) : 1;
  for (let doublings = 0; doublings < 10; doublings++) power *= power;
  return power;
}

/** Balances the candidates near the cut against those far below whose U starts with that many zeros. */
function bestZeros(sample: Float64Array, length: number, places: number, scale: number, cut: number): number {
  let [best, bestCost, far, chosen] = [1, Infinity, sample.length, length];
  for (let zeros = 1; zeros <= MOST_ZEROS && chosen > places; zeros++) {
    while (far > 0 && sample[far - 1] >= cut - zeros * LN_2 * scale) far--;
    chosen /= 2;
    const cost = length * (1 - far / sample.length) + COST_OF_CHOSEN * chosen;
    if (cost < bestCost) [best, bestCost] = [zeros, cost];
  }
  return best;
}
