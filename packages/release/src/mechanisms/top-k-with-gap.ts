/**
 * The best k of a public list, and by how much each leads the next: leads cost nothing on top of the names. Core's
 * `TopKStream`, which answers as `topKWithGap` does.
 * @module
 */
import { topKWithGap as run, type TopKWithGapOptions } from "winnow-dp";
import { prefersGumbel } from "../parts/approx-rounds.js";
import { budgetInCode, present, topKWithCountsInCode } from "../parts/code.js";
import { PUBLIC_RACE } from "../parts/public-race.js";
import { asOptions, numbersOf, OF_SCORES, ranked } from "../parts/simulated.js";
import type { Mechanism } from "./mechanism.js";

export const topKWithGap: Mechanism = {
  name: "top-k-with-gap",
  rules: {
    kind: "top",
    domains: ["listed", "integers"],
    budgets: ["epsilon"],
    delta: "none",
    spare: 1,
    gaps: "always",
    counts: "possible",
    // The last lead needs a runner-up. Where δ buys less noise, that is worth more than leads that weren't asked for.
    isUsual: (asked) =>
      asked.rho === undefined &&
      asked.k !== asked.size &&
      (asked.resolution !== undefined || !prefersGumbel(asked)),
  },
  defaults: { resolution: 1n },
  ...PUBLIC_RACE,
  simulated: {
    takes: [...OF_SCORES, "k", "epsilon", "scale", "resolution", "negate"],
    prepare(scores, { k = 1, ...parameters }) {
      const numbers = numbersOf(scores);
      return (entropy) => ranked(run(numbers, asOptions<TopKWithGapOptions>({ ...parameters, k, entropy })));
    },
  },
  words: {
    title: "Top k with leads",
    gives: "The winners in order, and by how much each leads the next. The leads cost nothing extra.",
    how: "noisy top-k with gaps (exponential noise on every count)",
  },
  answer: { fields: [], order: "rank" },
  code(question) {
    if (question.counts) return topKWithCountsInCode(question);
    const { k, resolution, neighbours } = question;
    const options = { k, ...budgetInCode(question), ...present({ resolution }) };
    return {
      call: "topKWithGap",
      input: "scores",
      options: { ...options, monotone: neighbours === "add-remove" },
    };
  },
};
