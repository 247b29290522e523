/**
 * Two attacks on sparse vector in doubles, which the published variants with exact noise do not show. UNSAFE, for study only.
 *
 * Counts beyond 2^53. The victim turns an exact count into a double and adds noise there. From 2^57 on doubles are 32 apart: 2^57 + 16
 * becomes 2^57 and 2^57 + 17 becomes 2^57 + 32, so one person moves the query by 32, and noise below 16 vanishes in both the
 * query and the threshold. Bytes, nanoseconds and amounts in the smallest unit of a currency are as large as that.
 *
 * Bounded noise, which [Ilv20, §6] names as a danger of sparse vector. The victim cuts noise off, as samplers in fixed point and tables
 * do. "Below" is free, so the adversary asks one query again and again: its largest noise, the bound, is then reached for certain, and it
 * is as if the queries had no noise. Here the bound is three scales, and 200 questions reach it; a wider one needs more questions.
 * @module
 */
import { AboveThreshold, type Entropy } from "winnow-dp";
import { defineAttack, type World } from "./attack.js";
import { floatLaplace } from "./float-noise.js";

/** UNSAFE: Laplace noise in doubles. Word 0, whose noise is infinite, is taken for the next. */
function noise(scale: number, entropy: Entropy): number {
  return floatLaplace(Math.max(entropy.bits(32), 1), scale);
}

/** The scales of sparse vector with one answer at ε = 1. */
const [THRESHOLD_SCALE, QUERY_SCALE] = [2, 4];

/** Halfway between two doubles, where the even one is taken, and one more. */
const HALFWAY = 2n ** 57n + 16n;
const LARGE_COUNTS = [HALFWAY, HALFWAY + 1n];
/** The double above. */
const LARGE_THRESHOLD = 2n ** 57n + 32n;

export const roundedQueries = defineAttack({
  id: "rounded-queries",
  title: "Sparse vector over counts beyond 2^53",
  mistake: "turns exact counts into doubles before it adds noise",
  trick: "asks for a count halfway between two doubles, with the upper one as the threshold",
  defence: "counts are read as exact integers, and noise is added to them as an integer",
  source: "[Ilv20, §6], sparse vector in floating point",
  epsilon: 1,
  rounds: 1000,
  textbook: {
    name: "sparse vector in doubles",
    prepare: () => (world, entropy) => {
      const threshold = Number(LARGE_THRESHOLD) + noise(THRESHOLD_SCALE, entropy);
      return Number(LARGE_COUNTS[world]) + noise(QUERY_SCALE, entropy) >= threshold ? 1 : 0;
    },
  },
  ours: {
    name: "AboveThreshold",
    prepare: () => (world, entropy) => {
      const stream = new AboveThreshold({ epsilon: 1, entropy });
      return stream.push(LARGE_COUNTS[world], LARGE_THRESHOLD).above ? 1 : 0;
    },
  },
});

/** Noise is cut off here, in scales. */
const BOUND = 3;
/** How often each query is asked: all of them miss the bound with probability (1 − e^−3/2)^200 = 0.6 %. */
const ASKED = 200;
/** The thresholds begin where the first answer above is still unlikely, and end where it is certain. */
const [HIGHEST, LOWEST] = [BOUND * QUERY_SCALE + 12, -40];
/** Alice moves the first query up and the second one down. */
const PAIRS = [
  [0, 1],
  [1, 0],
];

export const boundedNoise = defineAttack({
  id: "bounded-noise",
  title: "Sparse vector with bounded noise",
  mistake: "cuts the noise of queries off at three scales",
  trick: "asks two queries again and again at falling thresholds: which of them is above first?",
  defence: "noise has no bound, so that asking again never reaches one",
  source: "[Ilv20, §6], bounded noise in sparse vector",
  epsilon: 1,
  rounds: 400,
  textbook: {
    name: "sparse vector with clamped Laplace noise",
    prepare: () => (world, entropy) => {
      const shift = noise(THRESHOLD_SCALE, entropy);
      const most = BOUND * QUERY_SCALE;
      return firstAbove(world, (value, threshold) => {
        const bounded = Math.min(Math.max(noise(QUERY_SCALE, entropy), -most), most);
        return value + bounded >= threshold + shift;
      });
    },
  },
  ours: {
    name: "AboveThreshold",
    prepare: () => (world, entropy) => {
      const stream = new AboveThreshold({ epsilon: 1, entropy });
      return firstAbove(world, (value, threshold) => stream.push(value, threshold).above);
    },
  },
});

function firstAbove(world: World, isAbove: (value: number, threshold: number) => boolean): World {
  const [first, second] = PAIRS[world];
  for (let threshold = HIGHEST; threshold >= LOWEST; threshold--)
    for (let i = 0; i < ASKED; i++) {
      if (isAbove(first, threshold)) return 1;
      if (isAbove(second, threshold)) return 0;
    }
  return 0;
}
