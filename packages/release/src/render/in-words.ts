/**
 * The parts of a release in plain English, shared by its statement and its picture, and the caption that goes under a
 * published chart or table: what is shown, what was done, what it cost. Hidden characters in names are made visible.
 * @module
 */
import type { Rational } from "winnow-dp";
import type { NewRelease, Release, ReleaseAnswer } from "../document/release-document.js";
import { kindOf } from "../kinds/kinds.js";
import { type Answered, countsIn, mechanismFor } from "../mechanisms/of-question.js";
import type { CountsShown } from "../parts/counts.js";
import type { Domain } from "../question/domain.js";
import { countedInWords, limitInWords, NOUNS, type Nouns, unitInWords } from "../question/labels.js";
import type { Question } from "../question/question.js";
import { visible } from "../words/neutralise.js";
import { numberOf } from "../words/sentences.js";
import {
  groupColumns,
  groupLimitInWords,
  groupsInWords,
  questionOfOne,
  releaseOfOne,
} from "./group-releases.js";

/** The answer as a heading: who is named and why. */
export function headline({ question, answer, source }: Release | NewRelease, nouns?: Nouns): string {
  if (question.groups !== undefined) {
    const wanted = kindOf(question).wanted(question).replace(/,$/, "");
    return `${wanted[0].toUpperCase()}${wanted.slice(1)}, by ${groupColumns(question.groups)}`;
  }
  if (!answer.released) return mechanismFor(question).words.none ?? "Nothing can be released";
  return kindOf(question).headline({ question, answer, source, nouns });
}

/** Why there are fewer than were asked for; empty where there are not. */
export function endInWords({ question, answer }: Release | NewRelease): string {
  const { winners, k } = answer;
  if (question.groups !== undefined) return "";
  if (!kindOf(question).explainsFewer || winners.length >= k) return "";
  const { whyFewer = "no more can be named" } = mechanismFor(question).words;
  return `${winners.length} of ${k}: ${whyFewer}`;
}

/** In which order names are given; empty for values. */
export function orderInWords({ ordered, winners }: ReleaseAnswer): string {
  if (winners.length < 2 || winners[0].quantile !== undefined) return "";
  return ordered ? ", best first" : ", in the order of their names";
}

/** Which candidates there were, as a phrase. */
export function domainInWords(domain: Domain): string {
  switch (domain.kind) {
    case "listed":
      return `a public list of ${numberOf(domain.size, "candidate")}`;
    case "integers":
      return `the whole numbers from 0 below ${domain.below.toLocaleString("en")}`;
    case "grid":
      return `the numbers from ${domain.lower} to ${domain.upper} in steps of ${domain.step}`;
    default:
      return "whatever the data mention (unknown beforehand)";
  }
}

/** A mechanism with its parameters, as a phrase. */
export function mechanismInWords(name: string, parameters: Readonly<Record<string, string>>): string {
  const { how } = mechanismFor({ mechanism: name }).words;
  if (typeof how === "string") return how;
  return how(Object.fromEntries(Object.entries(parameters).map(([key, text]) => [key, visible(text)])));
}

/** One sentence on one line. */
export function caption(release: Release | NewRelease, nouns?: Nouns): string {
  const { question, answer, loss } = release;
  const promise = `with differential privacy (${loss.readable}) ${visible(unitInWords(question))}`;
  if (!answer.released && question.groups === undefined)
    return `Asked for the ${(nouns ?? NOUNS).items[1]} with the most ${countedInWords(question, nouns)} ${promise}, the mechanism answered that none can be named.`;
  const among = question.domain.kind === "unknown" ? "" : ` ${fromDomain(question.domain)}`;
  const details = [
    endInWords(release),
    ...(question.groups === undefined
      ? (kindOf(question).details?.(release) ?? [])
      : [kindOf(question).accuracy?.(questionOfOne(question)) ?? ""]),
    question.groups === undefined
      ? ""
      : `${groupsInWords(question.groups)}; ${groupLimitInWords(question.groups)}`,
    question.resolution === undefined ? "" : gapsInWords(question, nouns),
    question.counts ? countsInWords(releaseOfOne(release), nouns) : "",
  ];
  const more = details.map((detail) => detail && `; ${detail}`).join("");
  return `${headline(release, nouns)}${among}${orderInWords(answer)}, released ${promise}${more}.`;
}

function fromDomain(domain: Domain): string {
  return `${domain.kind === "grid" ? "among" : "of"} ${domainInWords(domain)}`;
}

function gapsInWords(question: Question, nouns: Nouns = NOUNS): string {
  const [item] = nouns.items;
  return `a lead is by how many ${countedInWords(question, nouns)} ${/^[aeiou]/i.test(item) ? "an" : "a"} ${item} leads the next, give or take the noise that protects people`;
}

/** How near counts are to the truth, and what they leave out. */
export function countsInWords({ question, mechanism }: Answered, nouns?: Nouns): string {
  const plan = countsIn({ question, mechanism });
  const parts = [
    plan === undefined ? "counts have noise" : widthInWords(plan, question, nouns),
    plan?.shared === undefined ? undefined : SHARED,
    limitInWords(question, nouns),
  ];
  return parts.filter((part) => part !== undefined).join("; ");
}

function widthInWords({ halfWidth, simultaneous }: CountsShown, question: Question, nouns?: Nouns): string {
  const near = (width: Rational) => width.ceil().toLocaleString("en");
  const each = `each count is within ${near(halfWidth)} of the true number of ${countedInWords(question, nouns)}, 95 times out of 100`;
  if (simultaneous === undefined || question.k === 1) return each;
  return `${each}, and all of them are within ${near(simultaneous)} at once, 95 times out of 100`;
}

const SHARED = "errors share a part";

/** How many items of a person count, as a phrase. */
export function boundInWords({
  kind,
  maxItemsPerUser = 1,
}: Pick<Question, "kind" | "maxItemsPerUser">): string {
  const noun = kindOf({ kind }).shape === "values" ? "value" : "item";
  return `each person counts for at most ${numberOf(maxItemsPerUser, noun)}`;
}
