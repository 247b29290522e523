/**
 * The privacy statement: a paragraph and the fields that a privacy officer files, with a sentence on what the loss
 * promises one person (factors are rounded up). Everything in it is public. It follows from the release, except for
 * the remaining budget, which comes from the ledger. Plain text without control characters.
 * @module
 */
import {
  type Extended,
  isBounded,
  type Loss,
  type LossLike,
  lossFromJson,
  lossToJson,
  type Rational,
  readLoss,
} from "winnow-dp";
import { decimalText, readableLoss } from "../document/loss-text.js";
import type { EpsilonFrom, NewRelease, Release } from "../document/release-document.js";
import { frequenciesInWords } from "../kinds/frequencies.js";
import { kindOf } from "../kinds/kinds.js";
import { rankErrorsInWords } from "../kinds/quantile.js";
import { promiseSentence } from "../ledger/periods.js";
import { countsIn } from "../mechanisms/of-question.js";
import { countedInWords, neighboursInWords } from "../question/labels.js";
import type { Question } from "../question/question.js";
import { visible } from "../words/neutralise.js";
import { joined, numberOf } from "../words/sentences.js";
import {
  groupBudgetsInWords,
  groupColumns,
  groupLimitInWords,
  groupsInWords,
  releaseOfOne,
} from "./group-releases.js";
import {
  countsInWords,
  domainInWords,
  endInWords,
  headline,
  mechanismInWords,
  orderInWords,
} from "./in-words.js";

/** What the ledger says after the release. */
export interface BudgetLeft {
  /** The limit, if the data set has a budget. */
  readonly limit?: Loss | undefined;
  /** The loss of all releases so far, including this one. */
  readonly spent?: Loss | undefined;
  /** The spent loss as one (ε, δ). */
  readonly atDelta?: Loss | undefined;
  readonly remaining?: Loss | undefined;
  /** How many more releases like this would fit. */
  readonly more?: number | undefined;
  /** The orders at which a Rényi budget holds. */
  readonly orders?: readonly Rational[] | undefined;
}

/**
 * What a privacy officer files: a paragraph and fields.
 *
 * @inline
 */
export interface Statement {
  readonly paragraph: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The paragraph, an empty line, and the fields as `name: value` lines. */
  readonly text: string;
}

/** The statement of a release. */
export function statement(release: Release | NewRelease, budget: BudgetLeft = {}): Statement {
  const paragraph = paragraphOf(release, budget);
  const fields = fieldsOf(release, budget);
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  return { paragraph, fields, text: `${paragraph}\n\n${lines.join("\n")}\n` };
}

