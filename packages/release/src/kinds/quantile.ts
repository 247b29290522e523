/** Quantiles of a column of numbers. */
import { type Rational, rational } from "winnow-dp";
import { type RankError, rankErrors } from "../parts/rank-errors.js";
import { type GridDomain, gridEnds } from "../question/grid.js";
import { countedInWords } from "../question/labels.js";
import type { Question } from "../question/question.js";
import { visible } from "../words/neutralise.js";
import { joined, numberOf } from "../words/sentences.js";
import { DELTA_OF_GROUPS, GROUPED } from "./grouped.js";
import type { Kind, Told } from "./kind.js";

export const quantile: Kind = {
  name: "quantile",
  shape: "values",
  defaults: { maxItemsPerUser: 1 },
  title: "Median, quantiles",
  summary: "publish the median of a column of numbers, and other quantiles",
  options: {
    usual: ["column", "user", "quantiles", "range", "epsilon"],
    others: [
      "step",
      "rho",
      "maxValuesPerUser",
      "atMost",
      ...GROUPED,
      "delta",
      "neighbours",
      "mechanism",
      "unit",
    ],
    texts: { delta: DELTA_OF_GROUPS },
  },
  k: "asked",
  isComplete: true,
  asked: (k) => (k === 1 ? "1 quantile" : `${k} quantiles`),
  wanted: (question) => `${whichQuantiles(question)}, over ${countedInWords(question)},`,
  question: ({ kind, quantiles = [] }) => `${kind}, ${quantiles.join(", ")}`,
  headline: ({ question, source, nouns }) =>
    `${quantilesInWords(question.quantiles ?? [], source.item)} (over ${countedInWords(question, nouns)})`,
  accuracy: (question) => rankErrorsInWords(question),
  details: ({ question, answer }) => [rankErrorsInWords(question), edgesInWords({ question, answer }) ?? ""],
  note: edgesInWords,
};

function whichQuantiles({ k, quantiles = [] }: Question): string {
  return k === 1 ? `the ${quantileName(quantiles[0] ?? "")}` : `${k} quantiles`;
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

/**
 * Which quantiles are at an end of the grid, where values beyond it count as the end; undefined if none is. It follows from the
 * answer and public values, and costs nothing.
 */
function edgesInWords({ question, answer }: Pick<Told, "question" | "answer">): string | undefined {
  const [lower, upper] = gridEnds(question.domain as GridDomain);
  const ends = answer.winners.filter(({ item }) => lower.equals(item) || upper.equals(item));
  if (ends.length === 0) return undefined;
  const names = ends.map(({ quantile = "0" }) => `the ${quantileName(quantile)}`);
  const [are, lie] = ends.length === 1 ? ["is", "the exact one may lie"] : ["are", "the exact ones may lie"];
  const which = ends.length >= MANY_QUANTILES ? `${ends.length} of the quantiles` : joined(names);
  return `${which} ${are} at an end of the range ${lower} to ${upper}, and ${lie} beyond it`;
}
