/**
 * One outcome out of 75,000, costs through a callback: the float softmax beside finding the least cost.
 * @module
 */
import { systemEntropy } from "winnow-dp";
import { shuffle } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { contender, type Race } from "../race.js";
import { floatSoftmax } from "../rivals/float-softmax.js";
import type { Suite } from "../suite.js";

const OUTCOMES = 75_000;

export const exponential: Suite = {
  name: "exponential",
  works: [
    { name: "least cost, 75,000 outcomes, weights (1/2)^cost", prepare: () => prepare(1 / 2) },
    { name: "least cost, 75,000 outcomes, weights (1023/1024)^cost", prepare: () => prepare(1023 / 1024) },
  ],
};

function prepare(base: number): Race {
  const entropy = systemEntropy();
  const outcomes = shuffle(
    Array.from({ length: OUTCOMES }, (_, i) => i),
    seededEntropy("outcomes"),
  );
  const cost = (outcome: number) => outcome;
  const rate = -Math.log(base);
  return {
    unit: "outcome",
    operations: OUTCOMES,
    subject: contender(
      "least cost",
      () => leastCost(outcomes, cost),
      (index) => outcomes[index] === 0,
    ),
    rivals: [
      contender(
        "float softmax",
        () => floatSoftmax(outcomes, cost, rate, entropy),
        (index) => cost(outcomes[index]) * rate < 40, // above 40 with a chance of e^−40
      ),
    ],
  };
}

function leastCost<Outcome>(outcomes: readonly Outcome[], cost: (outcome: Outcome) => number): number {
  let least = Number.POSITIVE_INFINITY;
  let index = 0;
  for (let i = 0; i < outcomes.length; i++) {
    const value = cost(outcomes[i]);
    if (value >= least) continue;
    least = value;
    index = i;
  }
  return index;
}
