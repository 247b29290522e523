/**
 * `largestGap`: a k such that the k largest counts stand out from the rest, chosen with the exponential mechanism (or
 * another noisy max) over the gaps between neighbouring sorted counts, plus a regulariser [ZW22, Alg 1]. It says how many
 * candidates belong together, not which: for those see `stableTopK`.
 *
 * Guarantee, with Δ_gap = Δ if `monotone` and 2Δ if not: that of `noisyMaxLoss` for r = 2Δ_gap. Gumbel noise, the
 * default, of scale 2Δ_gap/ε is ε-DP and ε²/8-zCDP.
 *
 * Cost: finding the maxK + 1 largest counts, and a noise for each of them. Proof: largest-gap.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import { bigInteger, boolean, integer, readOptions } from "../options.js";
import { type NamedCounts, readNamedCounts } from "../race/candidates.js";
import {
  type Law,
  type LooseNoise,
  NOISE_SIZES,
  type NoiseFor,
  type NoiseSize,
  readNoise,
} from "../select/noisy-max-noise.js";
import { withEntropy } from "../system-entropy.js";
import { GapChoice, type GapOptions } from "./gap-choice.js";
import { countSensitivity } from "./gap-sensitivity.js";
import { type Histogram, largestCounts } from "./largest-counts.js";
import { aRegulariser } from "./regulariser.js";

/** The law of the noise on the gaps: "gumbel" by default, and Gaussian noise where there is a variance. */
type OnGaps<Name extends NoiseSize> = Name extends "variance"
  ? Law<"gaussian">
  : Partial<Law<NoiseFor<Name> | undefined>>;

/**
 * What `largestGap` is asked: the settings, the noise and how much of it (exactly one of `epsilon`, `rho`, `scale` and
 * `variance`).
 *
 * @typeParam Names The budgets that it may be.
 *
 * @interface
 */
export type LargestGapOptions<Names extends NoiseSize = NoiseSize> = {
  [Name in Names]: Spend<Name> & OnGaps<Name>;
}[Names] &
  GapOptions & {
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/**
 * The k that was chosen, and what it cost.
 *
 * @typeParam Privacy The measure of the budget.
 *
 * @inline
 */
export type LargestGap<Privacy = LossOf<Rational>["pure" | "zcdp"]> = {
  /** How many candidates stand out. */
  readonly k: number;
  /** The loss that was incurred. */
  readonly privacy: Privacy;
};

/** The readers of how one individual can change counts. */
export const COUNTS = { sensitivity: countSensitivity, monotone: boolean };

/** The readers of what `GapOptions` need not have. */
export const GAPS = { ...COUNTS, regulariser: aRegulariser, gapCap: bigInteger };

const LARGEST_GAP = { ...GAPS, ...NOISE_SIZES, noise: readNoise, entropy: anEntropy };

/**
 * How many candidates stand out from the rest: a k with a large gap after the k-th largest count, differentially
 * private.
 *
 * It is noisy max over the gaps between neighbouring sorted counts [ZW22, Alg 1]. It says how many candidates belong
 * together, not which: for those see `stableTopK`.
 *
 * Guarantee, with Δ_gap = Δ if `monotone` and 2Δ if not: Gumbel noise, the default, of scale 2Δ_gap/ε is ε-DP and
 * ε²/8-zCDP. See docs/mechanisms/largest-gap.md.
 *
 * @param histogram The count of each candidate: an array, or a `Map`, a record or pairs with names.
 * @param options The largest k, the budget, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { largestGap } from "winnow-dp";
 *
 * const users = { ada: 900, bob: 870, carol: 20, dave: 10 };
 * largestGap(users, { maxK: 3, epsilon: 1, monotone: true }).k; // → 2
 * ```
 */
export function largestGap(
  histogram: Histogram | NamedCounts,
  options: LargestGapOptions<"epsilon" | "scale">,
): LargestGap<LossOf<Rational>["pure"]>;

export function largestGap(
  histogram: Histogram | NamedCounts,
  options: LargestGapOptions<"rho" | "variance">,
): LargestGap<LossOf<Rational>["zcdp"]>;

export function largestGap(histogram: Histogram | NamedCounts, options: LargestGapOptions): LargestGap;

export function largestGap(
  histogram: Histogram | NamedCounts,
  options: Omit<LooseOptions<LargestGapOptions>, "noise"> & { noise?: LooseNoise["noise"] | undefined },
): LargestGap {
  const read = readOptions(options, { maxK: integer }, LARGEST_GAP);
  const { noise = "gumbel", epsilon, rho, scale, variance } = read;
  const choice = new GapChoice(read, { noise, epsilon, rho, scale, variance });
  const { counts } = largestCounts(readNamedCounts(histogram).scores, choice.maxK + 1);
  const k = withEntropy(read.entropy, (bits) => choice.choose(counts, bits));
  const { pure, zcdp } = choice.loss;
  return { k, privacy: rho === undefined ? (pure ?? zcdp) : zcdp };
}
