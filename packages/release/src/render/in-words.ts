/**
 * The parts of a release in plain English, shared by its statement and its picture, and the caption that goes under a
 * published chart or table: what is shown, what was done, what it cost. Hidden characters in names are made visible.
 * @module
 */
import { type Rational, rational } from "winnow-dp";
import type { NewRelease, Release, ReleaseAnswer } from "../document/release-document.js";
import { inventedPeople } from "../mechanisms/integer-partition.js";
import { countsOf, mechanismFor } from "../mechanisms/of-question.js";
import { type RankError, rankErrors } from "../mechanisms/quantiles.js";
import { countedInWords, limitInWords } from "../question/counted.js";
import type { Domain } from "../question/domain.js";
import { type GridDomain, gridEnds } from "../question/grid.js";
import type { Neighbours, Question } from "../question/question.js";
import { visible } from "./neutralise.js";

/** "3 items", "1 item". */
export function numberOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** What the answer says, as a heading: who is named and why. */
export function headline({ question, answer, source }: Release | NewRelease): string {
  const { winners, released } = answer;
  const counted = countedInWords(question);
  if (question.kind === "quantile")
    return `${quantilesInWords(question.quantiles ?? [], source.item)} (over ${counted})`;
  if (question.kind === "frequencies") return `How many ${counted} the items of ${visible(source.item)} have`;
  if (!released) return mechanismFor(question).words.none ?? "Nothing can be released";
  const items = numberOf(winners.length, "item");
  if (question.kind === "adaptive") return `${items} that stand${winners.length === 1 ? "s" : ""} out`;
  if (question.kind === "names") return `${items} with enough ${counted}`;
  return `The ${winners.length === 1 ? "item" : items} with the most ${counted}`;
}

/** From this many on, quantiles are counted and not listed. */
const MANY_QUANTILES = 4;

function quantilesInWords(shares: readonly string[], column: string): string {
  const of = `of ${visible(column)}`;
  if (shares.length >= MANY_QUANTILES) return `${shares.length} quantiles ${of}`;
  const list = joined(shares.map((share) => `the ${quantileName(share)}`));
  return `${list[0].toUpperCase()}${list.slice(1)} ${of}`;
}

const NAMED_QUANTILES: Readonly<Record<string, string>> = { "0": "minimum", "0.5": "median", "1": "maximum" };

/** "median", "90 % quantile". */
export function quantileName(share: string): string {
  return NAMED_QUANTILES[share] ?? `${percent(rational(share))} quantile`;
}

function percent(share: Rational): string {
  return `${(100 * share.toNumber()).toLocaleString("en", { maximumFractionDigits: 2 })} %`;
}

/** "12 ranks", "40 ranks and 0.2 % of all values", or, short, "40 ranks + 0.2 %". */
export function rankErrorInWords({ ranks, share }: RankError, length: "long" | "short" = "long"): string {
  const also = length === "long" ? ` and ${percent(share)} of all values` : ` + ${percent(share)}`;
  const more = share.numerator === 0n ? "" : also;
  return `${numberOf(Number(ranks.ceil()), "rank")}${more}`;
}

/** How near quantiles are to the exact ones, as far as that is known without the data. Give the errors if you have them. */
export function rankErrorsInWords(question: Question, errors = rankErrors(question)): string {
  const worst = errors.reduce((a, b) => (a.ranks.compare(b.ranks) > 0 ? a : b));
  const each = question.k === 1 ? "its rank is" : "the rank of each value is";
  return `${each} within ${rankErrorInWords(worst)} of the exact one, 95 times out of 100`;
}

/** The sums of a frequency list, and how much of it is noise on average. */
export function frequenciesInWords({ question, answer }: Pick<Release, "question" | "answer">): string {
  const { frequencies = [] } = answer;
  const items = frequencies.reduce((sum, run) => sum + run.items, 0);
  const people = frequencies.reduce((sum, run) => sum + run.users * run.items, 0);
  return `the list has ${numberOf(items, "item")} and adds up to ${people.toLocaleString("en")}; ${inventedInWords(question)}; ${limitInWords(question)}`;
}

export function inventedInWords(question: Question): string {
  const people = Math.ceil(inventedPeople(question)).toLocaleString("en");
  return `noise alone adds about ${people} to a list without any items, mostly to its end`;
}

/**
 * Which quantiles are at an end of the grid, where values beyond it count as the end; empty if none is. It follows from the
 * answer and public values, and costs nothing.
 */
