/**
 * The best k of items that no one listed: the k̄ + 1 items with the most users race against ⊥, and those that come before it
 * are named, in order. Core's `limitedTopK` and, with counts, `topKWithCounts` (docs/mechanisms/limited-top-k.md).
 *
 * Pay what you get: one round for each name, and one for the ⊥ that ended the list. Where the limit was fixed beforehand, only
 * the rounds that were used are counted, in the measures for which that is proven (packages/core/src/discover/limited-top-k.proof.md, 6); all
 * of δ always is.
 *
 *   limit in zCDP or Rényi, or (ε, δ) at a Rényi order   Gumbel noise: (r/scale)²/8 per round, and each count that was measured
 *   limit in (ε, δ), added up                            exponential noise: r/scale a round, and each count; Gumbel noise:
 *                                                        r/scale a round, at most ε; with counts, all of ε once one is measured
 *   otherwise                                            in full
 *
 * A person who is cut to m items is in m counts. For k up to 4·m that loses more than it gains, so the bound is not used unless
 * the mechanism is named (docs/guide/without-a-list.md).
 * @module
 */
import {
  approx,
  compose,
  isBounded,
  type LimitedTopKMeasurement,
  type LimitedTopKOptions,
  type Loss,
  makeLimitedTopK,
  makeTopKWithCounts,
  type Rational,
  limitedTopK as run,
  topKWithCounts,
} from "winnow-dp";
import { budgetOf, countedPeople } from "../parts/budget.js";
import { budgetInCode, present, topKWithCountsInCode } from "../parts/code.js";
import { allRows } from "../parts/counted-rows.js";
import { COUNT_CONFIDENCE, type CountPlan, countParameters, planOf, prepareCounts } from "../parts/counts.js";
import { isLong } from "../parts/long-lists.js";
import { remembered } from "../parts/remembered.js";
import { asOptions, namedCounts, neighboursOf, OF_SCORES } from "../parts/simulated.js";
import { winner } from "../parts/winner.js";
import type { Question } from "../question/question.js";
import type { Counting, Mechanism, Used } from "./mechanism.js";

export const limitedTopK: Mechanism = {
  name: "limited-top-k",
  rules: {
    kind: "top",
    domains: ["unknown"],
    budgets: ["epsilon", "rho"],
    delta: "needed",
    spare: 0,
    gaps: "epsilon",
    counts: "possible",
    bound: "possible",
    isUsual: (asked) => !isLong(asked),
  },
  parameters(question) {
    const { measurement, counts } = limitedPlan(question);
    const { noise, scale, threshold, maxCandidates, failure } = measurement;
    return {
      ...countedPeople(question),
      noise,
      scale: String(scale),
      maxCandidates: String(maxCandidates),
      threshold: String(threshold),
      failure: String(failure),
      ...(question.resolution !== undefined && { resolution: question.resolution }),
      ...(counts !== undefined && countParameters(counts)),
    };
  },
  price: (question) => ({
    loss: limitedPlan(question).loss,
    counted: (counting) => counted(question, counting),
  }),
  isPaidByRound: true,
  counts: (question) => limitedPlan(question).counts,
  leads(question) {
    const { maxCandidates, scale } = limitedPlan(question).measurement;
    return { candidates: maxCandidates + 1, scale };
  },
  wants: (question) => ({ kind: "largest", rows: limitedPlan(question).measurement.maxCandidates + 1 }),
  async draw(question, batches, entropy) {
    const rows = await allRows(batches);
    const { winners, stopped } = question.counts
      ? topKWithCounts(rows, { ...countedOptions(question), entropy })
      : run(rows, { ...limitedOptions(question), entropy });
    return {
      released: winners.length > 0,
      k: question.k,
      winners: winners.map((each) =>
        winner(each.candidate, each.gap, "count" in each ? (each.count as Rational) : undefined),
      ),
      ordered: true,
      stopped,
      loss: limitedPlan(question).loss,
    };
  },
  prepare(question, scores) {
    const { measurement, counts: plan } = limitedPlan(question);
    const rows = namedRows(scores)
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, measurement.maxCandidates + 1);
    const counts = prepareCounts(plan, scores);
    return (entropy) => {
      const { winners, stopped } = measurement.invokeRows(rows, entropy);
      const indices = winners.map(({ candidate }) => Number(candidate));
      const gaps = winners.flatMap(({ gap }) => (gap === undefined ? [] : [gap.toNumber()]));
      return {
        winners: indices,
        stopped,
        ...(question.resolution !== undefined && { gaps }),
        ...counts(indices, entropy),
      };
    };
  },
  needs(question) {
    const { maxCandidates, threshold } = limitedPlan(question).measurement;
    const need = threshold.plus(question.neighbours === "replace" ? 2n : 1n);
    return { over: "outsiders", users: need.toNumber(), candidates: maxCandidates };
  },
  simulated: {
    takes: [
      ...OF_SCORES,
      ...(["k", "epsilon", "rho", "scale", "delta", "noise", "resolution"] as const),
      ...(["maxCandidates", "maxItemsPerUser"] as const),
    ],
    prepare(scores, { k = 1, ...parameters }) {
      const { monotone: _, ...rest } = parameters;
      const rows = namedCounts(scores);
      const chosen = { ...rest, k, neighbours: neighboursOf(parameters) };
      return (entropy) => {
        const answer = run(rows, asOptions<LimitedTopKOptions>({ ...chosen, entropy }));
        const { winners, stopped, privacy } = answer;
        const gaps = winners.flatMap(({ gap }) => (gap === undefined ? [] : [String(gap)]));
        const indices = winners.map(({ candidate }) => Number(candidate));
        return { outcome: { indices, ...(gaps.length > 0 && { gaps }), stopped }, privacy };
      };
    },
  },
  words: {
    title: "Top k without a list",
    gives: "The winners in order, as far as naming them is safe. You pay for the names you get.",
    how: "limited-domain top-k (the items that come before a stop candidate, noise on every count)",
    none: "No name could be published safely",
    whyFewer: "the next name could not be published safely",
    before: ({ k, maxItemsPerUser }, say) =>
      k > LONG && maxItemsPerUser === undefined
        ? `With ${say.option("maxItemsPerUser", "10")}, Winnow could name more of the ${k}: in a long list, each name needs fewer people if everyone counts for a few items only.`
        : undefined,
  },
  answer: { fields: ["stopped"], order: "rank" },
  code(question) {
    if (question.counts) return topKWithCountsInCode(question);
    const { k, resolution, neighbours } = question;
    const options = { k, ...budgetInCode(question), ...present({ resolution }), neighbours };
    return { call: "limitedTopK", input: "counts", options };
  },
};

