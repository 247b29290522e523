/**
 * `proposeTestRelease`: which k candidates have the largest counts, as they are and without noise, or nothing. Nothing
 * unless the k-th largest count leads the next so clearly that, noise on that lead included, no individual could have
 * changed which candidates they are [ZW22, Alg 4, 5]. The set is in the order of the array or of the names, never by count.
 *
 * Guarantee, with Δ_gap = Δ if `monotone` and 2Δ if not: with `rho`, discrete Gaussian noise of σ² = Δ_gap²/(2ρ),
 * δ-approximate ρ-zCDP; with `epsilon`, discrete Laplace noise of scale Δ_gap/ε, (ε, δ)-DP. Both whatever the answer is.
 * The candidates need not be known beforehand.
 *
 * Cost: finding the k + 1 largest counts. Proof: propose-test-release.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import { integer, properProbability, readOptions } from "../options.js";
import {
  type CandidateOf,
  type ChosenSet,
  type NamedCounts,
  nameSet,
  readNamedCounts,
} from "../race/candidates.js";
import { withEntropy } from "../system-entropy.js";
import { gapAfter } from "./gap-choice.js";
import { type CountOptions, gapSensitivity } from "./gap-sensitivity.js";
import { type Histogram, largestCounts, type RankedCounts } from "./largest-counts.js";
import { COUNTS } from "./largest-gap.js";
import type { Taker } from "./recorder.js";
import { type FailureOptions, StabilityTest, TEST_SIZES, THRESHOLD } from "./stability-test.js";

/**
 * What `proposeTestRelease` is asked: the settings, and the noise of the test (exactly one of `rho`, `epsilon`, `variance`
 * and `scale`).
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
 */
export type ProposeTestReleaseOptions<
  Names extends "rho" | "epsilon" | "variance" | "scale" = "rho" | "epsilon" | "variance" | "scale",
> = Spend<Names> &
  CountOptions &
  FailureOptions & {
    /** How many candidates. It may exceed their number, which may be unknown. */
    readonly k: number;
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/**
 * A set of candidates, or the answer that nothing can be released.
 *
 * @typeParam Candidate A position or a name.
 */
export type TestedSet<Candidate = number> =
  | (ChosenSet<Candidate> & {
      /** The set is stable. */
      readonly released: true;
    })
  | {
      /** It is not, or the noise says so. */
      readonly released: false;
    };

/**
 * A set of candidates or nothing, and what that cost.
 *
 * @typeParam Candidate A position or a name.
 * @typeParam Privacy The measure of the budget.
 */
export type ProposeTestRelease<
  Candidate = number,
  Privacy = LossOf<Rational>["approx" | "zcdp"],
> = TestedSet<Candidate> & {
  /** The loss that was incurred, whatever the answer. */
  readonly privacy: Privacy;
};

const PROPOSE_TEST_RELEASE = { ...COUNTS, ...TEST_SIZES, ...THRESHOLD, entropy: anEntropy };

/**
 * Which k candidates have the largest counts, as they are and without noise; or nothing, unless they are stable.
 *
 * They are stable if the k-th leads the next so clearly that, noise on that lead included, no individual could have
 * changed which they are [ZW22, Alg 4, 5]. The candidates need not be known beforehand.
 *
 * Guarantee, whatever the answer is: with `rho`, δ-approximate ρ-zCDP; with `epsilon`, (ε, δ)-DP. See
 * docs/mechanisms/propose-test-release.md.
 *
 * @param histogram The count of each candidate: an array gives positions; a `Map`, a record or pairs give names,
 * whatever the order in which they came.
 * @param options How many candidates, the budget with its δ, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { proposeTestRelease } from "winnow-dp";
 *
 * const users = new Map([["flu", 900], ["cold", 870], ["rare", 2]]);
 * const answer = proposeTestRelease(users, { k: 2, epsilon: 1, delta: "1e-6", monotone: true });
 * answer.released && answer.candidates; // → ["cold", "flu"]
 * answer.privacy; // → { measure: "approx", epsilon: 1, delta: 0.000001 }
 * ```
 */
export function proposeTestRelease<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: ProposeTestReleaseOptions<"rho" | "variance">,
): ProposeTestRelease<CandidateOf<Given>, LossOf<Rational>["zcdp"]>;
export function proposeTestRelease<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: ProposeTestReleaseOptions<"epsilon" | "scale">,
): ProposeTestRelease<CandidateOf<Given>, LossOf<Rational>["approx"]>;
export function proposeTestRelease<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: ProposeTestReleaseOptions,
): ProposeTestRelease<CandidateOf<Given>>;
export function proposeTestRelease(
  given: Histogram | NamedCounts,
  options: LooseOptions<ProposeTestReleaseOptions>,
): ProposeTestRelease<number | string> {
  const read = readOptions(options, { k: integer, delta: properProbability }, PROPOSE_TEST_RELEASE);
  const { k } = read;
  const test = new StabilityTest(gapSensitivity(read), read, read);
  const { scores, names } = readNamedCounts(given);
  const ranked = largestCounts(scores, k + 1);
  const release = withEntropy(read.entropy, (bits) => releaseIfStable(ranked, k, test, bits));
  return { ...nameRelease(release, names), privacy: test.loss.approx ?? test.loss.zcdp };
}

/** The first k of these counts if the gap after them passes the test. Zeros that continue a histogram have no position. */
export function releaseIfStable(
  { indices, counts }: RankedCounts,
  k: number,
  test: StabilityTest,
  by: Taker,
): TestedSet {
  if (!test.passes(gapAfter(counts, k), by)) return { released: false };
  return { released: true, candidates: indices.slice(0, k).sort((a, b) => a - b) };
}

/** A release by name if candidates have names. */
export function nameRelease(
  release: TestedSet,
  names: readonly string[] | undefined,
): TestedSet<number | string> {
  return release.released ? { released: true, ...nameSet(release.candidates, names) } : release;
}
