/** Every item that enough people have. */
import { countedInWords, countedNoun, NOUNS } from "../question/labels.js";
import { MOST_WINNERS } from "../question/question.js";
import { GROUPED } from "./grouped.js";
import type { Kind } from "./kind.js";

export const names: Kind = {
  name: "names",
  shape: "winners",
  defaults: { k: MOST_WINNERS },
  title: "All names",
  summary: "publish every item that enough people have, without a public list",
  options: {
    usual: ["item", "user", "epsilon", "delta", "maxItemsPerUser", "counts"],
    others: ["rho", ...GROUPED, "neighbours", "mechanism", "unit"],
    texts: {
      counts: "add noisy counts of users to the names",
    },
  },
  k: "asked",
  asked: () => "all names",
  wanted: (question) => `the items with enough ${countedInWords(question)}`,
  question: ({ kind }) => kind,
  headline: ({ question, answer: { winners }, nouns = NOUNS }) =>
    `${countedNoun(winners.length, nouns.items)} with enough ${countedInWords(question, nouns)}`,
};
