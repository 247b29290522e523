/**
 * How many people an item needs to be named where no public list says who may be named, from the question alone. A release
 * that most likely names nothing costs as much as any other, so people are told beforehand.
 * @module
 */
import { rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { mechanismOf } from "../question/mechanism.js";
import type { Question } from "../question/question.js";
import { limitedPlan } from "../question/unknown-domains.js";
import { expectedUtility } from "./simulate.js";

/** About so many users, in half of the runs or more. */
export type NeededUsers =
  /** More than the best item outside the first `candidates`. */
  | { readonly over: "outsiders"; readonly users: number; readonly candidates: number }
  /** In all, where each person counts for at most so many items. */
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

const RUNS = 30;
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
    const { released } = await expectedUtility(question, counts, { runs: RUNS, entropy });
    if (released.mean >= 0.5) return lead;
  }
  return LARGEST_LEAD;
}
