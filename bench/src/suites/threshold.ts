/**
 * Sparse vector against the loop that compares without privacy: a million queries far below the threshold, as a list and one by
 * one.
 * @module
 */
import { makeAboveThreshold, systemEntropy } from "winnow-dp";
import { contender, type Race } from "../race.js";
import type { Suite } from "../suite.js";

const QUERIES = 1_000_000;
const THRESHOLD = 1000;

export const threshold: Suite = {
  name: "threshold",
  works: [
    { name: "AboveThreshold, 1,000,000 queries far below, as a list", prepare: () => far(answerList) },
    { name: "AboveThreshold, 1,000,000 queries far below, one by one", prepare: () => far(answerOneByOne) },
  ],
};

type Answer = (values: Float64Array) => number;

const measurement = makeAboveThreshold({ thresholdScale: 2, queryScale: 3, threshold: THRESHOLD });

/** The place of the first above, or the number of values. */
function answerList(values: Float64Array): number {
  const { above } = measurement.invoke(values, systemEntropy());
  return above.at(0)?.index ?? values.length;
}

function answerOneByOne(values: Float64Array): number {
  const stream = measurement.start();
  for (let i = 0; i < values.length; i++) if (stream.push(values[i]).above) return i;
  return values.length;
}

function plainLoop(values: Float64Array): number {
  for (let i = 0; i < values.length; i++) if (values[i] >= THRESHOLD) return i;
  return values.length;
}

function far(answer: Answer): Race {
  const values = Float64Array.from({ length: QUERIES }, (_, i) => (i * 7919) % 500);
  const isRight = (place: number) => place === QUERIES;
  return {
    unit: "query",
    operations: QUERIES,
    subject: contender("AboveThreshold", () => answer(values), isRight),
    rivals: [
      contender("a plain loop", () => plainLoop(values), isRight, answer === answerList ? 1.5 : undefined),
    ],
  };
}
