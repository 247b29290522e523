/**
 * The prepared discrete Gaussian sampler against Box–Muller.
 * @module
 */
import { rational, systemEntropy } from "winnow-dp";
import { DiscreteGaussian } from "winnow-dp/sample";
import { contender, type Race } from "../race.js";
import { CoarseFloatGaussian, FloatGaussian } from "../rivals/float-gaussian.js";
import { batch, DRAWS, isNear, SCALES } from "../sampling.js";
import type { Work } from "../suite.js";

/** The mean magnitude of a standard normal variate. */
const MEAN_MAGNITUDE = Math.sqrt(2 / Math.PI);

export const gaussian: readonly Work[] = SCALES.flatMap(({ scale, double }) => [
  { name: `discreteGaussian, σ ${scale}, one by one`, prepare: () => oneByOne(scale, double) },
  { name: `discreteGaussian, σ ${scale}, batch`, prepare: () => inBatches(scale, double) },
]);

function discreteGaussian(sigma: string): DiscreteGaussian {
  return new DiscreteGaussian(rational(sigma).times(sigma));
}

// Three loops that look alike on purpose: each is compiled for its own sampler.
function oneByOne(sigma: string, double: number): Race {
  const entropy = systemEntropy();
  const ours = discreteGaussian(sigma);
  const float = new FloatGaussian(double);
  const coarse = new CoarseFloatGaussian(double);
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
  const isRight = isNear(MEAN_MAGNITUDE * double);
  return {
    unit: "sample",
    operations: DRAWS,
    subject: contender("discreteGaussian", drawOurs, isRight),
    rivals: [
      contender("Box–Muller, 53 bits", drawFloat, isRight, 0.75),
      contender("Box–Muller, 32 bits", drawCoarse, isRight),
    ],
  };
}

function inBatches(sigma: string, double: number): Race {
  const entropy = systemEntropy();
  const isRight = isNear(MEAN_MAGNITUDE * double);
  return {
    unit: "sample",
    operations: DRAWS,
    subject: batch("discreteGaussian", discreteGaussian(sigma), entropy, isRight),
    rivals: [
      batch("Box–Muller, 53 bits", new FloatGaussian(double), entropy, isRight, 0.6),
      batch("Box–Muller, 32 bits", new CoarseFloatGaussian(double), entropy, isRight),
    ],
  };
}
