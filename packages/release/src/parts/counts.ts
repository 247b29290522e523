/**
 * Counts beside released names: the noise, fixed for k names before anything is drawn, the intervals that hold the true
 * counts, and the cost of any number of names. Discrete Gaussian noise is paid in ρ, discrete Laplace noise in ε. Where people are
 * added or removed, counts share a part of their noise wherever that makes intervals narrower: core's `countNoise` decides from
 * public numbers (packages/core/src/discover/shared-counts.proof.md).
 *
 * A quarter of the budget is for the counts, a fifth where they share noise: within 0.5 % of the best split between how many people
 * a name needs to be told and how wide the interval of its count is (docs/mechanisms/top-k-with-counts.md).
 *
 * A shown release uses the parameters that it recorded, so it stays as it was when the rule changes.
 * The columns that cost nothing are made from released numbers alone. `fittedCounts` makes counts fall in the order of
 * the list; with leads, the counts are combined with them first.
 * @module
 */
import {
  type CountNoise,
  combineGaps,
  countNoise,
  type Entropy,
  type Loss,
  type MeasureCountsOptions,
  measureCounts,
  nonIncreasingFit,
  Rational,
  rational,
  systemEntropy,
} from "winnow-dp";
import type { RunAnswer } from "../question/answer.js";
import type { Question } from "../question/question.js";
import { recordedSize } from "./recorded-size.js";
import { remembered } from "./remembered.js";

/** With which probability an interval holds the true count. */
export const COUNT_CONFIDENCE = "0.95";
const LEVEL = rational("0.05");

/** The noise of counts as it is recorded and shown. */
export interface CountsShown {
  readonly law: "gaussian" | "laplace";
  /** σ² or the scale of the noise that a count has for itself, added to factor·count. */
  readonly size: Rational;
  /** What counts are multiplied by before noise is added: they are released as multiples of 1/factor. */
  readonly factor: Rational;
  /** σ² or the scale of the part that all counts share; undefined where they share none. */
  readonly shared?: Rational;
  /** The true count is so near to the released one, with the stated confidence. */
  readonly halfWidth: Rational;
  /** All of them are so near at once; older releases don't say. */
  readonly simultaneous?: Rational;
}

/**
 * The noise of counts, known before a run.
 *
 * @inline
 */
export interface CountPlan extends CountsShown {
  readonly simultaneous: Rational;
  /** For `measureCounts`, after the names are drawn; undefined where the mechanism measures them itself. */
  readonly options?: MeasureCountsOptions;
  readonly noise: CountNoise;
  /** The cost of the counts of `names` names. */
  lossOf(names: number): Loss;
}

/** As much of a question as the noise of counts depends on. */
type Counted = Pick<Question, "k" | "neighbours" | "maxItemsPerUser">;

/** The part of a budget that is for the counts. */
export type CountBudget = { readonly rho: Rational } | { readonly epsilon: Rational };

const OWN_SHARE = rational("1/4");
const SHARED_SHARE = rational("1/5");

/** The share of the budget that is for the counts. Whether they share noise depends on the size of no budget. */
export function countShare(counted: Counted, law: "rho" | "epsilon"): Rational {
  return isShared({ ...sizesOf(counted), law }) ? SHARED_SHARE : OWN_SHARE;
}

const isShared = remembered(
  ({ law, ...sizes }: Sizes & { readonly law: "rho" | "epsilon" }) =>
    makeNoise(sizes, law === "rho" ? { rho: Rational.ONE } : { epsilon: Rational.ONE }).shared !== undefined,
);

/** In one order of keys. */
interface Sizes {
  readonly k: number;
  readonly neighbours: Question["neighbours"];
  readonly maxItemsPerUser: number | undefined;
}

function sizesOf({ k, neighbours, maxItemsPerUser }: Counted): Sizes {
  return { k, neighbours, maxItemsPerUser };
}

function makeNoise(sizes: Sizes, budget: CountBudget): CountNoise {
  return countNoise({ ...sizes, ...budget });
}

/** The noise of the counts of k names that are released within this budget. */
export function countPlan(counted: Counted, budget: CountBudget): CountPlan {
  return planFor({ ...sizesOf(counted), ...budget });
}

const planFor = remembered(
  ({ k, neighbours, maxItemsPerUser, ...budget }: Sizes & CountBudget) =>
    planOf(makeNoise({ k, neighbours, maxItemsPerUser }, budget), {
      k,
      neighbours,
      maxItemsPerUser,
      ...budget,
    }),
  ({ k, neighbours, maxItemsPerUser, ...budget }) =>
    `${k} ${neighbours} ${maxItemsPerUser} ${Object.entries(budget)}`,
);

