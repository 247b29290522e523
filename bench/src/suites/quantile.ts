/**
 * A private median of ten million values against sorting them, on a wide grid, and against counting them, on a narrow one.
 * @module
 */
import { quantile, systemEntropy } from "winnow-dp";
import { contender, type Race } from "../race.js";
import type { Suite } from "../suite.js";

const VALUES = 10_000_000;
const WIDE = 1_000_000_000;
const NARROW = 100_000;

export const quantileSuite: Suite = {
  name: "quantile",
  works: [
    { name: "quantile, 10,000,000 values on 10^9 points", prepare: () => median(WIDE, sorted) },
    { name: "quantile, 10,000,000 values on 10^5 points", prepare: () => median(NARROW, counted) },
  ],
};

/** Without privacy: the value in the middle. */
type Rival = (values: Float64Array, upper: number) => number;

const sorted: Rival = (values) => values.slice().sort()[values.length >> 1];

const counted: Rival = (values, upper) => {
  const counts = new Float64Array(upper + 1);
  for (let i = 0; i < values.length; i++) {
    const cell = Math.floor(values[i]);
    counts[cell < 0 ? 0 : cell > upper ? upper : cell]++;
  }
  let [cell, below] = [0, counts[0]];
  while (below <= values.length >> 1) below += counts[++cell];
  return cell;
};

function median(upper: number, rival: Rival): Race {
  const values = new Float64Array(VALUES);
  for (let i = 0, state = 1; i < VALUES; i++) {
    state = (state * 16807) % 2147483647;
    values[i] = Math.floor((state / 2147483647) * upper);
  }
  const middle = sorted(values, upper);
  const isRight = (value: number) => Math.abs(value - middle) <= upper / 1000;
  const entropy = systemEntropy();
  return {
    unit: "value",
    operations: VALUES,
    subject: contender(
      "quantile",
      () => quantile(values, { quantile: "1/2", lower: 0, upper, epsilon: 1, entropy }).value.toNumber(),
      isRight,
    ),
    rivals: [contender(rival === sorted ? "sorting" : "counting", () => rival(values, upper), isRight, 1.2)],
  };
}
