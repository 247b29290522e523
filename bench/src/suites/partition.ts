/**
 * A private frequency list of more than a million people, against sorting the same counts.
 * @module
 */
import { eta, integerPartition, systemEntropy } from "winnow-dp";
import { contender, type Race } from "../race.js";
import type { Suite } from "../suite.js";

const ITEMS = 200_000;

export const partition: Suite = {
  name: "partition",
  works: [
    { name: "integerPartition, 1.7 million people, b = 3/4", prepare: () => list(3, 2) },
    { name: "integerPartition, 1.7 million people, b = 15/16", prepare: () => list(15, 4) },
  ],
};

function list(x: number, y: number): Race {
  const counts = Float64Array.from({ length: ITEMS }, (_, i) => Math.floor(140_000 / (i + 1)));
  const isRight = (frequencies: ArrayLike<number>) => Math.abs(frequencies[0] - counts[0]) < 1000;
  const entropy = systemEntropy();
  return {
    unit: "list",
    operations: 1,
    subject: contender(
      "integerPartition",
      () => integerPartition(counts, { eta: eta(x, y), entropy }).frequencies,
      isRight,
    ),
    rivals: [contender("sorting the counts", () => counts.slice().sort().reverse(), isRight)],
  };
}
