/**
 * Three published variants of sparse vector that promise ε = 1 and do not keep it [LSL17]. Their noise is exact here, so that
 * nothing else is wrong with them.
 *
 * Without noise on queries [LSL17, Alg 5]: once the noisy threshold is fixed, the larger of two queries is above first as
 * thresholds fall, and one person decides which of them is larger.
 *
 * With noise that does not grow with the number of answers above [LSL17, Alg 4]: fifty of them tell as much as fifty
 * answers of a query with noise for one. (Of a fourth variant, Alg 3, which releases the noisy value, only rare outcomes lose too much;
 * a test has its exact figures.)
 *
 * Without a limit on answers above [LSL17, Alg 6]: every answer tells a little, and all of them together tell the values.
 * @module
 */
import { AboveThreshold, type Entropy } from "winnow-dp";
import { discreteLaplace } from "winnow-dp/sample";
import { defineAttack, type World } from "./attack.js";

/** Alice is counted by the second query or by the first: she was replaced, so one value rises and the other falls. */
const PAIRS = [
  [0, 1],
  [1, 0],
];

/** Laplace noise of scale 2 on integers in hundredths. */
const HUNDREDTHS = 100;

function noise(entropy: Entropy, scale = 2): number {
  return Number(discreteLaplace(Math.round(scale * HUNDREDTHS), entropy)) / HUNDREDTHS;
}

/** Thresholds fall by 1 until one of the two queries is above: in world 0 that is the second, in world 1 the first. */
const HIGHEST = 40;

function sweep(values: readonly number[], isAbove: (value: number, threshold: number) => boolean): World {
  for (let threshold = HIGHEST; threshold >= -HIGHEST; threshold--) {
    if (isAbove(values[0], threshold)) return 1;
    if (isAbove(values[1], threshold)) return 0;
  }
  return 0;
}

export const queriesWithoutNoise = defineAttack({
  id: "queries-without-noise",
  title: "Sparse vector without noise on queries",
  mistake: "adds noise to the threshold only",
  trick:
    "asks two queries that one person moves in opposite directions at falling thresholds: which is above first?",
  defence: "every query has noise of its own, and the loss of each answer above is counted",
  source: "[LSL17, Alg 5]",
  epsilon: 1,
  rounds: 1000,
  textbook: {
    name: "a noisy threshold and exact queries",
    prepare: () => (world, entropy) => {
      const shift = noise(entropy);
      return sweep(PAIRS[world], (value, threshold) => value >= threshold + shift);
    },
  },
  ours: {
    name: "AboveThreshold",
    prepare: () => (world, entropy) => {
      const stream = new AboveThreshold({ epsilon: 1, entropy });
      return sweep(PAIRS[world], (value, threshold) => stream.push(value, threshold).above);
    },
  },
});

/** Queries in each half. */
const EACH = 200;

/** Values of the first and of the second half. */
const HALVES = [
  [0, 0],
  [1, -1],
];

function guessByBalance(first: number, second: number): World {
  return first - second > EACH / 8 ? 1 : 0;
}

export const answersWithoutLimit = defineAttack({
  id: "answers-without-limit",
  title: "Sparse vector without a limit on answers",
  mistake: "goes on after an answer above, as if it were free",
  trick: "asks the same two queries again and again, and counts how often each is above",
  defence: "a stream ends after the answers that were paid for, and a query after its end is refused",
  source: "[LSL17, Alg 6]",
  epsilon: 1,
  rounds: 600,
  textbook: {
    name: "a noisy threshold, noisy queries, no end",
    prepare: () => (world, entropy) => {
      const threshold = noise(entropy);
      const [first, second] = HALVES[world].map((value) => {
        let above = 0;
        for (let i = 0; i < EACH; i++) if (value + noise(entropy) >= threshold) above++;
        return above;
      });
      return guessByBalance(first, second);
    },
  },
  ours: {
    name: "AboveThreshold with count 10",
    prepare: () => (world, entropy) => {
      const stream = new AboveThreshold({ epsilon: 1, maxAbove: 10, entropy });
      const [first, second] = HALVES[world].map((value) => {
        let above = 0;
        for (let i = 0; i < EACH && stream.remaining > 0; i++) if (stream.push(value).above) above++;
        return above;
      });
      return guessByBalance(first, second);
    },
  },
});

/** How many answers above there are; thresholds fall from `HIGHEST` so slowly that most are given far out in the tail. */
const [ANSWERS, STEP] = [50, 1 / 40];

/** Asks the two queries in turn until the answers are used up, and sees which of them is above more often. */
function takeTurns(values: readonly number[], isAbove: (value: number, threshold: number) => boolean): World {
  const above = [0, 0];
  for (let threshold = HIGHEST; threshold > -HIGHEST && above[0] + above[1] < ANSWERS; threshold -= STEP)
    for (const which of [0, 1]) if (isAbove(values[which], threshold)) above[which]++;
  return above[0] - above[1] > ANSWERS / 5 ? 1 : 0;
}

export const noiseWithoutCount = defineAttack({
  id: "noise-without-count",
  title: "Sparse vector with noise for one answer",
  mistake: "gives fifty answers above with query noise that does not grow with their number",
  trick:
    "asks two queries in turn, which one person moves in opposite directions: which is above more often?",
  defence: "the scale of the query noise is proportional to the answers above that are paid for",
  source: "[LSL17, Alg 4]",
  epsilon: 1,
  rounds: 600,
  textbook: {
    name: "noise of scale 4 on the threshold, 4/3 on queries",
    prepare: () => (world, entropy) => {
      const threshold = noise(entropy, 4);
      return takeTurns(HALVES[world], (value, at) => value + noise(entropy, 4 / 3) >= at + threshold);
    },
  },
  ours: {
    name: `AboveThreshold with count ${ANSWERS}`,
    prepare: () => (world, entropy) => {
      const stream = new AboveThreshold({ epsilon: 1, maxAbove: ANSWERS, entropy });
      return takeTurns(HALVES[world], (value, at) => stream.remaining > 0 && stream.push(value, at).above);
    },
  },
});
