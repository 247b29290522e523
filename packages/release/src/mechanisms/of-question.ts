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
import type { Answer, Batches, CandidatesWanted } from "../question/answer.js";
import type { Question } from "../question/question.js";
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

export function mechanismOf(question: Question): NamedMechanism {
  const { name, parameters } = mechanismFor(question);
  return { name, parameters: parameters(question) };
}

/** The loss of one answer to the question: what a release promises on its own. */
export function lossOf(question: Question): Loss {
  return mechanismFor(question).price(question).loss;
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

/** The reserved loss, and the loss counted instead. */
export interface Charge {
  readonly reserved: Loss;
  readonly settled: Loss;
}

/** As much of an answer as its price depends on. */
interface AnswerLength {
  readonly winners: number;
  /** Whether ⊥ ended the list. */
  readonly stopped: boolean;
}

/** Undefined where a release is counted in full. */
export function chargeOf(
  question: Question,
  { winners, stopped }: AnswerLength,
  counting: Counting,
): Charge | undefined {
  const count = countedOf(mechanismFor(question).price(question), counting);
  return (
    count && {
      reserved: count({ rounds: question.k, names: question.k }),
      settled: count({ rounds: winners + Number(stopped), names: winners }),
    }
  );
}

/** The loss that must fit before a release. */
export function reservationOf(question: Question, counting: Counting): Loss {
  const price = mechanismFor(question).price(question);
  return countedOf(price, counting)?.({ rounds: question.k, names: question.k }) ?? price.loss;
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
  return mechanismFor(question).price(question).also ?? [];
}

/** How counts with intervals are measured; undefined where there are none. */
export function countsOf(question: Question): CountPlan | undefined {
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

/** What a source must count. */
export function candidatesWanted(question: Question): CandidatesWanted {
  return mechanismFor(question).wants(question);
}

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
  return mechanismFor(question).draw(question, batches, entropy);
}
