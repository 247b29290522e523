/**
 * What ε buys, and what a goal costs, on public or generated scores; and what a question without a public list needs.
 *
 * `plan` runs every mechanism that can answer a question, at every ε, and reports what its answers are worth.
 * `epsilonForRecall` goes the other way. Recall grows with ε, so bisection over simulations finds the smallest ε of a
 * fixed series that reaches the goal. That ε is then simulated afresh with four times the runs, and raised step by
 * step until it reaches the goal there too. Stated error: steps of the series are about 10 %, and the recall comes
 * with its standard error.
 *
 * `neededUsers` says how many people an item needs to be named where no public list says who may be named, from the
 * question alone. A release that most likely names nothing costs as much as any other, so people are told beforehand.
 * @module
 */
import { invalidParameter, type RationalLike, rational, WinnowError } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { canAnswer, type Draft } from "../ask/can-answer.js";
import { readQuestion } from "../ask/read-question.js";
import { kindOf } from "../kinds/kinds.js";
import type { Rules } from "../mechanisms/mechanism.js";
import { MECHANISM_NAMES } from "../mechanisms/mechanisms.js";
import { mechanismFor } from "../mechanisms/of-question.js";
import { prefersGumbel } from "../parts/approx-rounds.js";
import type { NeededUsers } from "../question/answer.js";
import type { Question, QuestionInput } from "../question/question.js";
import {
  type Estimate,
  expectedUtility,
  RankedScores,
  type SimulationOptions,
  type Utility,
} from "./simulate.js";

/**
 * What a plan is computed for, and how often each mechanism is run.
 *
 * @inline
 */
export interface PlanOptions extends SimulationOptions {
  /** Prices in ε, or in ρ where `measure` says so. */
  readonly epsilons: readonly RationalLike[];
  readonly measure?: "epsilon" | "rho" | undefined;
  /** The counts of the same items after people were cut to `maxItemsPerUser`, for mechanisms that do so. */
  readonly bounded?: ArrayLike<number> | undefined;
  /** Default: all that can answer the question. */
  readonly mechanisms?: readonly string[] | undefined;
  /** Called with each row as soon as it is there. */
  readonly onRow?: ((row: PlanRow) => void) | undefined;
}

/** One line of a plan: a mechanism at a price, and how useful its answers were. */
export interface PlanRow {
  readonly mechanism: string;
  /** The price: an ε, or a ρ where the question has one and the plan is in ρ. */
  readonly epsilon: string;
  readonly question: Question;
  readonly utility: Utility;
}

/** Runs the real mechanisms on public counts at several prices, and measures how useful the answers are. */
export async function plan(
  input: QuestionInput,
  scores: ArrayLike<number>,
  { epsilons, measure = "epsilon", mechanisms, bounded, onRow, ...options }: PlanOptions,
): Promise<PlanRow[]> {
  const rows: PlanRow[] = [];
  const ranked = new RankedScores(scores, bounded);
  for (const epsilon of epsilons) {
    const at = measure === "rho" ? questionsAtRho : questionsAt;
    for (const question of at(input, epsilon, mechanisms)) {
      if (question.maxItemsPerUser !== undefined && bounded === undefined) continue; // what is left is not known
      const utility = await expectedUtility(question, ranked, options);
      const row = { mechanism: question.mechanism, epsilon: String(rational(epsilon)), question, utility };
      rows.push(row);
      onRow?.(row);
    }
  }
  return rows;
}

/**
 * The question as each mechanism that can answer it would be asked, at the price of ε, or of (ε, δ) where δ is given and of
 * use. Throws what is wrong with the question itself if none can.
 */
export function questionsAt(
  input: QuestionInput,
  epsilon: RationalLike,
  mechanisms: readonly string[] = namesFor(input),
): Question[] {
  const questions = mechanisms.flatMap((mechanism) => askedOf(mechanism, input, epsilon));
  if (questions.length === 0)
    readQuestion({
      ...input,
      epsilon,
      rho: undefined,
      mechanism: mechanisms.length === 1 ? mechanisms[0] : undefined,
    });
  return questions;
}

/** The same at the price of ρ, by the mechanisms that take one. */
export function questionsAtRho(
  input: QuestionInput,
  rho: RationalLike,
  mechanisms: readonly string[] = namesFor(input),
): Question[] {
  const questions = mechanisms.flatMap((mechanism) => {
    const { rules } = mechanismFor({ mechanism });
    if (!rules.budgets.includes("rho")) return [];
    const asked = { ...input, epsilon: undefined, rho, ...extras(rules, input), resolution: undefined };
    return answerable({ ...asked, ...(rules.delta === "possible" && { delta: undefined }), mechanism });
  });
  if (questions.length === 0)
    readQuestion({ ...input, rho, mechanism: mechanisms.length === 1 ? mechanisms[0] : undefined });
  return questions;
}

/** An order answers a question about a set, and not the other way round. */
function namesFor({ set }: QuestionInput): readonly string[] {
  return MECHANISM_NAMES.filter((mechanism) => set || !mechanismFor({ mechanism }).rules.isSet);
}

