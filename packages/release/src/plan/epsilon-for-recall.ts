/**
 * `epsilonForRecall`: from a goal to its price. Recall grows with ε, so the smallest ε of a fixed series that reaches the
 * goal is found by bisection over simulations. Then it is simulated afresh with four times the runs, and raised step by step
 * until that reaches the goal too.
 *
 * Stated error: steps of the series are about 10 %, and the recall comes with its standard error.
 * @module
 */
import { type Question, type QuestionInput, readQuestion } from "../question/question.js";
import { refused } from "../refused.js";
import type { Estimate } from "./estimate.js";
import { RankedScores } from "./ranked-scores.js";
import { expectedUtility, type SimulationOptions } from "./simulate.js";

/** What would be bought. */
export interface EpsilonForRecall {
  /** The smallest ε of the series that reaches the goal; undefined if none up to 100 does. */
  readonly epsilon?: string;
  /** At that ε, or at the largest one. */
  readonly recall: Estimate;
  readonly runs: number;
  readonly question: Question;
}

/** The series E24: 24 steps of about 10 % to each power of ten. */
const STEPS = [
  10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91,
];
const POWERS = [-4, -3, -2, -1, 0];

/** 0.001 … 91, and 100. */
export const EPSILON_SERIES: readonly string[] = [
  ...POWERS.flatMap((power) => STEPS.map((step) => String(Number(`${step}e${power}`)))),
  "100",
];

export async function epsilonForRecall(
  input: Omit<QuestionInput, "epsilon" | "rho">,
  goal: number,
  scores: ArrayLike<number>,
  options: SimulationOptions = {},
): Promise<EpsilonForRecall> {
  if (!(goal > 0 && goal <= 1)) throw refused("recall", "a number above 0 and at most 1", goal);
  const { runs = 200 } = options;
  const ranked = new RankedScores(scores);
  const at = (index: number) => readQuestion({ ...input, epsilon: EPSILON_SERIES[index] });
  const recallAt = async (index: number, times: number) =>
    (await expectedUtility(at(index), ranked, { ...options, runs: runs * times })).recall;

  let [low, high] = [0, EPSILON_SERIES.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await recallAt(middle, 1)).mean >= goal) high = middle;
    else low = middle + 1;
  }
  for (let index = low; ; index++) {
    const recall = await recallAt(index, 4);
    const isReached = recall.mean >= goal;
    if (isReached || index === EPSILON_SERIES.length - 1)
      return {
        ...(isReached && { epsilon: EPSILON_SERIES[index] }),
        recall,
        runs: 4 * runs,
        question: at(index),
      };
  }
}
