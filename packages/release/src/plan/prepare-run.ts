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
} from "winnow-dp";
import { fixedOptions, noiseScale, stableBudget } from "../question/mechanism.js";
import { type Question, sizeOf } from "../question/question.js";

export interface RunAnswer {
  /** Candidates by their position in the scores; best first where the answer is ordered. */
  readonly winners: readonly number[];
  /** By how much each leads the next, where gaps are released. */
  readonly gaps?: readonly number[];
}

type Run = (entropy?: Entropy) => RunAnswer;

/** `scores` are counts, largest first. */
export function prepareRun(question: Question, scores: Float64Array): Run {
  switch (question.mechanism) {
    case "stable-top-k":
      return prepareStable(question, scores);
    case "stable-top-k-fixed":
      return prepareFixed(question, scores);
    default:
      return prepareNoise(question, scores);
  }
}

function prepareNoise(question: Question, scores: Float64Array): Run {
  const { k, rho, resolution, neighbours, domain } = question;
  const measurement = makeNoisyTopK({
    k,
    measure: rho === undefined ? "pure" : "zcdp",
    scale: noiseScale(question),
    monotone: neighbours === "add-remove",
    resolution,
    domainSize: sizeOf(domain),
  });
  return (entropy) => {
    const { winners } = measurement.invoke(scores, entropy);
    const indices = winners.map(({ index }) => index);
    if (resolution === undefined) return { winners: indices };
    return { winners: indices, gaps: winners.map(({ gap }) => gap?.toNumber() ?? 0) };
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
