/**
 * What an answer costs, exactly, from the question alone: for a dry run, a plan, a confirmation. The loss of a mechanism
 * does not depend on the data, so it is asked of the mechanism itself, and is what the answer will carry.
 * @module
 */
import { type Loss, makeNoisyTopK, pure, stableTopK, stableTopKFixed, zcdp } from "winnow-dp";
import { noiseScale } from "./noise-scale.js";
import type { Question } from "./question.js";
import { fixedOptions, stableOptions } from "./stable-options.js";

/** The loss of one answer to the question. */
export function lossOf(question: Question): Loss {
  switch (question.mechanism) {
    case "stable-top-k":
      return stableTopK([], stableOptions(question)).privacy;
    case "stable-top-k-fixed":
      return stableTopKFixed(new Uint8Array(question.k), fixedOptions(question)).privacy;
    default:
      return lossOfNoise(question);
  }
}

/** Exponential noise is pure, Gumbel noise concentrated. */
function lossOfNoise(question: Question): Loss {
  const { k, neighbours, rho } = question;
  const measure = rho === undefined ? "pure" : "zcdp";
  const monotone = neighbours === "add-remove";
  const loss = makeNoisyTopK({ k, measure, scale: noiseScale(question), monotone }).map(1n);
  return measure === "pure" ? pure(loss) : zcdp(loss);
}
