/**
 * Every item that enough people have, after each person was cut to m items: the items above a threshold, by name.
 * @module
 */
import { selectPartitions as run, type SelectPartitionsOptions } from "winnow-dp";
import { ABOVE_THRESHOLD, partitionOptions, prepareThreshold } from "../parts/above-threshold.js";
import { budgetInCode } from "../parts/code.js";
import { allRows } from "../parts/counted-rows.js";
import { compareNames } from "../parts/names.js";
import { asOptions, namedCounts, neighboursOf } from "../parts/simulated.js";
import { winner } from "../parts/winner.js";
import type { Mechanism } from "./mechanism.js";

export const selectPartitions: Mechanism = {
  name: "select-partitions",
  rules: {
    kind: "names",
    domains: ["unknown"],
    budgets: ["epsilon", "rho"],
    delta: "needed",
    counts: "possible",
    bound: "needed",
  },
  ...ABOVE_THRESHOLD,
  async draw(question, batches, entropy) {
    const rows = await allRows(batches);
    const { winners: kept, privacy } = run(rows, { ...partitionOptions(question), entropy });
    const winners = kept
      .toSorted((a, b) => compareNames(a.candidate, b.candidate))
      .slice(0, question.k)
      .map(({ candidate, count }) => winner(candidate, undefined, count));
    return { released: winners.length > 0, k: question.k, winners, ordered: false, loss: privacy };
  },
  prepare(question, scores) {
    const run = prepareThreshold(question, scores);
    return (entropy) => {
      const kept = run(entropy);
      return {
        winners: kept.map(({ index }) => index),
        ...(question.counts && { counts: kept.map(({ count }) => count) }),
      };
    };
  },
  simulated: {
    takes: ["monotone", "epsilon", "rho", "delta", "maxItemsPerUser"],
    prepare(scores, { monotone, ...rest }) {
      const rows = namedCounts(scores);
      const chosen = { ...rest, neighbours: neighboursOf({ monotone }) };
      return (entropy) => {
        const { winners: kept, privacy } = run(
          rows,
          asOptions<SelectPartitionsOptions>({ ...chosen, entropy }),
        );
        return { outcome: { indices: kept.map(({ candidate }) => Number(candidate)) }, privacy };
      };
    },
  },
  words: {
    title: "All names",
    gives: "Every item that enough people have, after each person was cut to a few items.",
    how: "partition selection (items that enough people have, of people who are counted for a limited number of items each)",
  },
  answer: { fields: [], order: "name" },
  code(question) {
    const { neighbours, counts = false, maxItemsPerUser = 1 } = question;
    const options = { ...budgetInCode(question), neighbours, counts, maxItemsPerUser };
    return { call: "selectPartitions", input: "counts", options };
  },
};
