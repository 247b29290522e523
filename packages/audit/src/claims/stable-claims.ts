/**
 * The promises of the selections that find their own size, over all histograms of a few candidates and everyone who
 * may join, and of `labelByTeachers`, which tests for stability too, over all votes of a few teachers: the loss that a run
 * of one query reports, against the laws of its answer when one teacher is replaced, which is the promise, and when one
 * more teacher votes, which moves the counts by no more than that.
 *
 * Noise is small and δ large, so that every branch occurs.
 * @module
 */
import {
  type LossOf,
  labelByTeachers,
  largestGap,
  makeStableTopK,
  makeStableTopKFixed,
  proposeTestRelease,
  rational,
  type Spend,
  type TeacherOptions,
} from "winnow-dp";
import type { Law } from "../laws/law.js";
import { noisyMaxLaw } from "../laws/noisy-max-laws.js";
import {
  discreteGaussianTail,
  discreteLaplaceTail,
  largestGapLaw,
  multiLabelLaw,
  proposeTestReleaseLaw,
  stableTopKFixedLaw,
  stableTopKLaw,
} from "../laws/stable-laws.js";
import {
  allElections,
  allHistograms,
  checkApprox,
  checkPure,
  checkZcdp,
  type ExactClaim,
  pairsOf,
  withOneMore,
  withOneReplaced,
  withOneVoteMore,
  withOneVoteMoved,
} from "./check-claim.js";

type Counts = readonly number[];

const DELTA = "1/50";
const PROMISE = `ρ = 0.498, δ = ${DELTA}`;
/** One person moves a gap by at most 1. */
const COUNTS = { monotone: true } as const;

function histogramPairs(candidates: number, most: number, law: (histogram: Counts) => Law) {
  return pairsOf<Counts>(allHistograms(candidates, most), withOneMore, law);
}

const largestGapClaim: ExactClaim = {
  mechanism: "largestGap",
  instance: "all histograms of 3 candidates up to 4",
  promise: "pure ε = 1",
  source: "[ZW22, Algorithm 1, Proposition 7]",
  unit: "ε",
  check() {
    const { privacy } = largestGap([], { maxK: 3, ...COUNTS, noise: "gumbel", scale: 2 });
    const law = (histogram: Counts) => largestGapLaw(histogram, { maxK: 3, scale: 2 });
    return checkPure(histogramPairs(3, 4, law), (privacy as LossOf["pure"]).epsilon);
  },
};

const proposeTestReleaseClaim: ExactClaim = {
  mechanism: "proposeTestRelease",
  instance: "all histograms of 3 candidates up to 8, k = 2",
  promise: `(1, ${DELTA})`,
  source: "[ZW22, Lemmas 18 and 23, Corollary 19]",
  unit: "δ",
  check() {
    const budget = { epsilon: 1, delta: DELTA };
    const { privacy } = proposeTestRelease([], { k: 2, ...COUNTS, ...budget });
    const threshold = thresholdOf({ epsilon: 1 }, DELTA);
    const test = { gapSensitivity: 1, threshold, tail: discreteLaplaceTail(1) };
    const law = (histogram: Counts) => proposeTestReleaseLaw(histogram, 2, test);
    return checkApprox(histogramPairs(3, 8, law), privacy);
  },
};

/** About a quarter of ρ for each step. */
const CHOICE_SCALE = rational("1.42");
const TEST_VARIANCE = rational(2);

/** The threshold of a test of counts that one individual moves by 1, all the same way. */
function thresholdOf(test: Spend<"epsilon">, delta: string): bigint {
  return makeStableTopK({ maxK: 1, ...COUNTS, choose: { noise: "gumbel", scale: 1 }, test, delta }).threshold;
}

function stableClaim(isUnknownDomain: boolean): ExactClaim {
  const choose = { noise: "gumbel", scale: CHOICE_SCALE } as const;
  const parameters = { maxK: 3, ...COUNTS, choose, test: { variance: TEST_VARIANCE }, delta: DELTA };
  return {
    mechanism: "stableTopK",
    instance: `all histograms of 3 candidates up to 6, ${isUnknownDomain ? "unknown" : "public"} domain`,
    promise: PROMISE,
    source: "[ZW22, Theorem 11]",
    unit: "δ",
    check() {
      const measurement = makeStableTopK(parameters);
      const { threshold } = measurement;
      const tail = discreteGaussianTail(TEST_VARIANCE);
      const options = { maxK: 3, scale: CHOICE_SCALE, gapSensitivity: 1, threshold, tail, isUnknownDomain };
      const law = (histogram: Counts) => stableTopKLaw(histogram, options);
      return checkApprox(histogramPairs(3, 6, law), measurement.zcdp);
    },
  };
}

