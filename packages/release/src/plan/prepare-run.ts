/**
 * The mechanism of a question, prepared once to run many times on the same scores: thresholds and scales are computed
 * here and not in every run. It is the mechanism that releases, with the same law. Either its scores are public, or
 * its answers stay with the curator.
 * @module
 */
import {
  type Entropy,
  makeNoisyTopK,
  makeStableTopK,
  makeStableTopKFixed,
  type RationalLike,
  systemEntropy,
} from "winnow-dp";
import { partitionDecider } from "winnow-dp/internal";
import { discreteGaussian, discreteLaplace } from "winnow-dp/sample";
import type { CountPlan } from "../question/counts.js";
import { countsOf, fixedOptions, noiseScale, stableBudget } from "../question/mechanism.js";
import { type Question, sizeOf } from "../question/question.js";
import { limitedPlan, partitionOptions } from "../question/unknown-domains.js";
import { refused } from "../refused.js";

export interface RunAnswer {
  /** Candidates by their position in the scores; best first where the answer is ordered. */
  readonly winners: readonly number[];
  /** By how much each leads the next, where gaps are released. */
  readonly gaps?: readonly number[];
  /** How many users each has, where counts are released. */
  readonly counts?: readonly number[];
  /** Whether ⊥ ended the list, where it can. */
  readonly stopped?: boolean;
}

type Run = (entropy?: Entropy) => RunAnswer;

/** `scores` are counts, largest first; `bounded` are those of the same items after people were cut to fewer. */
export function prepareRun(question: Question, scores: Float64Array, bounded?: Float64Array): Run {
  switch (question.mechanism) {
    case "limited-top-k":
      return prepareLimited(question, countedScores(question, scores, bounded));
    case "threshold-top-k":
    case "select-partitions":
      return prepareThreshold(question, countedScores(question, scores, bounded));
    case "stable-top-k":
      return prepareStable(question, scores);
    case "stable-top-k-fixed":
      return prepareFixed(question, scores);
    default:
      return prepareNoise(question, scores);
  }
}

function prepareNoise(question: Question, scores: Float64Array): Run {
  const { k, rho, resolution, neighbours } = question;
  const size = sizeOf(question.domain);
  const measurement = makeNoisyTopK({
    k,
    measure: rho === undefined ? "pure" : "zcdp",
    scale: noiseScale(question),
    monotone: neighbours === "add-remove",
    resolution,
    domain: size === undefined ? undefined : { size },
  });
  const counts = prepareCounts(countsOf(question), scores);
  return (entropy) => {
    const { winners } = measurement.invoke(scores, entropy);
    const indices = winners.map(({ index }) => index);
    return {
      winners: indices,
      ...(resolution !== undefined && { gaps: winners.map(({ gap }) => gap?.toNumber() ?? 0) }),
      ...counts(indices, entropy),
    };
  };
}

/** What adds noisy counts of the winners to an answer, where they are released: as `measureCounts` does, without its intervals. */
function prepareCounts(
  plan: CountPlan | undefined,
  scores: Float64Array,
): (winners: readonly number[], entropy?: Entropy) => Pick<RunAnswer, "counts"> {
  if (plan === undefined) return () => ({});
  const { law, size } = plan;
  const draw = law === "gaussian" ? discreteGaussian : discreteLaplace;
  return (winners, entropy) => ({
    counts: winners.map((index) => (scores[index] ?? 0) + Number(draw(size, entropy))),
  });
}

/** The counts that the mechanism sees: those after people were cut to fewer items, where the question says so. */
function countedScores(
  { maxItemsPerUser }: Question,
  scores: Float64Array,
  bounded: Float64Array | undefined,
): Float64Array {
  if (maxItemsPerUser === undefined) return scores;
  if (bounded === undefined)
    throw refused("scores", "counts of rows, to know what a limit on the items of a person leaves of them");
  return bounded;
}

/** Names in the order of their bytes are indices with as many digits. */
function rowsOf(scores: Float64Array): [string, number][] {
  const digits = String(scores.length).length;
  const rows: [string, number][] = [];
  for (const [index, count] of scores.entries())
    if (count > 0) rows.push([String(index).padStart(digits, "0"), count]);
  return rows;
}

function prepareLimited(question: Question, scores: Float64Array): Run {
  const { measurement, counts: plan } = limitedPlan(question);
  const rows = rowsOf(scores)
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
}

/** Names have the order of their positions. */
function prepareThreshold(question: Question, scores: Float64Array): Run {
  const decider = partitionDecider(partitionOptions(question));
  return (entropy = systemEntropy()) => {
    const decide = decider(entropy);
    const kept: { index: number; count: number }[] = [];
    for (let index = 0; index < scores.length; index++) {
      const count = scores[index] > 0 ? decide(scores[index]) : undefined;
      if (count !== undefined) kept.push({ index, count: Number(count) });
    }
    const told =
      question.kind === "names" ? kept : kept.sort((a, b) => b.count - a.count).slice(0, question.k);
    return {
      winners: told.map(({ index }) => index),
      ...(question.counts && { counts: told.map(({ count }) => count) }),
    };
  };
}

/** Only the k̄ + 1 largest counts matter. */
function prepareStable(question: Question, scores: Float64Array): Run {
  const { k, neighbours } = question;
  const { rho, failure } = stableBudget(question);
  const half = rho.dividedBy(2n);
  const measurement = makeStableTopK({
    maxK: k,
    monotone: neighbours === "add-remove",
    choose: { noise: "gumbel", rho: half },
    test: { rho: half },
    delta: failure,
  });
  const histogram = scores.subarray(0, k + 1);
  return (entropy) => {
    const answer = measurement.invoke(histogram, entropy);
    return { winners: answer.released ? answer.indices : [] };
  };
}

function prepareFixed(question: Question, scores: Float64Array): Run {
  const { k } = question;
  const { domain, monotone } = fixedOptions(question);
  const { rho, failure } = stableBudget(question);
  const half: RationalLike = rho.dividedBy(2n);
  const share = domain === "public" ? rho.dividedBy(4n) : half;
  const measurement = makeStableTopKFixed({
    k,
    domain,
    monotone,
    choose: { noise: "gumbel", rho: share },
    test: { rho: share },
    rounds: { rho: half },
    delta: failure,
  });
  const histogram =
    domain === "public" ? withZeros(scores, sizeOf(question.domain) ?? 0) : scores.subarray(0, k + 1);
  return (entropy) => ({ winners: measurement.invoke(histogram, entropy).indices });
}

/** As many as there are candidates. */
function withZeros(scores: Float64Array, size: number): Float64Array {
  const all = new Float64Array(size);
  all.set(scores);
  return all;
}