/** The plan for noise that a mechanism made itself. */
export function planOf(noise: CountNoise, options?: CountPlan["options"]): CountPlan {
  const { law, size, shared, k } = noise;
  const factor = Rational.of(noise.factor);
  return {
    ...{ law, size, factor, noise },
    ...(shared !== undefined && { shared: shared.size }),
    halfWidth: Rational.of(noise.halfWidth(LEVEL), noise.factor),
    simultaneous: Rational.of(noise.halfWidth(LEVEL, k), noise.factor),
    ...(options !== undefined && { options }),
    lossOf: (names) => noise.lossOf(names),
  };
}

/** The counts of released names. */
export function measure(
  counts: ReadonlyMap<string, number>,
  names: readonly string[],
  { options }: CountPlan,
  entropy: Entropy | undefined,
): Rational[] {
  const asked = { ...(options as MeasureCountsOptions), confidence: COUNT_CONFIDENCE, entropy };
  return measureCounts(counts, names, asked).counts.map(({ count }) => count);
}

const IS_SHARED = ", partly shared";

/** Errors are not independent where counts share a part of their noise, so its name says so. */
export function countParameters(plan: CountPlan): Record<string, string> {
  const { law, size, factor, shared, halfWidth, simultaneous } = plan;
  const name = law === "gaussian" ? "countVariance" : "countScale";
  return {
    countNoise: `discrete ${law}${shared === undefined ? "" : IS_SHARED}`,
    ...(shared !== undefined && { countFactor: String(factor) }),
    [name]: String(size),
    ...(shared !== undefined && { [`${name}Shared`]: String(shared) }),
    countHalfWidth: String(halfWidth),
    countSimultaneous: String(simultaneous),
    countConfidence: COUNT_CONFIDENCE,
  };
}

/** The noise of the counts of a release, as it recorded it; undefined where its counts have no intervals. */
export function countsShown(parameters: Readonly<Record<string, string>>): CountsShown | undefined {
  const { countNoise: noise, countHalfWidth } = parameters;
  if (noise === undefined || countHalfWidth === undefined) return undefined;
  const law = noise.startsWith("discrete laplace") ? "laplace" : "gaussian";
  const name = law === "gaussian" ? "countVariance" : "countScale";
  const size = (field: string) => recordedSize(parameters, field);
  const width = (field: string) => recordedSize(parameters, field, 0n);
  const shared = parameters[`${name}Shared`];
  return {
    law,
    size: size(name),
    factor: shared === undefined ? Rational.ONE : size("countFactor"),
    ...(shared !== undefined && { shared: size(`${name}Shared`) }),
    halfWidth: width("countHalfWidth"),
    ...(parameters.countSimultaneous !== undefined && { simultaneous: width("countSimultaneous") }),
  };
}

/** The variance of the noise that a count has for itself, to weigh leads against counts: leads don't see what is shared. */
function ownVariance({ law, size, factor }: CountsShown): Rational {
  // 2·scale² is within 1/6 of the variance of discrete Laplace noise; it steers weights only.
  return law === "gaussian" ? size.dividedBy(factor.times(factor)) : size.times(size).times(2n);
}

/** Leads that belong to counts. */
interface Leads {
  readonly gaps: readonly string[];
  /** The scale of the noise on the names. */
  readonly scale: Rational;
  readonly resolution: string;
}

/** The counts, combined with leads if there are some, made to fall in the order of the list. */
export function fittedCounts(counts: readonly string[], shown: CountsShown, leads?: Leads): Rational[] {
  if (leads === undefined || counts.length === 0) return nonIncreasingFit(counts);
  const { gaps, scale, resolution } = leads;
  const varianceRatio = scale.times(scale).dividedBy(ownVariance(shown));
  return nonIncreasingFit(combineGaps(counts, gaps, { varianceRatio, resolution }).estimates);
}

/** What adds noisy counts of the winners to an answer, where they are released: as `measureCounts` does, without its intervals. */
export function prepareCounts(
  plan: CountPlan | undefined,
  scores: Float64Array,
): (winners: readonly number[], entropy?: Entropy) => Pick<RunAnswer, "counts"> {
  if (plan === undefined) return () => ({});
  const { noise } = plan;
  const factor = Number(noise.factor);
  return (winners, entropy) => {
    const truths = winners.map((index) => scores[index] ?? 0);
    return { counts: noise.noisy(truths, entropy ?? systemEntropy()).map((count) => Number(count) / factor) };
  };
}
