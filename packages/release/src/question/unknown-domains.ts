/**
 * The mechanisms that name items that no one listed beforehand: what a budget makes of them, from public values alone.
 *
 * - The limited-domain top k lets the 1,000 items with the most users (or 10·k) race with noise against one candidate ⊥,
 *   and names those that come before it.
 * - Partition selection names every item that enough people have, after each person was cut to so many items by a keyed
 *   hash. For the best k, it takes noisy counts and sorts by them.
 *
 * Both are core's (docs/mechanisms/limited-top-k.md, docs/mechanisms/select-partitions.md). Nothing here is measured:
 * their measurements know their parameters, and an empty histogram asks `selectPartitions` for its own.
 * @module
 */
import {
  type LimitedTopKMeasurement,
  type Loss,
  makeLimitedTopK,
  makeTopKWithCounts,
  type Rational,
  rational,
  rhoAtMost,
  type SelectPartitions,
  type SelectPartitionsOptions,
  selectPartitions,
  type ZcdpLoss,
} from "winnow-dp";
import { COUNT_CONFIDENCE, COUNT_SHARE, type CountPlan, countParameters, countPlan } from "./counts.js";
import type { Question } from "./question.js";

/** A limited-domain top k, ready to run. */
interface LimitedPlan {
  readonly measurement: LimitedTopKMeasurement;
  /** What a release promises on its own. */
  readonly loss: Loss;
  readonly counts?: CountPlan;
}

/** Of (ε, δ), finding the noise takes a tenth of a second, and a slider asks for the same few again and again. */
const PLANS = new Map<string, LimitedPlan>();
const MOST_PLANS = 200;

export function limitedPlan(question: Question): LimitedPlan {
  const { unit: _, ...rest } = question;
  const key = JSON.stringify(rest);
  const known = PLANS.get(key);
  if (known !== undefined) return known;
  const plan = question.counts ? planWithCounts(question) : planOfNames(question);
  if (PLANS.size >= MOST_PLANS) PLANS.clear();
  PLANS.set(key, plan);
  return plan;
}

function planOfNames(question: Question): LimitedPlan {
  const measurement = makeLimitedTopK(limitedOptions(question));
  return { measurement, loss: measurement.privacy };
}

function planWithCounts(question: Question): LimitedPlan {
  const { names, privacy, countNoise } = makeTopKWithCounts(countedOptions(question));
  return {
    measurement: names as LimitedTopKMeasurement, // the domain is unknown
    loss: privacy,
    counts: countPlan(countNoise, question.k, movedBy(question)),
  };
}

/** How many counts one person can move. */
function movedBy({ maxItemsPerUser = Infinity, neighbours }: Question): number {
  return neighbours === "replace" ? 2 * maxItemsPerUser : maxItemsPerUser;
}

/** The rules see to it that a question of an unknown domain or a stable set has a δ, and exactly one of ε and ρ. */
export function budgetOf({ epsilon, rho, delta = "0" }: Question) {
  return { ...(epsilon === undefined ? { rho: rho as string } : { epsilon }), delta };
}

/** For `limitedTopK`. */
export function limitedOptions(question: Question) {
  const { k, neighbours, resolution, maxItemsPerUser } = question;
  return { ...budgetOf(question), k, neighbours, resolution, maxItemsPerUser };
}

/** The same, for `topKWithCounts`. */
export function countedOptions(question: Question) {
  return { ...limitedOptions(question), countShare: COUNT_SHARE, confidence: COUNT_CONFIDENCE };
}

export function limitedParameters(question: Question): Record<string, string> {
  const { measurement, counts } = limitedPlan(question);
  const { noise, scale, threshold, maxCandidates, failure } = measurement;
  return {
    noise,
    scale: String(scale),
    maxCandidates: String(maxCandidates),
    threshold: String(threshold),
    failure: String(failure),
    ...(question.resolution !== undefined && { resolution: question.resolution }),
    ...(counts !== undefined && countParameters(counts)),
  };
}

export function partitionOptions(question: Question): SelectPartitionsOptions {
  const { neighbours, counts = false, maxItemsPerUser = 1 } = question;
  return { ...budgetOf(question), neighbours, counts, maxItemsPerUser };
}

/** The mechanism without its answer. */
export function partitionPlan(question: Question): Omit<SelectPartitions, "partitions"> {
  const { partitions: _, ...plan } = selectPartitions([], partitionOptions(question));
  return plan;
}

export function partitionParameters(question: Question): Record<string, string> {
  const { method, threshold } = partitionPlan(question);
  const moved = movedBy(question);
  const each = (size: string) => String(rational(size).dividedBy(moved));
  return {
    method,
    ...(threshold !== undefined && { threshold: String(threshold) }),
    ...(method === "gaussian"
      ? { noise: "discrete gaussian", variance: String(partitionVariance(question)) }
      : { epsilonEach: each(question.epsilon as string), deltaEach: each(question.delta as string) }),
  };
}

/** σ² of the Gaussian threshold: m counts cost m/(2σ²). Of (ε, δ), half of δ pays for the conversion. */
function partitionVariance(question: Question): Rational {
  const { epsilon, rho: given, delta, ...options } = partitionOptions(question);
  const half = rational(delta).dividedBy(2n);
  const budget =
    epsilon === undefined ? { rho: given, delta } : { rho: rhoAtMost({ epsilon, delta: half }), delta: half };
  const { privacy } = selectPartitions([], { ...options, ...budget, method: "gaussian" });
  const rho = (privacy as ZcdpLoss).rho as Rational; // of a finite budget in ρ
  return rational(movedBy(question)).dividedBy(rho.times(2n));
}
