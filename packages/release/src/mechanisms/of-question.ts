/**
 * A question and its mechanism: its public parameters, its noise and its exact price, all from the question alone, and its answer.
 * The recorded parameters determine the law of the answer. A mechanism's loss doesn't depend on the data, so it is asked of the
 * mechanism itself, for a dry run, a plan or a confirmation, and equals the loss that the answer will carry.
 *
 * Pay what you get: an account reserves the highest price before anything is drawn, and counts for the answer afterwards what it
 * used, where the mechanism has a proof for it. The release still promises its whole loss on its own. Where several losses are true
 * of one run, the account's measure decides which of them it counts.
 * @module
 */

import type { Entropy, Loss } from "winnow-dp";
import { invalidParameter, rational } from "winnow-dp";
import { type CountPlan, type CountsShown, countsShown } from "../parts/counts.js";
import type { Answer, Batches, CandidatesWanted, GroupedRows } from "../question/answer.js";
import { type GroupName, groupText, lossTogether } from "../question/groups.js";
import type { Question } from "../question/question.js";
import {
  drawInGroups,
  type GroupedQuestion,
  isGrouped,
  lossInGroups,
  parametersInGroups,
  questionsIn,
  subQuestion,
  wantedInGroups,
} from "./in-groups.js";
import type { Counting, Mechanism, Price, Race, Used } from "./mechanism.js";
import { MECHANISM_NAMES, mechanismNamed } from "./mechanisms.js";

/** The mechanism that answers. Throws if none has that name. */
export function mechanismFor({ mechanism }: Pick<Question, "mechanism">): Mechanism {
  const found = mechanismNamed(mechanism);
  if (found === undefined)
    throw invalidParameter("mechanism", `one of ${MECHANISM_NAMES.join(", ")}`, mechanism);
  return found;
}