const K = 2;
/** The scale of the rounds that add candidates or drop some: Kr²/8τ² = 1/16. */
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
    source: "[ZW22, Theorem 12]",
    unit: "δ",
    check() {
      const { threshold, certainGap } = makeStableTopK({ maxK, ...COUNTS, choose, test, delta: DELTA });
      const penalty = rational(certainGap).dividedBy(BigInt(K));
      const options = {
        ...{ maxK, scale: CHOICE_SCALE, gapSensitivity: 1, threshold, isUnknownDomain, gapCap: certainGap },
        tail: discreteGaussianTail(TEST_VARIANCE),
        regulariser: (j: number) => penalty.times(BigInt(-Math.abs(j - K))),
      };
      const law = (histogram: Counts) =>
        isUnknownDomain
          ? stableTopKLaw(histogram, options)
          : stableTopKFixedLaw(histogram, { ...options, k: K, roundsScale: ROUNDS_SCALE });
      return checkApprox(histogramPairs(3, 6, law), makeStableTopKFixed(terms).zcdp);
    },
  };
}

type Neighbours = (counts: Counts) => Counts[];

/** The loss of one query, as a run reports it: of these votes as of any others. */
function reportedLoss(options: TeacherOptions): LossOf["zcdp"] {
  const isMultiLabel = options.task === "multi-label";
  const nobodySaysYes = new Uint8Array(options.teachers * (isMultiLabel ? options.labels : 1));
  return labelByTeachers([nobodySaysYes], options).privacy as LossOf["zcdp"]; // without a limit
}

const TEACHERS = 6;
const LABELS = 3;

/** Noise is small and δ large, so that everything that can happen does. */
const MULTI_LABEL = {
  task: "multi-label",
  teachers: TEACHERS,
  labels: LABELS,
  choose: { noise: "gumbel", scale: 4 },
  test: { variance: 16 },
  delta: "1/10",
} as const;

function multiLabelAnswers(): (counts: Counts) => Law {
  const { choose, test, delta } = MULTI_LABEL;
  // A vote may move two counts, one up and one down, and so a gap by 2: not monotone.
  const { threshold } = makeStableTopK({ maxK: LABELS - 1, choose, test, delta });
  const tail = discreteGaussianTail(test.variance);
  const options = { maxK: LABELS - 1, scale: choose.scale, gapSensitivity: 2, threshold, tail };
  return (counts) => multiLabelLaw(counts, options);
}

function multiLabelClaim(change: string, neighbours: Neighbours): ExactClaim {
  return {
    mechanism: "labelByTeachers, multi-label",
    instance: `all votes of ${TEACHERS} teachers on ${LABELS} labels, ${change}`,
    promise: `ρ = 1/4, δ = ${MULTI_LABEL.delta}`,
    source: "[ZW22, Example 14]",
    unit: "δ",
    check: () =>
      checkApprox(
        pairsOf(allHistograms(LABELS, TEACHERS), neighbours, multiLabelAnswers()),
        reportedLoss(MULTI_LABEL),
      ),
  };
}

interface MultiClass {
  readonly noise: "gumbel" | "gaussian";
  readonly classes: number;
}

/** The noise by its scale or its variance. Both make ρ = 1/8. */
const SIZE = { gumbel: 2, gaussian: 8 };

function multiClassClaim({ noise, classes }: MultiClass, change: string, neighbours: Neighbours): ExactClaim {
  const choose = noise === "gumbel" ? { noise, scale: SIZE.gumbel } : { noise, variance: SIZE.gaussian };
  const options = { task: "multi-class", teachers: TEACHERS, labels: classes, choose } as const;
  return {
    mechanism: "labelByTeachers, multi-class",
    instance: `all votes of ${TEACHERS} teachers on ${classes} classes, ${noise} noise, ${change}`,
    promise: "ρ = 1/8",
    source: "[ZW22, Example 13]",
    unit: "ρ",
    check() {
      const law = (counts: Counts) => noisyMaxLaw(counts, noise, SIZE[noise]);
      return checkZcdp(pairsOf(allElections(classes, TEACHERS), neighbours, law), reportedLoss(options).rho);
    },
  };
}

const REPLACED = "one replaced";
const ONE_MORE = "one more";

export function stableClaims(): readonly ExactClaim[] {
  return [
    largestGapClaim,
    proposeTestReleaseClaim,
    ...[false, true].map(stableClaim),
    ...(["public", "unknown"] as const).map(stableFixedClaim),
    multiLabelClaim(REPLACED, (counts) => withOneReplaced(counts, TEACHERS)),
    multiLabelClaim(ONE_MORE, withOneMore),
    multiClassClaim({ noise: "gumbel", classes: 3 }, REPLACED, withOneVoteMoved),
    multiClassClaim({ noise: "gumbel", classes: 3 }, ONE_MORE, withOneVoteMore),
    multiClassClaim({ noise: "gaussian", classes: 2 }, REPLACED, withOneVoteMoved),
  ];
}
