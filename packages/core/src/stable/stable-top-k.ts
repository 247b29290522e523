/**
 * `stableTopK`: which candidates stand out, and how many they are. A k with a large gap after the k-th largest count is
 * chosen privately (`largestGap`); then the k candidates are released as they are, without noise, if the gap there is so
 * wide that no individual can change which they are (`proposeTestRelease`), and nothing otherwise [ZW22, Alg 2]. The loss
 * does not grow with k. The set is in the order of the candidates, never by count, and nothing is said about the gap.
 *
 * Guarantee: δ-approximate ρ-zCDP, half of ρ for each step: Gumbel noise of scale Δ_gap/√ρ on the gaps and discrete
 * Gaussian noise of σ² = Δ_gap²/ρ in the test, with Δ_gap = Δ if `monotone` and 2Δ if not. "Not released" is an answer
 * and costs the same. With `epsilon`, (ε, δ)-DP by a ρ that meets it with half of δ.
 *
 * The candidates need not be known beforehand: only the `maxK` + 1 largest counts matter, zeros if there are fewer. Then
 * a position in the histogram may itself depend on who is in it: release the names of the candidates, not positions.
 *
 * Cost: finding the maxK + 1 largest counts. Proof: docs/proofs/stable-top-k.md.
 * @module
 */
import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { rhoAtMost } from "../privacy/calibrate.js";
import { compose } from "../privacy/compose.js";
import { convert } from "../privacy/convert.js";
import { type ApproxLoss, approx, isAtMost, type RenyiLoss, type ZcdpLoss } from "../privacy/loss.js";
import {
  type NoisyMaxBudget,
  type NoisyMaxNoise,
  noisyMaxBudget,
  readNoise,
} from "../select/report-noisy-max.js";
import {
  arrayLike,
  exactlyOneOf,
  integer,
  positiveRational,
  properProbability,
  readOptions,
} from "../validate.js";
import { type Histogram, largestCounts } from "./largest-counts.js";
import { GAPS, GapChoice, type GapOptions, gapSensitivity } from "./largest-gap.js";
import { type Release, releaseIfStable } from "./propose-test-release.js";
import {
  type FailureOptions,
  StabilityTest,
  type TestBudget,
  THRESHOLD,
  type ThresholdRule,
  testBudget,
} from "./stability-test.js";

/**
 * Among which k to choose, a budget (exactly one of `rho` and `epsilon`, with a `delta`), and how one individual can
 * change counts.
 */
export interface StableTopKOptions extends GapOptions, StableBudgetOptions {
  /** The law of the noise on the gaps. Default "gumbel", which costs least. */
  readonly noise?: NoisyMaxNoise["noise"] | undefined;
  /** The smallest safe threshold of the test, or the published one, which is larger. Default "smallest". */
  readonly threshold?: ThresholdRule | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** The readers of what a budget with a δ need not have. */
export const STABLE_SIZES = { rho: positiveRational, epsilon: positiveRational };

const STABLE_TOP_K = { ...GAPS, ...STABLE_SIZES, ...THRESHOLD, noise: readNoise, entropy: anEntropy };

/** The readers of the noise of each step. */
export const STEPS = { choose: noisyMaxBudget, test: testBudget, delta: properProbability };

/** The k that was chosen, and the k candidates if they were stable. */
export type StableRelease = Release & {
  /** The k that was chosen. */
  readonly k: number;
};

/** A k, its candidates if they were stable, and what that cost. */
export type StableTopK = StableRelease & {
  /** The loss that was incurred, whatever the answer. */
  readonly privacy: ZcdpLoss | ApproxLoss;
};

/**
 * Which candidates stand out, and how many they are, at a loss that does not grow with their number.
 *
 * A k with a large gap after it is chosen privately, and the k candidates are released as they are if no individual
 * could have changed which they are [ZW22, Alg 2]. The candidates need not be known beforehand; where they are not,
 * release their names and not their positions.
 *
 * Guarantee: with `rho`, δ-approximate ρ-zCDP; with `epsilon`, (ε, δ)-DP. "Not released" is an answer and costs the
 * same. See docs/mechanisms/stable-top-k.md.
 *
 * @param histogram The count of each candidate.
 * @param options The largest k, the budget with its δ, and how one individual can change counts.
 */
export function stableTopK(histogram: Histogram, options: StableTopKOptions): StableTopK {
  const read = readOptions(options, { maxK: integer, delta: properProbability }, STABLE_TOP_K);
  const { noise = "gumbel", maxK, regulariser, cap, sensitivity, monotone, threshold } = read;
  const budget = readBudget(read);
  const rho = budget.rho.dividedBy(2n);
  const measurement = makeStableTopK({
    ...{ maxK, regulariser, cap, sensitivity, monotone, threshold },
    choose: { noise, rho },
    test: { rho },
    delta: budget.failure,
  });
  const release = measurement.invoke(histogram, read.entropy);
  return { ...release, privacy: budget.report(measurement.zcdp) };
}

/** Among which k to choose, and the noise of each step or a budget for it. */
export interface StableTopKParameters extends GapOptions, FailureOptions {
  /** The noise on the gaps, or a budget for it. */
  readonly choose: NoisyMaxBudget;
  /** The noise of the test, or a budget for it. */
  readonly test: TestBudget;
}

/** `stableTopK` with each noise of its own, to be run many times. */
export class StableTopKMeasurement {
  readonly #choice: GapChoice;
  readonly #test: StabilityTest;

