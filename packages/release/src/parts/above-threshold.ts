/**
 * Items above a threshold: partition selection names every item that enough people have, after each person was cut to `maxItemsPerUser`
 * items by a keyed hash. For the best k, it takes noisy counts and sorts by them. Core's `selectPartitions`
 * (docs/mechanisms/select-partitions.md). Nothing is measured for a plan: an empty histogram asks for its parameters.
 *
 * Their counts have no intervals: the noise of those that passed is not what it was before.
 * @module
 */
import {
  rational,
  type SelectPartitions,
  type SelectPartitionsOptions,
  selectPartitions,
  systemEntropy,
} from "winnow-dp";
import type { CandidatesWanted, NeededUsers, Run } from "../question/answer.js";
import type { Question } from "../question/question.js";
import { budgetOf, countedPeople, movedBy } from "./budget.js";

/** All of a mechanism that is the same for the best k and for all names. */
export const ABOVE_THRESHOLD = {
  parameters: (question: Question) => ({ ...countedPeople(question), ...thresholdParameters(question) }),
  price: (question: Question) => ({ loss: partitionPlan(question).privacy }),
  wants: (): CandidatesWanted => ({ kind: "largest", rows: ALL_ITEMS }),
  needs: (question: Question): NeededUsers => ({
    over: "none",
    users: usersAbove(question),
    maxItemsPerUser: question.maxItemsPerUser ?? 1,
  }),
};

/** More items than anyone has. */
const ALL_ITEMS = 1_000_000_000;

export function partitionOptions(question: Question): SelectPartitionsOptions {
  const { neighbours, counts = false, maxItemsPerUser = 1 } = question;
  return { ...budgetOf(question), neighbours, counts, maxItemsPerUser };
}

/** The mechanism without its answer. */
function partitionPlan(question: Question): Omit<SelectPartitions, "winners"> {
  const { winners: _, ...plan } = selectPartitions([], partitionOptions(question));
  return plan;
}

function thresholdParameters(question: Question): Record<string, string> {
  const { method, threshold, variance, table } = partitionPlan(question);
  const each = (size: string) => String(rational(size).dividedBy(movedBy(question)));
  const own =
    question.rho === undefined ? { epsilonEach: each(question.epsilon!) } : { rhoEach: each(question.rho) };
  const noise = {
    ...(variance && { noise: "discrete gaussian", variance: String(variance) }),
    ...(table && {
      order: String(table.order),
      growth: String(table.growth),
      failureEach: String(table.failure),
    }),
  };
  return {
    method,
    ...(threshold !== undefined && { threshold: String(threshold) }),
    ...(Object.keys(noise).length > 0 ? noise : { ...own, deltaEach: each(question.delta as string) }),
  };
}

/** With this many users an item is named about every other time. */
function usersAbove(question: Question): number {
  const { threshold, halfKeep } = partitionPlan(question);
  if (halfKeep !== undefined) return halfKeep;
  if (threshold !== undefined) return Number(threshold);
  const { epsilonEach, deltaEach } = thresholdParameters(question);
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

/** Those of the scores that are named, in the order of their positions, which names have too. */
export function prepareThreshold(
  question: Question,
  scores: Float64Array,
): (...[entropy]: Parameters<Run>) => { readonly index: number; readonly count: number }[] {
  const decider = selectPartitions.prepare(partitionOptions(question));
  return (entropy = systemEntropy()) => {
    const decide = decider(entropy);
    const kept: { index: number; count: number }[] = [];
    for (let index = 0; index < scores.length; index++) {
      const count = scores[index] > 0 ? decide(scores[index]) : undefined;
      if (count !== undefined) kept.push({ index, count: Number(count) });
    }
    return kept;
  };
}
