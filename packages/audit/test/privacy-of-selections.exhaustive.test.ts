import { describe, expect, it } from "vitest";
import { type Rational, type RationalLike, rational } from "../../core/src/exact/rational.js";
import { makeNoisyTopK } from "../../core/src/select/noisy-top-k.js";
import type { Law, LawOptions } from "../src/laws/law.js";
import { exponentialMechanismRound, peeledLaw, permuteAndFlipRound } from "../src/laws/noisy-max-laws.js";
import { exponentialTopKLaw, topKWithGapLaw } from "../src/laws/top-k-laws.js";
import { type LikelihoodRatio, likelihoodRatio, neighboursOf } from "../src/likelihood-ratio.js";

/**
 * What the mechanisms promise, against what their laws say: the exact likelihood ratios over all neighbours of small
 * instances are the ε of the privacy map, no more and no less, and noise that is 5 % too small is caught.
 */

type LawFor = (scores: readonly RationalLike[], options: LawOptions) => Law;

interface Instance {
  readonly scores: readonly RationalLike[];
  readonly k: number;
  readonly monotone: boolean;
  readonly sensitivity?: RationalLike;
}

/** Fewer binary places than usual: there are many laws to compute. */
const PRECISION = 128;

function worstCase(law: LawFor, { scores, k, monotone, sensitivity = 1 }: Instance, scale: RationalLike) {
  const lawAt = (of: readonly RationalLike[]) => law(of, { k, scale, precision: PRECISION });
  return likelihoodRatio(lawAt(scores), neighboursOf(scores, { monotone, sensitivity }).map(lawAt));
}

/** The largest loss is this one, up to 10^−25. */
function expectLoss({ least, most }: LikelihoodRatio, loss: RationalLike): void {
  const within = (end: RationalLike) => rational(end).minus(loss).times("1e25");
  expect(within(least as Rational).compare(-1)).toBe(1);
  expect(within(most as Rational).compare(1)).toBe(-1);
}

/** The ε that the privacy map states for noise of this scale. */
function stated({ k, monotone, sensitivity = 1 }: Instance, scale: RationalLike): RationalLike {
  return makeNoisyTopK({ k, measure: "pure", scale, monotone }).map(sensitivity).epsilon as Rational;
}

/** Gaps of at most so many resolutions are told apart. */
function withGaps(largestGap: number, resolution: RationalLike = 1): LawFor {
  return (scores, options) => topKWithGapLaw(scores, { ...options, resolution, largestGap });
}

const peeledPermuteAndFlip: LawFor = (scores, options) => peeledLaw(permuteAndFlipRound, scores, options);
const gumbel: LawFor = (scores, options) => peeledLaw(exponentialMechanismRound, scores, options);

const INSTANCES: readonly Instance[] = [
  { scores: [1, 0], k: 1, monotone: false },
  { scores: [2, 1, 0], k: 1, monotone: false },
  { scores: [2, 1, 0], k: 1, monotone: true },
  { scores: [3, 1, 1, 0], k: 1, monotone: true },
  { scores: [1, 1, 0], k: 2, monotone: false },
  { scores: [2, 1, 1, 0], k: 2, monotone: true },
  { scores: [1, 1, 0, 0], k: 3, monotone: false },
  { scores: [2, 1, 1, 0], k: 3, monotone: true },
];

describe("The exact loss of the top k with gaps", () => {
  it.each(INSTANCES)("is ε for scores $scores, k = $k, monotone $monotone", (instance) => {
    const scale = rational(instance.k).dividedBy("3/2");
    const law = withGaps(instance.k === 3 ? 1 : 3);
    expectLoss(worstCase(law, instance, scale), stated(instance, scale));
  });

  it.each(INSTANCES)("is above ε with 5 % less noise: k = $k, monotone $monotone", (instance) => {
    const scale = rational(instance.k).dividedBy("3/2");
    const { least } = worstCase(withGaps(1), instance, scale.times("0.95"));
    expect((least as Rational).compare(stated(instance, scale))).toBe(1);
  });

  it("is ε for scores, a sensitivity and a resolution that are no integers", () => {
    const instance = { scores: ["1/2", "1/2", 0], k: 1, monotone: false, sensitivity: "1/2" };
    expectLoss(worstCase(withGaps(3, "1/6"), instance, 2), stated(instance, 2));
  });

  it.each([
    { scores: ["0.24", "0.26"], k: 1, monotone: false, sensitivity: "1/50", resolution: "1/4" },
    { scores: ["0.1", "0.9", "0.2"], k: 1, monotone: false, sensitivity: "1/100", resolution: 1 },
    { scores: ["0.1", "0.9", "0.2"], k: 1, monotone: true, sensitivity: "1/7", resolution: "2/3" },
    { scores: ["-1/3", "2/7", "0.2"], k: 2, monotone: false, sensitivity: "3/10", resolution: "1/2" },
  ])(
    "is ε for fractions on no grid, with a resolution of $resolution for a sensitivity of $sensitivity",
    (of) => {
      const { resolution, k, monotone, sensitivity } = of;
      const measurement = makeNoisyTopK({ k, measure: "pure", scale: "1/3", monotone, resolution });
      const epsilon = measurement.map(sensitivity).epsilon as Rational;
      expect(epsilon).toEqual(rational(sensitivity).times(3 * k * (monotone ? 1 : 2)));
      expectLoss(worstCase(withGaps(3, resolution), of, "1/3"), epsilon);
      const { least } = worstCase(withGaps(3, resolution), of, "19/60");
      expect((least as Rational).compare(epsilon)).toBe(1);
    },
  );
});

describe.each<[string, LawFor]>([
  ["one shot of exponential noise", exponentialTopKLaw],
  ["peeled permute-and-flip", peeledPermuteAndFlip],
  ["the peeled exponential mechanism", gumbel],
])("The exact loss of %s", (_, law) => {
  it.each(INSTANCES)("is at most ε for scores $scores, k = $k, monotone $monotone", (instance) => {
    const { most } = worstCase(law, instance, 2);
    expect((most as Rational).compare(rational(stated(instance, 2)).plus("1e-25"))).toBe(-1);
  });
});

describe("The exact loss of the order alone", () => {
  it.each([
    { k: 1, scores: [0, 30], monotone: false },
    { k: 1, scores: [0, 30], monotone: true },
    { k: 2, scores: [0, 0, 30], monotone: false },
  ])("comes as near to ε as one likes: k = $k, monotone $monotone", (instance) => {
    for (const law of [exponentialTopKLaw, peeledPermuteAndFlip, gumbel].slice(0, instance.k === 1 ? 3 : 1)) {
      const { least } = worstCase(law, instance, 1);
      const missing = rational(stated(instance, 1)).minus(least as Rational);
      expect(missing.compare("1e-9")).toBe(-1);
    }
  });
});
