/**
 * `bernoulliExp` on many different 32-bit rationals against `u < Math.exp(-x)`.
 * @module
 */
import { systemEntropy } from "winnow-dp";
import { bernoulliExpRatio } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { contender, type Race } from "../race.js";
import { coarseFloatBernoulliExp, floatBernoulliExp } from "../rivals/float-bernoulli-exp.js";
import type { Work } from "../suite.js";

const FLIPS = 32_768;

export const bernoulliExp: readonly Work[] = [{ name: "bernoulliExp, 32-bit rationals", prepare }];

function prepare(): Race {
  const seeded = seededEntropy("bernoulliExp");
  const p = Uint32Array.from({ length: FLIPS }, () => seeded.word());
  const q = Uint32Array.from({ length: FLIPS }, () => Math.max(1, seeded.word()));
  const entropy = systemEntropy();
  const flipOurs = () => {
    let heads = 0;
    for (let i = 0; i < FLIPS; i++) if (bernoulliExpRatio(p[i], q[i], entropy)) heads++;
    return heads;
  };
  const flipFloat = () => {
    let heads = 0;
    for (let i = 0; i < FLIPS; i++) if (floatBernoulliExp(p[i] / q[i], entropy)) heads++;
    return heads;
  };
  const flipCoarse = () => {
    let heads = 0;
    for (let i = 0; i < FLIPS; i++) if (coarseFloatBernoulliExp(p[i] / q[i], entropy)) heads++;
    return heads;
  };
  const isRight = isExpected(p, q);
  return {
    unit: "flip",
    operations: FLIPS,
    subject: contender("bernoulliExp", flipOurs, isRight),
    rivals: [
      contender("u < Math.exp(-x), 53 bits", flipFloat, isRight, 0.85),
      contender("u < Math.exp(-x), 32 bits", flipCoarse, isRight),
    ],
  };
}

/** Whether a number of heads is within eight standard deviations of the expected one. */
function isExpected(p: Uint32Array, q: Uint32Array): (heads: number) => boolean {
  let mean = 0;
  let variance = 0;
  for (let i = 0; i < FLIPS; i++) {
    const chance = Math.exp(-p[i] / q[i]);
    mean += chance;
    variance += chance * (1 - chance);
  }
  return (heads) => Math.abs(heads - mean) < 8 * Math.sqrt(variance);
}
