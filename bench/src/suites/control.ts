/**
 * The harness against itself: two equal contenders must come out at a ratio of 1, within the noise of the
 * machine. How far off this row is tells how far to trust the others.
 * @module
 */
import { systemEntropy } from "winnow-dp";
import { type Contender, contender } from "../race.js";
import { FloatLaplace } from "../rivals/float-laplace.js";
import type { Suite } from "../suite.js";

const OPERATIONS = 32_768;

export const control: Suite = {
  name: "control",
  works: [
    {
      name: "float Laplace",
      prepare: () => ({
        unit: "sample",
        operations: OPERATIONS,
        subject: floatLaplace(),
        rivals: [floatLaplace()],
      }),
    },
  ],
};

function floatLaplace(): Contender {
  const entropy = systemEntropy();
  const sampler = new FloatLaplace(1000);
  return contender(
    "itself",
    () => {
      let sum = 0;
      for (let i = 0; i < OPERATIONS; i++) sum += Math.abs(sampler.sample(entropy));
      return sum / OPERATIONS;
    },
    (mean) => mean > 900 && mean < 1100,
  );
}
