/** How many items have how many people, without names. */
import { inventedPeople } from "../parts/partition-base.js";
import { countedInWords, limitInWords } from "../question/labels.js";
import type { Question } from "../question/question.js";
import { visible } from "../words/neutralise.js";
import { numberOf } from "../words/sentences.js";
import { DELTA_OF_GROUPS, GROUPED } from "./grouped.js";
import type { Kind, Told } from "./kind.js";

export const frequencies: Kind = {
  name: "frequencies",
  shape: "frequencies",
  defaults: { k: 1, maxItemsPerUser: 1 },
  title: "Frequencies",
  summary: "publish how many items have how many people, without names",
  options: {
    usual: ["item", "user", "epsilon", "maxItemsPerUser"],
    others: [...GROUPED, "delta", "neighbours", "mechanism", "unit"],
    texts: {
      delta: DELTA_OF_GROUPS,
      maxItemsPerUser: "each person counts for at most this many items (default: 1)",
    },
  },
  k: "asked",
  asked: () => "frequencies, without names",
  wanted: (question) => `how many ${countedInWords(question)} the items have`,
  question: ({ kind }) => kind,
  headline: ({ question, source, nouns }) =>
    nouns === undefined
      ? `How many ${countedInWords(question)} the items of ${visible(source.item)} have`
      : `How many ${countedInWords(question, nouns)} the ${nouns.items[1]} have`,
  accuracy: inventedInWords,
  details: (told) => [frequenciesInWords(told)],
};

/** The sums of a frequency list, and how much of it is noise on average. */
export function frequenciesInWords({ question, answer }: Pick<Told, "question" | "answer">): string {
  const { frequencies = [] } = answer;
  const items = frequencies.reduce((sum, run) => sum + run.items, 0);
  const people = frequencies.reduce((sum, run) => sum + run.users * run.items, 0);
  return `the list has ${numberOf(items, "item")} and adds up to ${people.toLocaleString("en")}; ${inventedInWords(question)}; ${limitInWords(question)}`;
}

/** How many people the noise adds to the end of a list of frequencies, as a sentence. */
export function inventedInWords(question: Question): string {
  const people = Math.ceil(inventedPeople(question)).toLocaleString("en");
  return `noise alone adds about ${people} to a list without any items, mostly to its end`;
}
