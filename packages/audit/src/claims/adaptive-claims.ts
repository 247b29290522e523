/**
 * The promises of the selections that find their own size, over all histograms of a few candidates and everyone who
 * may join. Noise is small and δ large, so that everything that can happen does happen.
 * @module
 */
import { makeStableTopK, makeStableTopKFixed, rational } from "winnow-dp";
import { GapChoice, StabilityTest } from "winnow-dp/internal";
import type { Law } from "../laws/law.js";
import {
  discreteGaussianTail,
  discreteLaplaceTail,
  largestGapLaw,
  proposeTestReleaseLaw,
  stableTopKFixedLaw,
  stableTopKLaw,
} from "../laws/stable-laws.js";
import {
  allHistograms,
  checkApprox,
  checkPure,
  type ExactClaim,
  pairsOf,
  withOneMore,
} from "./check-claim.js";

const DELTA = "1/50";
const PROMISE = `ρ = 0.498, δ = ${DELTA}`;
/** One person moves a gap by at most 1. */
const COUNTS = { monotone: true } as const;

function histogramPairs(candidates: number, most: number, law: (histogram: readonly number[]) => Law) {
  return pairsOf<readonly number[]>(allHistograms(candidates, most), withOneMore, law);
}

const largestGapClaim: ExactClaim = {
  mechanism: "largestGap",
  instance: "all histograms of 3 candidates up to 4",
  promise: "pure ε = 1",
  unit: "ε",
  check() {
    const choice = new GapChoice({ maxK: 3, ...COUNTS }, { noise: "gumbel", scale: 2 });
    const law = (histogram: readonly number[]) => largestGapLaw(histogram, { maxK: 3, scale: 2 });
    return checkPure(histogramPairs(3, 4, law), choice.loss.pure?.epsilon ?? 0);
  },
};

const proposeTestReleaseClaim: ExactClaim = {
  mechanism: "proposeTestRelease",
  instance: "all histograms of 3 candidates up to 8, k = 2",
  promise: `(1, ${DELTA})`,
  unit: "δ",
  check() {
    const { threshold, loss } = new StabilityTest(1n, { epsilon: 1 }, { delta: DELTA });
    const test = { gapSensitivity: 1, threshold, tail: discreteLaplaceTail(1) };
    const law = (histogram: readonly number[]) => proposeTestReleaseLaw(histogram, 2, test);
    return checkApprox(histogramPairs(3, 8, law), loss.approx ?? loss.zcdp);
  },
};

/** About a quarter of ρ for each step. */
const CHOICE_SCALE = rational("1.42");
const TEST_VARIANCE = rational(2);

function stableClaim(isUnknownDomain: boolean): ExactClaim {
  const choose = { noise: "gumbel", scale: CHOICE_SCALE } as const;
  const parameters = { maxK: 3, ...COUNTS, choose, test: { variance: TEST_VARIANCE }, delta: DELTA };
  return {
    mechanism: "stableTopK",
    instance: `all histograms of 3 candidates up to 6, ${isUnknownDomain ? "unknown" : "public"} domain`,
    promise: PROMISE,
    unit: "δ",
    check() {
      const { threshold } = new StabilityTest(1n, parameters.test, { delta: DELTA });
      const tail = discreteGaussianTail(TEST_VARIANCE);
      const options = { maxK: 3, scale: CHOICE_SCALE, gapSensitivity: 1, threshold, tail, isUnknownDomain };
      const law = (histogram: readonly number[]) => stableTopKLaw(histogram, options);
      return checkApprox(histogramPairs(3, 6, law), makeStableTopK(parameters).zcdp);
    },
  };
}

const K = 2;
/** Of the rounds that add candidates or drop some: Kr²/8τ² = 1/16. */
const ROUNDS_SCALE = 2;

function stableFixedClaim(domain: "public" | "unknown"): ExactClaim {
  const isUnknownDomain = domain === "unknown";
  const maxK = isUnknownDomain ? K : K + 1;
  const choose = { noise: "gumbel", scale: CHOICE_SCALE } as const;
  const test = { variance: TEST_VARIANCE };
  const rounds = { scale: ROUNDS_SCALE };
  const terms = { k: K, maxK, domain, ...COUNTS, choose, test, rounds, delta: DELTA };
  return {
    mechanism: "stableTopKFixed",
    instance: `all histograms of 3 candidates up to 6, k = ${K}, ${domain} domain`,
    promise: isUnknownDomain ? PROMISE : `ρ = 0.561, δ = ${DELTA}`,
    unit: "δ",
    check() {
      const { threshold, certainGap } = new StabilityTest(1n, test, { delta: DELTA });
      const penalty = rational(certainGap).dividedBy(BigInt(K));
      const options = {
        ...{ maxK, scale: CHOICE_SCALE, gapSensitivity: 1, threshold, isUnknownDomain, cap: certainGap },
        tail: discreteGaussianTail(TEST_VARIANCE),
        regulariser: (j: number) => penalty.times(BigInt(-Math.abs(j - K))),
      };
      const law = (histogram: readonly number[]) =>
        isUnknownDomain
          ? stableTopKLaw(histogram, options)
          : stableTopKFixedLaw(histogram, { ...options, k: K, roundsScale: ROUNDS_SCALE });
      return checkApprox(histogramPairs(3, 6, law), makeStableTopKFixed(terms).zcdp);
    },
  };
}

export function adaptiveClaims(): readonly ExactClaim[] {
  return [
    largestGapClaim,
    proposeTestReleaseClaim,
    ...[false, true].map(stableClaim),
    ...(["public", "unknown"] as const).map(stableFixedClaim),
  ];
}
