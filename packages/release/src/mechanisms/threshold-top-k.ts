/**
 * The items above a threshold, after each person was cut to m items; the best k of them by their released counts, which costs
 * nothing on top.
 * @module
 */
import { type Rational, selectPartitions } from "winnow-dp";
import { ABOVE_THRESHOLD, partitionOptions, prepareThreshold } from "../parts/above-threshold.js";
import { budgetInCode } from "../parts/code.js";
import { allRows } from "../parts/counted-rows.js";
import { isLong } from "../parts/long-lists.js";
import { winner } from "../parts/winner.js";
import type { Mechanism } from "./mechanism.js";

export const thresholdTopK: Mechanism = {
  name: "threshold-top-k",
  rules: {
    kind: "top",
    domains: ["unknown"],
    budgets: ["epsilon", "rho"],
    delta: "needed",
    spare: 0,
    counts: "always",
    bound: "needed",
    isUsual: isLong,
  },
  ...ABOVE_THRESHOLD,
  async draw(question, batches, entropy) {
    const rows = await allRows(batches);
    const { winners: kept, privacy } = selectPartitions(rows, { ...partitionOptions(question), entropy });
    const winners = kept
      .toSorted((a, b) => (b.count as Rational).compare(a.count as Rational))
      .slice(0, question.k)
      .map(({ candidate, count }) => winner(candidate, undefined, count));
    return { released: winners.length > 0, k: question.k, winners, ordered: true, loss: privacy };
  },
  prepare(question, scores) {
    const run = prepareThreshold(question, scores);
    return (entropy) => {
      const told = run(entropy)
        .sort((a, b) => b.count - a.count)
        .slice(0, question.k);
      return { winners: told.map(({ index }) => index), counts: told.map(({ count }) => count) };
    };
  },
  words: {
    title: "Counts above a threshold",
    gives: "Winners with noisy counts, after each person was cut to a few items. For long lists.",
    how: "noisy counts above a threshold, of people who are counted for a limited number of items each",
    whyFewer: "no other item passed the threshold",
  },
  answer: { fields: [], order: "count" },
  code(question) {
    const { neighbours, maxItemsPerUser = 1 } = question;
    const options = { ...budgetInCode(question), neighbours, counts: true, maxItemsPerUser };
    return { call: "selectPartitions", input: "counts", options };
  },
};
