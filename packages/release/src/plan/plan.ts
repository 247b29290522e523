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
import { type RationalLike, rational, rhoAtMost, WinnowError } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { mechanismOf } from "../question/mechanism.js";
import {
  MECHANISMS,
  type MechanismName,
  type Question,
  type QuestionInput,
  readQuestion,
} from "../question/question.js";
import { limitedPlan } from "../question/unknown-domains.js";
import { refused } from "../refused.js";
import {
  type Estimate,
  expectedUtility,
  RankedScores,
  type SimulationOptions,
  type Utility,
} from "./simulate.js";

export interface PlanOptions extends SimulationOptions {
  /** Prices in ε, or in ρ where `measure` says so. */
  readonly epsilons: readonly RationalLike[];
  readonly measure?: "epsilon" | "rho" | undefined;
  /** The counts of the same items after people were cut to `maxItemsPerUser`, for mechanisms that do so. */
  readonly bounded?: ArrayLike<number> | undefined;
  /** Default: all that can answer the question. */
  readonly mechanisms?: readonly MechanismName[] | undefined;
  /** Called with each row as soon as it is there. */
  readonly onRow?: ((row: PlanRow) => void) | undefined;
}

export interface PlanRow {
  readonly mechanism: MechanismName;
  /** The price: an ε, or a ρ where the question has one and the plan is in ρ. */
  readonly epsilon: string;
  readonly question: Question;
  readonly utility: Utility;
}

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
  mechanisms: readonly MechanismName[] = Object.keys(MECHANISMS) as MechanismName[],
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
  mechanisms: readonly MechanismName[] = Object.keys(MECHANISMS) as MechanismName[],
): Question[] {
  const { kind = "top", delta } = input;
  const questions = mechanisms.flatMap((mechanism) => {
    const rules = MECHANISMS[mechanism];
    const fits =
      rules.kind === kind && rules.budgets.includes("rho") && !(rules.delta && delta === undefined);
    if (!fits) return [];
    const price = { mechanism, epsilon: undefined, rho, delta: rules.delta ? delta : undefined };
    return answerable(() =>
      readQuestion({ ...input, ...price, ...extras(mechanism, input), resolution: undefined }),
    );
  });
  if (questions.length === 0)
    readQuestion({ ...input, rho, mechanism: mechanisms.length === 1 ? mechanisms[0] : undefined });
  return questions;
}

/** The question, or none if another mechanism may answer it. */
function answerable(read: () => Question): Question[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof WinnowError && NOT_FOR_THIS.has(String(error.field))) return [];
    throw error;
  }
}

function askedOf(mechanism: MechanismName, input: QuestionInput, epsilon: RationalLike): Question[] {
  const { kind = "top", delta, resolution } = input;
  const rules = MECHANISMS[mechanism];
  if (rules.kind !== kind || (rules.delta && delta === undefined)) return [];
  // With a δ to spend, Gumbel noise is worth more than exponential noise: ρ is the largest that (ε, δ) pays for.
  const isConcentrated = mechanism === "top-k" && delta !== undefined;
  return answerable(() =>
    readQuestion({
      ...input,
      mechanism,
      epsilon: isConcentrated ? undefined : epsilon,
      rho: isConcentrated ? rhoAtMost({ epsilon, delta }) : undefined,
      delta: rules.delta ? delta : undefined,
      ...extras(mechanism, input),
      resolution: rules.gaps === undefined ? undefined : resolution,
    }),
  );
}

/** What a mechanism cannot give is left out of the comparison, not refused. */
function extras(
  mechanism: MechanismName,
  { counts, maxItemsPerUser }: QuestionInput,
): Pick<QuestionInput, "counts" | "maxItemsPerUser"> {
  const rules = MECHANISMS[mechanism];
  return {
    counts: rules.counts ? counts : undefined,
    // The limited-domain top k is better off with all items of a person.
    maxItemsPerUser: rules.bound === "needed" ? maxItemsPerUser : undefined,
  };
}

/** Fields whose refusal means that another mechanism may answer; anything else is wrong with the question. */
const NOT_FOR_THIS: ReadonlySet<string> = new Set([
  "mechanism",
  "domain.kind",
  "domain",
  "k",
  "maxItemsPerUser",
]);

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

export async function epsilonForRecall(
  input: Omit<QuestionInput, "epsilon" | "rho">,
  goal: number,
  scores: ArrayLike<number>,
  { bounded, ...options }: SimulationOptions & Pick<PlanOptions, "bounded"> = {},
): Promise<EpsilonForRecall> {
  if (!(goal > 0 && goal <= 1)) throw refused("recall", "a number above 0 and at most 1", goal);
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

/** About how many users an item needs, to be named in half of the runs or more. */
export type NeededUsers =
  /** More than the best item outside the first `candidates`. */
  | { readonly over: "outsiders"; readonly users: number; readonly candidates: number }
  /** In all, if each person counts for at most `maxItemsPerUser` items. */
  | { readonly over: "none"; readonly users: number; readonly maxItemsPerUser: number }
  /** More than the next item. */
  | { readonly over: "next"; readonly users: number };

/** Undefined where candidates are public, or where items aren't named. */
export async function neededUsers(question: Question): Promise<NeededUsers | undefined> {
  if (question.domain.kind !== "unknown" || question.kind === "frequencies") return undefined;
  switch (question.mechanism) {
    case "limited-top-k": {
      const { maxCandidates, threshold } = limitedPlan(question).measurement;
      const need = threshold.plus(question.neighbours === "replace" ? 2n : 1n);
      return { over: "outsiders", users: need.toNumber(), candidates: maxCandidates };
    }
    case "threshold-top-k":
    case "select-partitions":
      return {
        over: "none",
        users: usersAbove(question),
        maxItemsPerUser: question.maxItemsPerUser ?? 1,
      };
    default:
      return { over: "next", users: await leadNeeded(question) };
  }
}

/** With this many users an item is named about every other time. */
function usersAbove(question: Question): number {
  const { threshold, epsilonEach, deltaEach } = mechanismOf(question).parameters;
  if (threshold !== undefined) return Number(threshold);
  const [epsilon, delta] = [epsilonEach, deltaEach].map((size) => rational(size ?? 0n).toNumber());
  // Far below 1/2 the probability grows as δ·(e^(n·ε) − 1)/(e^ε − 1): with tiny parameters, counting would take forever.
  const many = Math.log1p(Math.expm1(epsilon) / (2 * delta)) / epsilon;
  if (epsilon < 1 && many > MOST_STEPS) return Math.ceil(many);
  const factor = Math.exp(epsilon);
  let users = 0;
  for (let kept = 0; kept < 0.5; users++)
    kept = Math.min(factor * kept + delta, 1 - (1 - kept - delta) / factor);
  return users;
}

const MOST_STEPS = 1_000_000;

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