function askedOf(mechanism: string, input: QuestionInput, epsilon: RationalLike): Question[] {
  const { rules } = mechanismFor({ mechanism });
  const asked = extras(rules, input);
  // δ is used where it buys less noise.
  const isSpare =
    rules.delta === "possible" && !prefersGumbel({ ...input, ...asked, k: input.k ?? 1, epsilon });
  return answerable({
    ...input,
    ...asked,
    mechanism,
    epsilon,
    rho: undefined,
    delta: isSpare ? undefined : asked.delta,
    resolution: rules.gaps === undefined ? undefined : input.resolution,
  });
}

/** The question, or none if another mechanism may answer it. */
function answerable(input: QuestionInput & { readonly mechanism: string }): Question[] {
  const { domain, delta, mechanism } = input;
  const draft: Draft = {
    kind: kindOf(input).name,
    domain: domain.kind,
    lacks: delta === undefined ? ["delta"] : [],
  };
  if (canAnswer(mechanismFor({ mechanism }), draft) !== true) return [];
  try {
    return [readQuestion(input)];
  } catch (error) {
    if (error instanceof WinnowError && NOT_FOR_THIS.has(String(error.field))) return [];
    throw error;
  }
}

/** What a mechanism cannot give is left out of the comparison, not refused. */
function extras(
  rules: Rules,
  { delta, counts, maxItemsPerUser, set, outsiderShare }: QuestionInput,
): Pick<QuestionInput, "delta" | "counts" | "maxItemsPerUser" | "set" | "outsiderShare"> {
  return {
    ...(rules.isSet ? { set, outsiderShare } : { set: undefined, outsiderShare: undefined }),
    delta: rules.delta === "none" ? undefined : delta,
    counts: rules.counts === undefined ? undefined : counts,
    // Where a limit is only possible, all items of a person are better.
    maxItemsPerUser: rules.bound === "needed" ? maxItemsPerUser : undefined,
  };
}

/** Fields whose refusal means that another mechanism may answer; anything else is wrong with the question. */
const NOT_FOR_THIS: ReadonlySet<string> = new Set(["domain", "k", "maxItemsPerUser"]);

/** What would be bought. */
export interface EpsilonForRecall {
  /** The smallest ε of the series that reaches the goal; undefined if none up to 100 does. */
  readonly epsilon?: string;
  /** At that ε, or at the largest one. */
  readonly recall: Estimate;
  readonly runs: number;
  readonly question: Question;
}

/** The series E24: 24 steps of about 10 % to each power of ten. */
const STEPS = [
  10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91,
];
const POWERS = [-4, -3, -2, -1, 0];

/** 0.001 … 91, and 100. */
export const EPSILON_SERIES: readonly string[] = [
  ...POWERS.flatMap((power) => STEPS.map((step) => String(Number(`${step}e${power}`)))),
  "100",
];

/** The smallest ε of a series at which an answer is as good as wanted. */
export async function epsilonForRecall(
  input: Omit<QuestionInput, "epsilon" | "rho">,
  goal: number,
  scores: ArrayLike<number>,
  { bounded, ...options }: SimulationOptions & Pick<PlanOptions, "bounded"> = {},
): Promise<EpsilonForRecall> {
  if (!(goal > 0 && goal <= 1)) throw invalidParameter("recall", "a number above 0 and at most 1", goal);
  const { runs = 200 } = options;
  const ranked = new RankedScores(scores, bounded);
  const at = (index: number) => readQuestion({ ...input, epsilon: EPSILON_SERIES[index] });
  const recallAt = async (index: number, times: number) =>
    (await expectedUtility(at(index), ranked, { ...options, runs: runs * times })).recall;

  let [low, high] = [0, EPSILON_SERIES.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await recallAt(middle, 1)).mean >= goal) high = middle;
    else low = middle + 1;
  }
  for (let index = low; ; index++) {
    const recall = await recallAt(index, 4);
    const isReached = recall.mean >= goal;
    if (isReached || index === EPSILON_SERIES.length - 1)
      return {
        ...(isReached && { epsilon: EPSILON_SERIES[index] }),
        recall,
        runs: 4 * runs,
        question: at(index),
      };
  }
}

/** Undefined where candidates are public, or where items aren't named. */
export async function neededUsers(question: Question): Promise<NeededUsers | undefined> {
  if (question.domain.kind !== "unknown") return undefined;
  const { prepare, needs } = mechanismFor(question);
  if (prepare === undefined) return undefined;
  return needs?.(question) ?? { over: "next", users: await leadNeeded(question) };
}

const LEAD_RUNS = 30;
/** The needed lead hardly depends on k, but the time of a simulation does. */
const LARGEST_SIMULATED_K = 10;
const LARGEST_LEAD = 2 ** 30;

/** The smallest power of two by which k items must lead the others to be named in half of the runs. */
export async function leadNeeded(asked: Question): Promise<number> {
  const question = { ...asked, k: Math.min(asked.k, LARGEST_SIMULATED_K) };
  for (let lead = 1; lead < LARGEST_LEAD; lead *= 2) {
    const counts = Array.from({ length: question.k + 1 }, (_, i) => (i < question.k ? 2 * lead : lead));
    // This affects a remark, not an answer, so the bits may come from a seed.
    const entropy = seededEntropy(`lead ${lead}`);
    const { released } = await expectedUtility(question, counts, { runs: LEAD_RUNS, entropy });
    if (released.mean >= 0.5) return lead;
  }
  return LARGEST_LEAD;
}
