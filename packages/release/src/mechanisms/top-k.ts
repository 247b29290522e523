/**
 * The best k of a public list, in order, with exponential noise (ε) or Gumbel noise (ρ, or ε and δ). Core's `TopKStream`, which answers as
 * `topK` does.
 * @module
 */
import { budgetInCode, topKWithCountsInCode } from "../parts/code.js";
import { PUBLIC_RACE } from "../parts/public-race.js";
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
  words: {
    title: "Top k",
    gives: "The winners in order.",
    how: ({ noise = "unknown" }) => `noisy top-k (${noise} noise on every count)`,
  },
  answer: { fields: [], order: "rank", isInFirstSchema: true },
  code(question) {
    if (question.counts) return topKWithCountsInCode(question);
    const { k, neighbours, delta } = question;
    const noise = delta === undefined ? {} : { noise: "gumbel" };
    const options = { k, ...budgetInCode(question), ...noise, monotone: neighbours === "add-remove" };
    return { call: "topK", input: "scores", options };
  },
};
