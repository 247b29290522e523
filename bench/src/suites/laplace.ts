/**
 * The prepared discrete Laplace sampler against float Laplace.
 * @module
 */
import { systemEntropy } from "winnow-dp";
import { DiscreteLaplace } from "winnow-dp/sample";
import { contender, type Race } from "../race.js";
import { CoarseFloatLaplace, FloatLaplace } from "../rivals/float-laplace.js";
import { batch, DRAWS, isNear, SCALES } from "../sampling.js";
import type { Work } from "../suite.js";

export const laplace: readonly Work[] = SCALES.flatMap(({ scale, double }) => [
  { name: `discreteLaplace, scale ${scale}, one by one`, prepare: () => oneByOne(scale, double) },
  { name: `discreteLaplace, scale ${scale}, batch`, prepare: () => inBatches(scale, double) },
]);

// Three loops that look alike on purpose: each is compiled for its own sampler.
function oneByOne(scale: string, double: number): Race {
  const entropy = systemEntropy();
  const ours = new DiscreteLaplace(scale);
  const float = new FloatLaplace(double);
  const coarse = new CoarseFloatLaplace(double);
  const drawOurs = () => {
    let sum = 0;
    for (let i = 0; i < DRAWS; i++) sum += Math.abs(ours.sample(entropy));
    return sum / DRAWS;
  };
  const drawFloat = () => {
    let sum = 0;
    for (let i = 0; i < DRAWS; i++) sum += Math.abs(float.sample(entropy));
    return sum / DRAWS;
  };
  const drawCoarse = () => {
    let sum = 0;
    for (let i = 0; i < DRAWS; i++) sum += Math.abs(coarse.sample(entropy));
    return sum / DRAWS;
  };
  return {
    unit: "sample",
    operations: DRAWS,
    subject: contender("discreteLaplace", drawOurs, isNear(double)),
    rivals: [
      contender("float, 53 bits", drawFloat, isNear(double), 1.1),
      contender("float, 32 bits", drawCoarse, isNear(double)),
    ],
  };
}

function inBatches(scale: string, double: number): Race {
  const entropy = systemEntropy();
  const isRight = isNear(double);
  return {
    unit: "sample",
    operations: DRAWS,
    subject: batch("discreteLaplace", new DiscreteLaplace(scale), entropy, isRight),
    rivals: [
      batch("float, 53 bits", new FloatLaplace(double), entropy, isRight, 0.75),
      batch("float, 32 bits", new CoarseFloatLaplace(double), entropy, isRight),
    ],
  };
}