/** From this many winners on, a limit on the items of a person most likely names more of them. */
const LONG = 40;

/** Ready to run. */
interface LimitedPlan {
  readonly measurement: LimitedTopKMeasurement;
  /** What a release promises on its own. */
  readonly loss: Loss;
  readonly counts?: CountPlan;
}

/** Finding the noise for (ε, δ) takes a tenth of a second. */
const limitedPlan = remembered(
  (question: Question): LimitedPlan => (question.counts ? planWithCounts(question) : planOfNames(question)),
  ({ unit: _, ...rest }) => JSON.stringify(rest),
);

function planOfNames(question: Question): LimitedPlan {
  const measurement = makeLimitedTopK(limitedOptions(question));
  return { measurement, loss: measurement.privacy };
}

function planWithCounts(question: Question): LimitedPlan {
  const { names, privacy, countNoise } = makeTopKWithCounts(countedOptions(question));
  return {
    measurement: names as LimitedTopKMeasurement, // the domain is unknown
    loss: privacy,
    counts: planOf(countNoise),
  };
}

function limitedOptions(question: Question) {
  const { k, neighbours, resolution, maxItemsPerUser } = question;
  return { ...budgetOf(question), k, neighbours, resolution, maxItemsPerUser };
}

/** For `topKWithCounts`. */
function countedOptions(question: Question) {
  return { ...limitedOptions(question), confidence: COUNT_CONFIDENCE };
}

/** Names in the order of their bytes are indices with as many digits. */
function namedRows(scores: Float64Array): [string, number][] {
  const digits = String(scores.length).length;
  const rows: [string, number][] = [];
  for (const [index, count] of scores.entries())
    if (count > 0) rows.push([String(index).padStart(digits, "0"), count]);
  return rows;
}

function counted(question: Question, { measure, isAtOrder }: Counting): ((used: Used) => Loss) | undefined {
  const { measurement, counts, loss } = limitedPlan(question);
  const isGumbel = measurement.noise === "gumbel";
  const isConcentrated =
    measure === "zcdp" ||
    measure === "renyi" ||
    (measure === "approx" && (isAtOrder || loss.measure === "zcdp"));
  if (isConcentrated) {
    if (!isGumbel) return undefined;
    return ({ rounds, names }) =>
      counts === undefined
        ? measurement.chargeFor(rounds).zcdp
        : compose(measurement.chargeFor(rounds).zcdp, counts.lossOf(names));
  }
  if (measure !== "approx" || loss.measure !== "approx") return undefined;
  const { epsilon, delta } = loss;
  if (isGumbel)
    return ({ rounds, names }) => {
      const spent = measurement.chargeFor(rounds).approx.epsilon;
      const isPart = isBounded(spent) && isBounded(epsilon) && spent.compare(epsilon) < 0;
      const isMeasured = counts !== undefined && names > 0; // Gaussian noise has no bound for a single answer
      return approx(isPart && !isMeasured ? spent : epsilon, delta);
    };
  return ({ rounds, names }) => {
    const spent = measurement.chargeFor(rounds).approx;
    return counts === undefined ? spent : compose(spent, counts.lossOf(names));
  };
}