  /**
   * Made by `makeStableTopK`.
   *
   * @internal
   */
  constructor(choice: GapChoice, test: StabilityTest) {
    this.#choice = choice;
    this.#test = test;
  }

  /** The loss of one run. */
  get zcdp(): ZcdpLoss {
    return compose(this.#choice.loss.zcdp, this.#test.loss.zcdp);
  }

  /** The same guarantee, as a curve that composes better where the noise on the gaps is Gaussian. */
  get renyi(): RenyiLoss {
    return compose(this.#choice.loss.renyi, this.#test.loss.renyi);
  }

  /**
   * A set of candidates, or the answer that nothing can be released.
   *
   * @param histogram The count of each candidate.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke(histogram: Histogram, entropy?: Entropy): StableRelease {
    const ranked = largestCounts(arrayLike("histogram", histogram), this.#choice.maxK + 1);
    return withEntropy(entropy, (bits) => {
      const k = this.#choice.choose(ranked.counts, bits);
      return { k, ...releaseIfStable(ranked, k, this.#test, bits) };
    });
  }
}

/**
 * `stableTopK` as a measurement: each noise of its own, and the loss of a run known beforehand.
 *
 * See docs/mechanisms/stable-top-k.md.
 */
export function makeStableTopK(parameters: StableTopKParameters): StableTopKMeasurement {
  const read = readOptions(parameters, { maxK: integer, ...STEPS }, { ...GAPS, ...THRESHOLD }, "parameters");
  const test = new StabilityTest(gapSensitivity(read), read.test, read);
  return new StableTopKMeasurement(new GapChoice(read, read.choose), test);
}

/*
 * The budget of a release that may fail with probability δ: ρ with all of δ for the failure, or (ε, δ), of which half of
 * δ is for the failure and the other half pays for the conversion from ρ.
 */

/** A budget with a δ: exactly one of `rho` and `epsilon`. */
export interface StableBudgetOptions {
  /** δ-approximate zero-concentrated differential privacy. */
  readonly rho?: RationalLike | undefined;
  /** (ε, δ)-differential privacy. */
  readonly epsilon?: RationalLike | undefined;
  /** The δ of the whole release, above 0 and below 1. */
  readonly delta: RationalLike;
}

interface StableBudget {
  readonly rho: Rational;
  /** The probability that an unstable set may be released with. */
  readonly failure: Rational;
  /** What was really spent, in the measure of the budget. */
  report(loss: ZcdpLoss): ZcdpLoss | ApproxLoss;
}

export function readBudget({ rho, epsilon, delta }: StableBudgetOptions): StableBudget {
  const failure = properProbability("delta", delta);
  exactlyOneOf({ rho, epsilon });
  if (epsilon !== undefined) return approximate(positiveRational("epsilon", epsilon), failure);
  return { rho: positiveRational("rho", rho as RationalLike), failure, report: (loss) => loss };
}

function approximate(epsilon: Rational, delta: Rational): StableBudget {
  const half = delta.dividedBy(2n);
  return {
    rho: rhoAtMost({ epsilon, delta: half }),
    failure: half,
    report(loss) {
      const spent = convert(loss, { to: "approx", delta });
      // Rounded up, the conversion may end a digit above the target, which is met all the same.
      return isAtMost(spent.epsilon, epsilon) ? spent : approx(epsilon, delta);
    },
  };
}
