/**
 * The best k of a public list, in order, with exponential noise (ε) or Gumbel noise (ρ, or ε and δ). Core's `TopKStream`, which answers as
 * `topK` does.
 * @module
 */
import { makeNoisyTopK, type Rational, topK as run, type TopKOptions } from "winnow-dp";
import { budgetInCode, topKWithCountsInCode } from "../parts/code.js";
import { PUBLIC_RACE } from "../parts/public-race.js";
import {
  asOptions,
  type Draw,
  flags,
  numbersOf,
  OF_SCORES,
  type Parameters,
  ranked,
  unusable,
} from "../parts/simulated.js";
import { mustBe } from "../refusal/must-be.js";
import type { Mechanism } from "./mechanism.js";

export const topK: Mechanism = {
  name: "top-k",
  rules: {
    kind: "top",
    domains: ["listed", "integers"],
    budgets: ["epsilon", "rho"],
    delta: "possible",
    spare: 0,
    counts: "possible",
  },
  hasOtherPrices: true,
  ...PUBLIC_RACE,
  simulated: {
    takes: [...OF_SCORES, "k", "noise", "epsilon", "rho", "scale", "method", "negate"],
    prepare: prepareSimulated,
  },
  words: {
    title: "Top k",
    gives: "The winners in order.",
    how: ({ noise = "unknown" }) => `noisy top-k (${noise} noise on every count)`,
  },
  answer: { fields: [], order: "rank" },
  code(question) {
    if (question.counts) return topKWithCountsInCode(question);
    const { k, neighbours, delta } = question;
    const noise = delta === undefined ? {} : { noise: "gumbel" };
    const options = { k, ...budgetInCode(question), ...noise, monotone: neighbours === "add-remove" };
    return { call: "topK", input: "scores", options };
  },
};

/** With Gumbel noise of a given scale: the exponential mechanism, k times. A loss determines its own noise. */
function prepareSimulated(scores: readonly Rational[], { noise, ...parameters }: Parameters): Draw {
  const { k = 1, scale, rho, monotone, negate, sensitivity = 1n } = parameters;
  const ofLoss = rho === undefined ? "exponential" : "gumbel";
  const isScaledGumbel = noise === "gumbel" && scale !== undefined;
  if (noise !== undefined && noise !== ofLoss && !isScaledGumbel) throw wrongNoise(noise);
  const numbers = numbersOf(scores);
  if (!isScaledGumbel)
    return (entropy) => ranked(run(numbers, asOptions<TopKOptions>({ ...parameters, k, entropy })));
  const measurement = makeNoisyTopK({ k, measure: "zcdp", scale, monotone, negate });
  const privacy = measurement.map(sensitivity);
  return (entropy) => ranked({ winners: measurement.invoke(numbers, entropy).winners, privacy });
}

function wrongNoise(noise: string) {
  const [own, epsilon, rho, scale] = flags("noise", "epsilon", "rho", "scale");
  return unusable(
    mustBe(
      `${own} of top-k`,
      `exponential with ${epsilon} or ${scale}, or gumbel with ${rho} or ${scale}`,
      noise,
    ),
  );
}
