/**
 * `base2Exponential` against a float softmax: one outcome out of 75,000, costs through a callback.
 * @module
 */
import { base2Exponential, eta, systemEntropy } from "winnow-dp";
import { shuffle } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { contender, type Race } from "../race.js";
import { floatSoftmax } from "../rivals/float-softmax.js";
import type { Suite, Work } from "../suite.js";

const OUTCOMES = 75_000;
const GOAL = 0.45;

export const base2: Suite = {
  name: "base2",
  works: [
    work("whole costs", 1, 1, (outcome) => outcome, GOAL),
    work("whole costs", 1023, 10, (outcome) => outcome, GOAL),
    work("whole costs", 15, 4, (outcome) => outcome),
    work("costs with fractions", 1, 1, (outcome) => outcome + 0.3),
    work("costs with fractions", 1023, 10, (outcome) => outcome + 0.3),
  ],
};

function work(what: string, x: number, y: number, cost: (outcome: number) => number, goal?: number): Work {
  return {
    name: `base2Exponential, 75,000 outcomes, ${what}, η (${x}, ${y}, 1)`,
    prepare: () => prepare(x, y, cost, goal),
  };
}

function prepare(x: number, y: number, cost: (outcome: number) => number, goal?: number): Race {
  const entropy = systemEntropy();
  const outcomes = shuffle(
    Array.from({ length: OUTCOMES }, (_, i) => i),
    seededEntropy("outcomes"),
  );
  const options = {
    eta: eta(x, y),
    lower: 0,
    upper: OUTCOMES,
    maxCandidates: OUTCOMES,
    mode: "optimised",
    entropy,
  } as const;
  const rate = Math.LN2 * (y - Math.log2(x));
  const isLikely = (index: number) => outcomes[index] * rate < 40; // above 40 with a chance of e^−40
  return {
    unit: "outcome",
    operations: OUTCOMES,
    subject: contender(
      "base2Exponential",
      () => base2Exponential(outcomes, cost, options).candidate,
      isLikely,
    ),
    rivals: [contender("float softmax", () => floatSoftmax(outcomes, cost, rate, entropy), isLikely, goal)],
  };
}
