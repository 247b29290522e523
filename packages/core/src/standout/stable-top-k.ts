/**
 * `stableTopK`: which candidates stand out, and how many they are. A k with a large gap after the k-th largest count is
 * chosen privately (`largestGap`); then the k candidates are released as they are, without noise, if the gap there is so
 * wide that no individual can change which they are (`proposeTestRelease`), and nothing otherwise [ZW22, Alg 2]. The loss
 * does not grow with k. The set is in the order of the array or of the names, never by count, and nothing is said about
 * the gap.
 *
 * Guarantee: δ-approximate ρ-zCDP, half of ρ for each step: Gumbel noise of scale Δ_gap/√ρ on the gaps and discrete
 * Gaussian noise of σ² = Δ_gap²/ρ in the test, with Δ_gap = Δ if `monotone` and 2Δ if not. "Not released" is an answer
 * and costs the same. With `epsilon`: (ε, δ)-DP. Half of δ pays for converting ρ.
 *
 * The candidates need not be known beforehand: only the `maxK` + 1 largest counts matter, zeros if there are fewer. Then
 * a position in an array may itself depend on who is in it: pass names, which are sorted before anything is ranked.
 *
 * Cost: finding the maxK + 1 largest counts. Proof: stable-top-k.proof.md.
 * @module
 */

import { compose } from "../accounting/compose.js";
import { type LossOf, zcdp } from "../accounting/loss.js";
import type { LossLike } from "../accounting/loss-json.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { isAccepted } from "../accounting/within.js";
import { anEntropy, type Entropy } from "../entropy.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import {
  integer,
  nonNegativeRational,
  positiveRational,
  properProbability,
  readOptions,
} from "../options.js";
import { type CandidateOf, type NamedCounts, readNamedCounts } from "../race/candidates.js";
import type { Measurement } from "../select/measurement.js";
import {
  type LooseNoise,
  type NoiseSize,
  type NoisyMaxBudget,
  type NoisyMaxNoise,
  noisyMaxBudget,
  readNoise,
} from "../select/noisy-max-noise.js";
import { withEntropy } from "../system-entropy.js";
import { GapChoice, type GapOptions } from "./gap-choice.js";
import { type CountOptions, gapSensitivity } from "./gap-sensitivity.js";
import { type Histogram, largestCounts } from "./largest-counts.js";
import { GAPS } from "./largest-gap.js";
import { nameRelease, releaseIfStable, type TestedSet } from "./propose-test-release.js";
import type { Recorder, Taker } from "./recorder.js";
import {
  type FailureOptions,
  type LooseTest,
  StabilityTest,
  THRESHOLD,
  testBudget,
} from "./stability-test.js";
import { readBudget } from "./stable-budget.js";

/**
 * What `stableTopK` is asked: the settings, and exactly one of `rho` and `epsilon`.
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
 */