export function edgesInWords({ question, answer }: Pick<Release, "question" | "answer">): string {
  if (question.kind !== "quantile") return "";
  const [lower, upper] = gridEnds(question.domain as GridDomain);
  const ends = answer.winners.filter(({ item }) => lower.equals(item) || upper.equals(item));
  if (ends.length === 0) return "";
  const names = ends.map(({ quantile = "0" }) => `the ${quantileName(quantile)}`);
  const [are, lie] = ends.length === 1 ? ["is", "the exact one may lie"] : ["are", "the exact ones may lie"];
  const which = ends.length >= MANY_QUANTILES ? `${ends.length} of the quantiles` : joined(names);
  return `${which} ${are} at an end of the range ${lower} to ${upper}, and ${lie} beyond it`;
}

/** The words as a sentence of their own. */
export function asSentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** "a, b and c". */
function joined(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** Why there are fewer than were asked for; empty where there are not. */
export function endInWords({ question, answer }: Release | NewRelease): string {
  const { winners, k } = answer;
  if (question.kind !== "top" || winners.length >= k) return "";
  const { whyFewer = "no more can be named" } = mechanismFor(question).words;
  return `${winners.length} of ${k}: ${whyFewer}`;
}

/** In which order names are given; empty for values. */
export function orderInWords({ ordered, winners }: ReleaseAnswer): string {
  if (winners.length < 2 || winners[0].quantile !== undefined) return "";
  return ordered ? ", best first" : ", in the order of their names";
}

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

export function neighboursInWords(neighbours: Neighbours): string {
  return neighbours === "add-remove" ? "one person is added or removed" : "one person is replaced by another";
}

/** The unit of privacy as it follows a loss: "per user (added or removed)". A statement has the exact unit. */
export function unitInWords({ unit, neighbours }: Pick<Question, "unit" | "neighbours">): string {
  const column = /^one value of (?:the )?column "?(\p{L}[^"]*)"?$/u.exec(unit)?.[1];
  const one = column ?? /^(?:one|an?) (.+)$/u.exec(unit)?.[1];
  const change = neighbours === "add-remove" ? "added or removed" : "replaced by any other";
  return `${one === undefined ? `for ${unit}` : `per ${one}`} (${change})`;
}

export function mechanismInWords(name: string, parameters: Readonly<Record<string, string>>): string {
  const { how } = mechanismFor({ mechanism: name }).words;
  if (typeof how === "string") return how;
  return how(Object.fromEntries(Object.entries(parameters).map(([key, text]) => [key, visible(text)])));
}

/** One sentence on one line. */
export function caption(release: Release | NewRelease): string {
  const { question, answer, loss } = release;
  const promise = `with differential privacy (${loss.readable}) ${visible(unitInWords(question))}`;
  if (!answer.released)
    return `Asked for the items with the most ${countedInWords(question)} ${promise}, the mechanism answered that none can be named.`;
  const among = question.domain.kind === "unknown" ? "" : ` ${fromDomain(question.domain)}`;
  const details = [
    endInWords(release),
    question.kind === "quantile" ? rankErrorsInWords(question) : "",
    edgesInWords(release),
    question.kind === "frequencies" ? frequenciesInWords(release) : "",
    question.resolution === undefined ? "" : gapsInWords(question),
    question.counts ? countsInWords(question) : "",
  ];
  const more = details.map((detail) => detail && `; ${detail}`).join("");
  return `${headline(release)}${among}${orderInWords(answer)}, released ${promise}${more}.`;
}

function fromDomain(domain: Domain): string {
  return `${domain.kind === "grid" ? "among" : "of"} ${domainInWords(domain)}`;
}

function gapsInWords(question: Question): string {
  return `a lead is by how many ${countedInWords(question)} an item leads the next, give or take the noise that protects people`;
}

/** How near counts are to the truth, and what they leave out. */
export function countsInWords(question: Question): string {
  const [plan, limit] = [countsOf(question), limitInWords(question)];
  const noise =
    plan === undefined
      ? "counts have noise"
      : `each count is within ${plan.halfWidth.toLocaleString("en")} of the true number of ${countedInWords(question)}, 95 times out of 100`;
  return limit === undefined ? noise : `${noise}; ${limit}`;
}

export function boundInWords(items: number, kind: Question["kind"] = "top"): string {
  return `each person counts for at most ${numberOf(items, kind === "quantile" ? "value" : "item")}`;
}
