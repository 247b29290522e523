/** The items that stand out, as many as the data decide. */
import { countedNoun, NOUNS } from "../question/labels.js";
import { GROUPED } from "./grouped.js";
import type { Kind } from "./kind.js";

export const adaptive: Kind = {
  name: "adaptive",
  shape: "winners",
  defaults: {},
  title: "Winnow chooses k",
  summary: "publish the items that stand out; Winnow chooses how many",
  options: {
    usual: ["maxK", "item", "user", "epsilon", "delta", "domain"],
    others: [
      "rho",
      "domainTable",
      "domainColumn",
      "domainSize",
      ...GROUPED,
      "neighbours",
      "mechanism",
      "unit",
    ],
  },
  k: "most",
  asked: (k) => `at most ${k}`,
  wanted: ({ k }) => `the items that stand out, at most ${k},`,
  question: ({ kind, k }) => `${kind}, k = ${k}`,
  headline: ({ answer: { winners }, nouns = NOUNS }) =>
    `${countedNoun(winners.length, nouns.items)} that stand${winners.length === 1 ? "s" : ""} out`,
};