export type StableTopKOptions<Names extends "rho" | "epsilon" = "rho" | "epsilon"> = Spend<Names> &
  GapOptions &
  FailureOptions & {
    /** The law of the noise on the gaps. Default "gumbel", which costs least. */
    readonly noise?: NoisyMaxNoise["noise"] | undefined;
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/** The readers of what a budget with a δ need not have. */
export const STABLE_SIZES = { rho: positiveRational, epsilon: positiveRational };

const STABLE_TOP_K = { ...GAPS, ...STABLE_SIZES, ...THRESHOLD, noise: readNoise, entropy: anEntropy };

/** The readers of the noise of each step. */
export const STEPS = { choose: noisyMaxBudget, test: testBudget, delta: properProbability };

/**
 * The k that was chosen, and the k candidates if they were stable.
 *
 * @typeParam Candidate A position or a name.
 *
 * @inline
 */
export type StableRelease<Candidate = number> = TestedSet<Candidate> & {
  /** The k that was chosen. */
  readonly k: number;
};

/**
 * A k, its candidates if they were stable, and what that cost.
 *
 * @typeParam Candidate A position or a name.
 * @typeParam Privacy The measure of the budget.
 */
export type StableTopK<
  Candidate = number,
  Privacy = LossOf<Rational>["zcdp" | "approx"],
> = StableRelease<Candidate> & {
  /** The loss that was incurred, whatever the answer. */
  readonly privacy: Privacy;
};

/**
 * Which candidates stand out, and how many they are, at a loss that does not grow with their number.
 *
 * A k with a large gap after it is chosen privately, and the k candidates are released as they are if no individual
 * could have changed which they are [ZW22, Alg 2]. The candidates need not be known beforehand; where they are not,
 * pass their names: ties and the order of the answer then depend on names only.
 *
 * Guarantee: with `rho`, δ-approximate ρ-zCDP; with `epsilon`, (ε, δ)-DP. "Not released" is an answer and costs the
 * same. See docs/mechanisms/stable-top-k.md.
 *
 * @param histogram The count of each candidate: an array gives positions; a `Map`, a record or pairs give names,
 * whatever the order in which they came.
 * @param options The largest k, the budget with its δ, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { stableTopK } from "winnow-dp";
 *
 * const users = { flu: 9000, cold: 8700, cough: 3 };
 * const answer = stableTopK(users, { maxK: 3, rho: "1/2", delta: "1e-6", monotone: true });
 * answer.released && answer.candidates; // → ["cold", "flu"]
 * answer.privacy.measure; // → "zcdp"
 * ```
 */
export function stableTopK<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: StableTopKOptions<"rho">,
): StableTopK<CandidateOf<Given>, LossOf<Rational>["zcdp"]>;

export function stableTopK<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: StableTopKOptions<"epsilon">,
): StableTopK<CandidateOf<Given>, LossOf<Rational>["approx"]>;

export function stableTopK<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: StableTopKOptions,
): StableTopK<CandidateOf<Given>>;

export function stableTopK(
  histogram: Histogram | NamedCounts,
  options: LooseOptions<StableTopKOptions>,
): StableTopK<number | string> {
  const read = readOptions(options, { maxK: integer, delta: properProbability }, STABLE_TOP_K);
  const { noise = "gumbel", maxK, regulariser, gapCap, sensitivity, monotone, thresholdRule } = read;
  const budget = readBudget(read);
  const rho = budget.rho.dividedBy(2n);
  const measurement = makeStableTopK({
    ...{ maxK, regulariser, gapCap, sensitivity, monotone, thresholdRule },
    choose: { noise, rho },
    test: { rho },
    delta: budget.failure,
  });
  const release = measurement.invoke(histogram, read.entropy);
  return { ...release, privacy: budget.report(measurement.zcdp) };
}

/**
 * Among which k to choose, and the noise of each step or a budget for it.
 *
 * @inline
 */
export interface StableTopKParameters extends GapOptions, FailureOptions {
  /** The noise on the gaps, or a budget for it. */
  readonly choose: NoisyMaxBudget;
  /** The noise of the test, or a budget for it. */
  readonly test: Spend<NoiseSize>;
}

