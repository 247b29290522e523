/**
 * `proposeTestRelease`: which k candidates have the largest counts, as they are and without noise, or nothing. Nothing
 * unless the k-th largest count leads the next so clearly that, noise on that lead included, no individual could have
 * changed which candidates they are [ZW22, Alg 4, 5]. The set is in the order of the candidates, never by count.
 *
 * Guarantee, with Δ_gap = Δ if `monotone` and 2Δ if not: with `rho`, discrete Gaussian noise of σ² = Δ_gap²/(2ρ),
 * δ-approximate ρ-zCDP; with `epsilon`, discrete Laplace noise of scale Δ_gap/ε, (ε, δ)-DP. Both whatever the answer is.
 * The candidates need not be known beforehand.
 *
 * Cost: finding the k + 1 largest counts. Proof: docs/proofs/propose-test-release.md.
 * @module
 */
import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import type { ApproxLoss, ZcdpLoss } from "../privacy/loss.js";
import { arrayLike, integer, properProbability, readOptions } from "../validate.js";
import { type Histogram, largestCounts, type RankedCounts } from "./largest-counts.js";
import { COUNTS, type CountOptions, gapAfter, gapSensitivity } from "./largest-gap.js";
import {
  type FailureOptions,
  StabilityTest,
  TEST_SIZES,
  type TestBudget,
  THRESHOLD,
} from "./stability-test.js";

/**
 * How many candidates, the noise of the test (exactly one of `rho`, `epsilon`, `variance` and `scale`), its δ, and how
 * one individual can change counts.
 */
export interface ProposeTestReleaseOptions extends CountOptions, TestBudget, FailureOptions {
  /** How many candidates. It may exceed their number, which may be unknown. */
  readonly k: number;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** A set of candidates, or the answer that nothing can be released. */
export type Release =
  | {
      /** The set is stable. */
      readonly released: true;
      /** Positions in the histogram, ascending. */
      readonly indices: readonly number[];
    }
  | {
      /** It is not, or the noise says so. */
      readonly released: false;
    };

/** A set of candidates or nothing, and what that cost. */
export type ProposeTestRelease = Release & {
  /** The loss that was incurred, whatever the answer. */
  readonly privacy: ApproxLoss | ZcdpLoss;
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
 * @param histogram The count of each candidate.
 * @param options How many candidates, the budget with its δ, and how one individual can change counts.
 */
export function proposeTestRelease(
  histogram: Histogram,
  options: ProposeTestReleaseOptions,
): ProposeTestRelease {
  const read = readOptions(options, { k: integer, delta: properProbability }, PROPOSE_TEST_RELEASE);
  const { k } = read;
  const test = new StabilityTest(gapSensitivity(read), read, read);
  const ranked = largestCounts(arrayLike("histogram", histogram), k + 1);
  const release = withEntropy(read.entropy, (bits) => releaseIfStable(ranked, k, test, bits));
  return { ...release, privacy: test.loss.approx ?? test.loss.zcdp };
}

/** The first k of these counts if the gap after them passes the test. Zeros that continue a histogram have no position. */
export function releaseIfStable(
  { indices, counts }: RankedCounts,
  k: number,
  test: StabilityTest,
  entropy: Entropy,
): Release {
  if (!test.passes(gapAfter(counts, k), entropy)) return { released: false };
  return { released: true, indices: indices.slice(0, k).sort((a, b) => a - b) };
}
