/**
 * The prepared geometric sampler against ⌊−ln U / rate⌋ in floats.
 * @module
 */
import { rational, systemEntropy } from "winnow-dp";
import { Geometric } from "winnow-dp/sample";
import { contender, type Race } from "../race.js";
import { CoarseFloatGeometric, FloatGeometric } from "../rivals/float-geometric.js";
import { batch, DRAWS, isNear, SCALES } from "../sampling.js";
import type { Work } from "../suite.js";

export const geometric: readonly Work[] = SCALES.flatMap(({ scale, double }) => [
  { name: `geometric, rate 1/(${scale}), one by one`, prepare: () => oneByOne(scale, double) },
  { name: `geometric, rate 1/(${scale}), batch`, prepare: () => inBatches(scale, double) },
]);

function geometricOf(scale: string): Geometric {
  return new Geometric(rational(1).dividedBy(scale));
}

/** The mean 1/(e^rate − 1) is the continuous one less about a half. */
function isMean(scale: number): (mean: number) => boolean {
  return isNear(1 / Math.expm1(1 / scale));
}

// Three loops that look alike on purpose: each is compiled for its own sampler.
function oneByOne(scale: string, double: number): Race {
  const entropy = systemEntropy();
  const ours = geometricOf(scale);
  const float = new FloatGeometric(1 / double);
  const coarse = new CoarseFloatGeometric(1 / double);
  const drawOurs = () => {
    let sum = 0;
    for (let i = 0; i < DRAWS; i++) sum += ours.sample(entropy);
    return sum / DRAWS;
  };
  const drawFloat = () => {
    let sum = 0;
    for (let i = 0; i < DRAWS; i++) sum += float.sample(entropy);
    return sum / DRAWS;
  };
  const drawCoarse = () => {
    let sum = 0;
    for (let i = 0; i < DRAWS; i++) sum += coarse.sample(entropy);
    return sum / DRAWS;
  };
  return {
    unit: "sample",
    operations: DRAWS,
    subject: contender("geometric", drawOurs, isMean(double)),
    rivals: [
      contender("float, 53 bits", drawFloat, isMean(double)),
      contender("float, 32 bits", drawCoarse, isMean(double)),
    ],
  };
}

function inBatches(scale: string, double: number): Race {
  const entropy = systemEntropy();
  return {
    unit: "sample",
    operations: DRAWS,
    subject: batch("geometric", geometricOf(scale), entropy, isMean(double)),
    rivals: [
      batch("float, 53 bits", new FloatGeometric(1 / double), entropy, isMean(double)),
      batch("float, 32 bits", new CoarseFloatGeometric(1 / double), entropy, isMean(double)),
    ],
  };
}