function paragraphOf(release: Release | NewRelease, budget: BudgetLeft): string {
  const { question, software, dataset, time, loss, mechanism } = release;
  const sentences = [
    `On ${time.slice(0, 10)} ${visible(software.name)} ${visible(software.version)} published an answer about the data set "${visible(dataset)}": ${answerInWords(release)}.`,
    `The answer is differentially private; the unit of privacy is ${visible(question.unit)}.`,
    promiseInWords(lossFromJson(loss), neighboursInWords(question.neighbours)),
    question.groups === undefined
      ? ""
      : `It is the loss of all groups together: ${groupLimitInWords(question.groups)}, so only the ${question.groups.maxGroupsPerUser === 1 ? "largest loss of a group counts" : `${question.groups.maxGroupsPerUser} largest losses of a group count`}, however many groups there are.`,
    chosenEpsilonInWords(release),
    chargeInWords(release),
    periodInWords(question, budget),
    itemsInWords(question),
    question.where === undefined ? "" : `Only rows count for which ${visible(question.where)}.`,
    `${chosenInWords(question)}; the mechanism was ${mechanismInWords(mechanism.name, mechanism.parameters)}, computed exactly, without rounding.`,
    budgetInWords(budget),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** The items of a row, where they aren't one column as it is. */
function itemsInWords({ items, map }: Question): string {
  const what = items === undefined ? "" : `Each row counts for ${visible(joined(items))}. `;
  const mapped =
    map === undefined
      ? ""
      : `Items are replaced as a public map of ${numberOf(map.size, "item")} says; others are skipped.`;
  return `${what}${mapped}`.trim();
}

/** What the account promises over time. */
function periodInWords({ period }: Question, { limit, orders }: BudgetLeft): string {
  if (period === undefined) return "";
  const { name, promise } = period;
  const most = promise.maxPeriodsPerUser;
  const who = most === undefined ? "" : `, and each person is counted in ${most} of the ${promise.horizon}`;
  const promised =
    limit === undefined ? "" : ` ${promiseSentence(promise, readableLoss(limit, "down", orders))}`;
  return `It is about ${name}, one of ${promise.horizon} ${promise.period}s${who}.${promised}`;
}

function answerInWords(release: Release | NewRelease): string {
  const { answer, question } = release;
  if (!answer.released && question.groups === undefined)
    return "that nothing can be released, which is an answer and is charged like any other";
  const counted = countedInWords(question);
  const gaps =
    question.resolution === undefined
      ? ""
      : `, each with a noisy count of ${counted} by which it leads the next`;
  const counts = question.counts ? `, each with a noisy count of its ${counted}` : "";
  const what = headline(release);
  const end = endInWords(release);
  return `${what[0].toLowerCase()}${what.slice(1)}${orderInWords(answer)}${gaps}${counts}${end && ` (${end})`}`;
}

const EPSILON_FROM: Readonly<Record<EpsilonFrom, { readonly short: string; readonly sentence: string }>> = {
  "private-rows": {
    short: "by looking at predictions from the private rows",
    sentence:
      "Its ε was chosen by looking at predictions from the private rows, which reveals a little about them that this loss doesn't cover",
  },
  "public-twin": {
    short: "on a public twin of the rows",
    sentence: "Its ε was chosen on a public twin of the rows, which reveals nothing about them",
  },
  before: {
    short: "before anyone looked at the rows",
    sentence: "Its ε was fixed before anyone looked at the rows",
  },
};

function chosenEpsilonInWords({ epsilonFrom }: Release | NewRelease): string {
  return epsilonFrom === undefined ? "" : `${EPSILON_FROM[epsilonFrom].sentence}.`;
}

/** What the account counts, where that is less than the release promises on its own. */
function chargeInWords(release: Release | NewRelease): string {
  const { charge }: Partial<Release> = release;
  if (charge === undefined || charge.reserved.readable === charge.settled.readable) return "";
  return `Its account had set aside ${charge.reserved.readable} and counts ${charge.settled.readable} for this answer towards its limit, because only the rounds that were used are paid; what the release promises on its own is the whole loss.`;
}

/** A ρ alone says little: it comes with its (ε, δ). */
function spentInWords(budget: BudgetLeft): string | undefined {
  const { spent, orders } = budget;
  if (spent === undefined) return undefined;
  const own = readableLoss(spent, "up", orders);
  if (spent.measure === "pure" || spent.measure === "approx" || budget.atDelta === undefined) return own;
  return `${own} (together ${readableLoss(budget.atDelta)})`;
}

function budgetInWords(budget: BudgetLeft): string {
  const { limit, spent, remaining, more, orders } = budget;
  const releases =
    more === undefined || !Number.isFinite(more) ? "" : `, about ${numberOf(more, "more release")} like this`;
  if (limit !== undefined && remaining !== undefined)
    return `Of the budget of ${readableLoss(limit, "down", orders)}, ${readableLoss(remaining, "down", orders)} is left${releases}.`;
  return spent === undefined
    ? ""
    : `All releases about this data set together have cost ${spentInWords(budget)}; it has no budget.`;
}

function fieldsOf(release: Release | NewRelease, budget: BudgetLeft): Statement["fields"] {
  const { question, mechanism, loss, software, source, notes } = release;
  const { ledger, charge }: Partial<Release> = release;
  const { readable, ...exact } = loss;
  const { shape } = kindOf(question);
  const isQuantile = shape === "values";
  const { groups } = question;
  const one = releaseOfOne(release); // the counts and errors are those of one group
  const fields: [string, string | false | 0 | undefined][] = [
    ["Release", release.id],
    ["Data set", release.dataset],
    ["Time", release.time],
    ["Unit of privacy", question.unit],
    ["Neighbouring data sets", `differ in that ${neighboursInWords(question.neighbours)}`],
    ["Question", kindOf(question).question(question)],
    ["Items of a row", question.items?.join(", ")],
    ["Hash of the map of items", question.map?.hash],
    ["Rows that count", question.where],
    ["Groups", groups && `by ${groupColumns(groups)}: ${groupsInWords(groups)}`],
    ["Hash of the list of groups", groups && groups.list !== "selected" ? groups.list.hash : undefined],
    ["Groups a person counts in", groups && `at most ${groups.maxGroupsPerUser}`],
    ["Budgets of groups", groupBudgetsInWords(question)],
    ["Period", question.period?.name],
    ["Candidates", domainInWords(question.domain)],
    ["Hash of the list", question.domain.kind === "listed" ? question.domain.hash : undefined],
    ["Mechanism", mechanism.name],
    ["Parameters", listed(mechanism.parameters)],
    ["Privacy loss", readable],
    ["Privacy loss, exactly", listed(lossToJson(lossFromJson(exact)))],
    ["How ε was chosen", release.epsilonFrom && EPSILON_FROM[release.epsilonFrom].short],
    ["Reserved", charge?.reserved.readable],
    ["Counted as", charge?.settled.readable],
    [
      `${isQuantile ? "Values" : "Items"} a person counts for`,
      question.maxItemsPerUser && `at most ${question.maxItemsPerUser}`,
    ],
    ["Frequencies", shape === "frequencies" && groups === undefined && frequenciesInWords(release)],
    ["Noise", shape === "frequencies" && groups !== undefined && kindOf(question).accuracy?.(one.question)],
    ["Quantiles of", isQuantile && countedInWords(question)],
    ["Rank error", isQuantile && rankErrorsInWords(one.question)],
    ["Number of values", question.atMost && `at most ${question.atMost}, as was declared`],
    ["Counts", question.counts && countsInWords(one)],
    ["Errors of counts", countsIn(one)?.shared && SHARED_ERRORS],
    ["Budget", budget.limit && readableLoss(budget.limit, "down", budget.orders)],
    ["Spent so far", spentInWords(budget)],
    ["Budget left", budget.remaining && readableLoss(budget.remaining, "down", budget.orders)],
    ["More releases like this", budget.more === undefined ? undefined : String(budget.more)],
    ["Rows", source.name === release.dataset ? undefined : source.name],
    ["Columns", `${isQuantile ? "value" : "item"}: ${source.item}, user: ${source.user}`],
    ["Read as", listed(source.dialect) || undefined],
    ["Software", `${software.name} ${software.version} (${listed(software.packages)})`],
    ["Ledger", ledger && `row ${ledger.sequence}, head ${ledger.head}`],
    ...notes.map((note): [string, string] => ["Note", note]),
  ];
  return fields.flatMap(([name, value]) => (value ? [[name, visible(value)] as const] : []));
}

function chosenInWords({ kind, domain }: Question): string {
  const { shape } = kindOf({ kind });
  if (shape === "frequencies") return "No item is named, and no list of items was needed";
  return `${shape === "values" ? "Values" : "Winners"} were chosen from ${domainInWords(domain)}`;
}

/** "name = value, …". */
function listed(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
}

/** `change` is what neighbouring data sets differ in: "one person is added or removed". */
export function promiseInWords(promised: LossLike, change: string): string {
  const loss = readLoss(promised);
  const cost = readableLoss(loss);
  switch (loss.measure) {
    case "pure":
      return `Its privacy loss is ${cost}: if ${change}, every answer stays as likely as it was${upTo(loss.epsilon)}.`;
    case "approx":
      return `Its privacy loss is ${cost}: if ${change}, every answer stays as likely as it was${upTo(loss.epsilon)}, except with probability ${decimalText(loss.delta, "up")}.`;
    case "zcdp":
      return `Its privacy loss is ${cost} (zero-concentrated differential privacy${loss.delta === undefined ? "" : `, except with probability ${decimalText(loss.delta, "up")}`}): if ${change}, the logarithm of how much more likely any answer becomes is at worst like a Gaussian of mean ρ and variance 2ρ.`;
    default:
      return `Its privacy loss is ${cost} if ${change}.`;
  }
}

const SHARED_ERRORS =
  "share a part, so differences between counts are more accurate than the counts, and the sum of many is less accurate than with noise of their own";

/** Factors that are large say little; then the promise itself is enough. */
const LARGEST_FACTOR = 1000;
/** Above ε = 10. */
const NO_PROTECTION = 22_027;
const FACTOR_TOO_LARGE =
  "which is more than 22,000 times: that protects hardly anyone, and a reader of the answer may learn with near certainty whether someone is in the data";

function upTo(epsilon: Extended): string {
  const factor = Math.exp(isBounded(epsilon) ? epsilon.toNumber("up") : Infinity);
  if (factor > NO_PROTECTION) return ` up to a factor of e^ε, ${FACTOR_TOO_LARGE}`;
  if (factor > LARGEST_FACTOR) return " up to a factor of e^ε";
  return ` up to a factor of e^ε, at most ${(Math.floor(factor * 100 + 1) / 100).toFixed(2)}`;
}