/** `stableTopK` with each noise of its own, to be run many times. */
export class StableTopKMeasurement
  implements Measurement<Histogram | NamedCounts, StableRelease<number | string>, LossOf["zcdp"]>
{
  /** The measure of `map`: δ-approximate zero-concentrated differential privacy. */
  readonly measure = "zcdp";
  readonly #choice: GapChoice;
  readonly #test: StabilityTest;
  readonly #sensitivity: RationalLike;

  /**
   * Made by `makeStableTopK`.
   *
   * @internal
   */
  constructor(choice: GapChoice, test: StabilityTest, { sensitivity = 1n }: CountOptions) {
    this.#choice = choice;
    this.#test = test;
    this.#sensitivity = sensitivity;
    Object.freeze(this);
  }

  /** The loss of one run. */
  get zcdp(): LossOf<Rational>["zcdp"] {
    return compose(this.#choice.loss.zcdp, this.#test.loss.zcdp);
  }

  /** The same guarantee, as a curve that composes better where the noise on the gaps is Gaussian. */
  get renyi(): LossOf<Rational>["renyi"] {
    return compose(this.#choice.loss.renyi, this.#test.loss.renyi);
  }

  /**
   * A set of candidates, or the answer that nothing can be released.
   *
   * @param histogram The count of each candidate: an array gives positions; a `Map`, a record or pairs give names.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke<Given extends Histogram | NamedCounts>(
    histogram: Given,
    entropy?: Entropy,
  ): StableRelease<CandidateOf<Given>> {
    const counts = readNamedCounts(histogram);
    return withEntropy(entropy, (bits) => this.#release(counts, bits)) as StableRelease<CandidateOf<Given>>;
  }

  /**
   * As `invoke`, with each private step taken through a recorder: the code that runs is the code that an audit sees.
   *
   * @param histogram The count of each candidate: an array gives positions; a `Map`, a record or pairs give names.
   * @param recorder Takes the steps.
   */
  recorded<Given extends Histogram | NamedCounts>(
    histogram: Given,
    recorder: Recorder,
  ): StableRelease<CandidateOf<Given>> {
    return this.#release(readNamedCounts(histogram), recorder) as StableRelease<CandidateOf<Given>>;
  }

  #release({ scores, names }: ReturnType<typeof readNamedCounts>, by: Taker): StableRelease<number | string> {
    const ranked = largestCounts(scores, this.#choice.maxK + 1);
    const k = this.#choice.choose(ranked.counts, by);
    return { k, ...nameRelease(releaseIfStable(ranked, k, this.#test, by), names) };
  }

  /** The least noisy gap that the test doesn't let pass: a larger one is needed. */
  get threshold(): bigint {
    return this.#test.threshold;
  }

  /** From this gap on a set is released, except with probability at most δ. */
  get certainGap(): bigint {
    return this.#test.certainGap;
  }

  /**
   * The loss of one run: `zcdp` if one individual changes no count by more than the `sensitivity` that the noise was made
   * for, nothing at distance 0, and unbounded beyond it.
   */
  map(dIn: RationalLike): LossOf["zcdp"] {
    return lossAt(dIn, this.#sensitivity, this.zcdp);
  }

  /** Whether neither the ρ nor the δ of `map(dIn)` exceeds that of `dOut`. */
  check(dIn: RationalLike, dOut: LossLike<"zcdp">): boolean {
    return isAccepted(this.map(dIn), dOut);
  }
}

/** A test that was made for one sensitivity says nothing about a larger one: its δ would not hold. */
export function lossAt(dIn: RationalLike, sensitivity: RationalLike, loss: LossOf["zcdp"]): LossOf["zcdp"] {
  const distance = nonNegativeRational("dIn", dIn);
  if (distance.numerator === 0n) return zcdp(0n);
  return distance.compare(sensitivity) <= 0 ? loss : zcdp(Infinity);
}

/**
 * `stableTopK` as a measurement: each noise of its own, and the loss of a run known beforehand.
 *
 * See docs/mechanisms/stable-top-k.md.
 *
 * @example
 * ```ts
 * import { makeStableTopK, zcdp } from "winnow-dp";
 *
 * const measurement = makeStableTopK({
 *   maxK: 3,
 *   monotone: true,
 *   choose: { noise: "gumbel", scale: 4 },
 *   test: { variance: 16 },
 *   delta: "1e-6",
 * });
 * measurement.map(1); // → { measure: "zcdp", rho: 0.0625, delta: 0.000001 }
 * measurement.check(1, zcdp("1/10", "1e-6")); // → true
 * measurement.invoke({ flu: 9000, cold: 8700, cough: 3 }); // → { k: 2, released: true, candidates: ["cold", "flu"] }
 * ```
 */
export function makeStableTopK(parameters: StableTopKParameters): StableTopKMeasurement {
  const read = readOptions<LooseParameters>(
    parameters,
    { maxK: integer, ...STEPS },
    { ...GAPS, ...THRESHOLD },
    "parameters",
  );
  const test = new StabilityTest(gapSensitivity(read), read.test, read);
  return new StableTopKMeasurement(new GapChoice(read, read.choose), test, read);
}

/** The parameters before it is known that each step has just one budget. */
interface LooseParameters extends GapOptions, FailureOptions {
  readonly choose: LooseNoise;
  readonly test: LooseTest;
}
