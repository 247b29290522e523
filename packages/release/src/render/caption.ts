/**
 * The sentence to put under a published chart or table: what is shown, what was done, what it cost.
 * @module
 */
import type { NewRelease, Release } from "../document/release-document.js";
import { domainInWords, headline, orderInWords } from "./in-words.js";
import { visible } from "./neutralise.js";

/** One sentence on one line. */
export function caption(release: Release | NewRelease): string {
  const { question, answer, loss } = release;
  const promise = `with differential privacy (${loss.readable}) for ${visible(question.unit)}`;
  if (!answer.released)
    return `Asked for the items with the most users ${promise}, the mechanism answered that none can be named.`;
  const among = question.domain.kind === "unknown" ? "" : ` of ${domainInWords(question.domain)}`;
  const gaps =
    question.resolution === undefined
      ? ""
      : "; a gap is by how many users an item leads the next, give or take the noise that protects people";
  return `${headline(release)}${among}${orderInWords(answer)}, released ${promise}${gaps}.`;
}