/** As a release records it. */
export interface NamedMechanism {
  readonly name: string;
  /** Numbers as exact text. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The mechanism of a question with its public parameters. */
export function mechanismOf(question: Question): NamedMechanism {
  const { name, parameters } = mechanismFor(question);
  const parametersOf = (asked: Question) => mechanismFor(asked).parameters(asked);
  return {
    name,
    parameters: isGrouped(question) ? parametersInGroups(question, parametersOf) : parameters(question),
  };
}

/** By question: a release asks for its own price several times on its way. */
const PRICES = new WeakMap<Question, Price>();

function priceOf(question: Question): Price {
  const known = PRICES.get(question);
  if (known !== undefined) return known;
  const price = mechanismFor(question).price(question);
  PRICES.set(question, price);
  return price;
}

/** The loss of one answer to the question: what a release promises on its own. */
export function lossOf(question: Question): Loss {
  if (isGrouped(question)) return lossInGroups(question, lossOf);
  return priceOf(question).loss;
}

/** Whether an account may count something else than the loss. Of any recorded question; it computes no price. */
export function mayCountApart(question: unknown): boolean {
  const { mechanism } = (question ?? {}) as { readonly mechanism?: unknown };
  const found = mechanismNamed(mechanism);
  return found?.isPaidByRound === true || found?.hasOtherPrices === true;
}

/** Whether a short answer may cost less. Of any recorded question, also one that another program asked. */
export function isPaidByRound(question: unknown): boolean {
  const { mechanism } = (question ?? {}) as { readonly mechanism?: unknown };
  return mechanismNamed(mechanism)?.isPaidByRound === true;
}

/**
 * The reserved loss, and the loss counted instead.
 *
 * @inline
 */
export interface Charge {
  readonly reserved: Loss;
  readonly settled: Loss;
}

/** As much of an answer as its price depends on. */
interface AnswerLength {
  readonly winners: number;
  /** Whether ⊥ ended the list. */
  readonly stopped?: boolean;
  readonly groups?: readonly { readonly name: GroupName; readonly answer: AnswerLength }[];
}

export function lengthOf({
  winners,
  stopped = false,
  groups,
}: Pick<Answer, "winners" | "stopped" | "groups">): AnswerLength {
  return {
    ...{ winners: winners.length, stopped },
    ...(groups && { groups: groups.map(({ name, answer }) => ({ name, answer: lengthOf(answer) })) }),
  };
}

/** Undefined where a release is counted in full. */
export function chargeOf(question: Question, answer: AnswerLength, counting: Counting): Charge | undefined {
  if (isGrouped(question)) return chargeInGroups(question, answer, counting);
  const count = countedOf(priceOf(question), counting);
  return count && { reserved: count(allOf(question)), settled: count(usedBy(answer)) };
}

/** Whether an answer of any length is counted apart. */
export function isCountedApart(question: Question, counting: Counting): boolean {
  return chargeOf(question, { winners: 0 }, counting) !== undefined;
}

function allOf({ k }: Question): Used {
  return { rounds: k, names: k };
}

function usedBy({ winners, stopped }: AnswerLength): Used {
  return { rounds: winners + Number(stopped === true), names: winners };
}

/**
 * The g largest of what the groups used, after all of them are done. In full where groups are selected, and where any group is
 * counted in full.
 */
function chargeInGroups(
  question: GroupedQuestion,
  { groups = [] }: AnswerLength,
  counting: Counting,
): Charge | undefined {
  if (question.groups.list === "selected") return undefined;
  const { preferred, common } = questionsIn(question);
  const counts = [...preferred, ...(common === undefined ? [] : [common])].map((asked) =>
    countedOf(priceOf(asked), counting),
  );
  if (counts.some((count) => count === undefined)) return undefined;
  const budgets = question.groups.budgets ?? [];
  const places = new Map(budgets.map(({ group }, place) => [groupText(group), place]));
  const settled = groups.map(({ name, answer }) =>
    counts[places.get(groupText(name)) ?? budgets.length]!(usedBy(answer)),
  );
  const all = counts.map((count) => count!(allOf(question)));
  const rest = common === undefined ? undefined : all[budgets.length];
  const reserved = lossTogether(all.slice(0, budgets.length), rest, question);
  return { reserved, settled: settled.length === 0 ? reserved : lossTogether(settled, undefined, question) };
}

/** The loss that must fit before a release. */
export function reservationOf(question: Question, counting: Counting): Loss {
  if (isGrouped(question))
    return chargeInGroups(question, { winners: 0 }, counting)?.reserved ?? lossOf(question);
  const price = priceOf(question);
  return countedOf(price, counting)?.(allOf(question)) ?? price.loss;
}

/** By the length of the answer, or by the one of several true losses that the account's measure takes best. */
function countedOf(price: Price, counting: Counting): ((used: Used) => Loss) | undefined {
  if (price.also === undefined) return price.counted?.(counting);
  const { measure, isAtOrder } = counting;
  const wanted = measure === "pure" || measure === "base2" ? "pure" : "zcdp";
  if (measure === "approx" && !isAtOrder) return undefined;
  const other = price.also.find((loss) => loss.measure === wanted);
  return other && (() => other);
}

/** Other true losses of the same run, such as its ρ beside an (ε, δ); an account counts one of all, and they are never added. */
export function otherPrices(question: Question): readonly Loss[] {
  return priceOf(question).also ?? [];
}

/** How counts with intervals are measured, in groups those of a group without a budget of its own; undefined where there are none. */
export function countsOf(question: Question): CountPlan | undefined {
  if (isGrouped(question)) return countsOf(subQuestion(question));
  return question.counts ? mechanismFor(question).counts?.(question) : undefined;
}

/** How the counts of a release were measured, as it recorded it; undefined where they have no intervals. */
export function countsIn({ question, mechanism }: Answered): CountsShown | undefined {
  return question.counts ? countsShown(mechanism.parameters) : undefined;
}

/** As much of a release as its numbers depend on. */
export interface Answered {
  readonly question: Question;
  readonly mechanism: NamedMechanism;
}

/** The race behind the leads, with the noise that a release recorded; undefined where none are released. */
export function raceOf({ question, mechanism }: Answered): Race | undefined {
  const race = question.resolution === undefined ? undefined : mechanismFor(question).leads?.(question);
  const { scale } = mechanism.parameters;
  return race === undefined || scale === undefined ? race : { ...race, scale: rational(scale) };
}

/** What a source must count, in groups in each of them. */
export function candidatesWanted(question: Question): CandidatesWanted {
  if (isGrouped(question)) return wantedInGroups(question, mechanismFor(question));
  return mechanismFor(question).wants(question);
}

/**
 * Where the bits come from, and what is told while it runs.
 *
 * @inline
 */
export interface SelectOptions {
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** The private answer. Nothing is charged here: charge its loss before you show it to anyone. */
export function select(
  question: Question,
  batches: Batches,
  { entropy }: SelectOptions = {},
): Promise<Answer> {
  if (isGrouped(question)) throw invalidParameter("groups", "absent in a question about all rows");
  return mechanismFor(question).draw(question, batches, entropy);
}

/** The private answers to a question in groups. Nothing is charged here either. */
export async function selectInGroups(
  question: Question,
  rows: GroupedRows,
  { entropy }: SelectOptions = {},
): Promise<Answer> {
  if (!isGrouped(question)) throw invalidParameter("groups", "given in a question in groups");
  const answer = await drawInGroups(question, mechanismFor(question), rows, entropy);
  return { ...answer, loss: lossOf(question) };
}
