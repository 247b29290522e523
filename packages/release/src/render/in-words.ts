/**
 * The parts of a release in plain English, shared by its statement and its picture, and the caption that goes under a
 * published chart or table: what is shown, what was done, what it cost. Hidden characters in names are made visible.
 * @module
 */
import type { NewRelease, Release, ReleaseAnswer } from "../document/release-document.js";
import type { Domain, MechanismName, Neighbours } from "../question/question.js";
import { visible } from "./neutralise.js";

/** "3 items", "1 item". */
export function numberOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** What the answer says, as a heading: who is named and why. */
export function headline({ question, answer }: Release | NewRelease): string {
  const { winners, ordered, released } = answer;
  if (!released) return "Nothing can be released";
  const most =
    winners.length === 1
      ? "The item with the most users"
      : `The ${numberOf(winners.length, "item")} with the most users`;
  if (ordered) return most;
  return question.kind === "adaptive"
    ? `${numberOf(winners.length, "item")} that stand${winners.length === 1 ? "s" : ""} out`
    : most;
}

/** In which order names are given. */
export function orderInWords({ ordered, winners }: ReleaseAnswer): string {
  if (winners.length < 2) return "";
  return ordered ? ", best first" : ", in the order of their names";
}

export function domainInWords(domain: Domain): string {
  switch (domain.kind) {
    case "listed":
      return `a public list of ${numberOf(domain.size, "candidate")}`;
    case "integers":
      return `the whole numbers from 0 below ${domain.below.toLocaleString("en")}`;
    default:
      return "whatever the data mention (unknown beforehand)";
  }
}

export function neighboursInWords(neighbours: Neighbours): string {
  return neighbours === "add-remove" ? "one person is added or removed" : "one person is replaced by another";
}

const MECHANISM: Readonly<Record<MechanismName, string>> = {
  "top-k-with-gap": "noisy top-k with gaps (exponential noise on every count)",
  "top-k": "noisy top-k",
  "permute-and-flip": "permute-and-flip (exponential noise on every count)",
  "stable-top-k": "stable top-k with a size that the data choose (propose, test, release)",
  "stable-top-k-fixed": "stable top-k of a given size (propose, test, release)",
};

export function mechanismInWords(name: MechanismName, parameters: Readonly<Record<string, string>>): string {
  const noise = name === "top-k" ? ` (${visible(parameters.noise ?? "unknown")} noise on every count)` : "";
  return MECHANISM[name] + noise;
}

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
