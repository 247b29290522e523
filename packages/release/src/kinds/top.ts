/** The best k. */
import { countedInWords, countedNoun, NOUNS } from "../question/labels.js";
import { GROUPED } from "./grouped.js";
import type { Kind } from "./kind.js";

export const top: Kind = {
  name: "top",
  shape: "winners",
  defaults: {},
  title: "Top k",
  summary: "publish the k items with the most users",
  options: {
    usual: ["k", "item", "user", "epsilon", "delta", "domain", "counts"],
    others: [
      "rho",
      "domainTable",
      "domainColumn",
      "domainSize",
      "maxItemsPerUser",
      ...GROUPED,
      "resolution",
      "set",
      "outsiderShare",
      "neighbours",
      "guess",
      "mechanism",
      "unit",
    ],
    texts: {
      maxItemsPerUser: "each person counts for at most this many items: for long lists without candidates",
    },
  },
  k: "asked",
  isComplete: true,
  explainsFewer: true,
  asked: (k) => `top ${k}`,
  wanted: (question) =>
    `${question.k === 1 ? "the item" : `the ${question.k} items`} with the most ${countedInWords(question)}`,
  question: ({ kind, k }) => `${kind}, k = ${k}`,
  headline({ question, answer: { winners }, nouns = NOUNS }) {
    const items = winners.length === 1 ? nouns.items[0] : countedNoun(winners.length, nouns.items);
    return `The ${items} with the most ${countedInWords(question, nouns)}`;
  },
};
