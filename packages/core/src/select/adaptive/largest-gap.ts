/**
 * `largestGap`: a k such that the k largest counts stand out from the rest, chosen with the exponential mechanism (or
 * another noisy max) over the gaps between neighbouring sorted counts, plus a regulariser [ZW22, Alg 1]. It says how many
 * candidates belong together, not which: for those see `stableTopK`.
 *
 * Guarantee, with Δ_gap = Δ if `monotone` and 2Δ if not: as `noisyMaxLoss` has it for r = 2Δ_gap. Gumbel noise, the
 * default, of scale 2Δ_gap/ε is ε-DP and ε²/8-zCDP.
 *
 * Cost: finding the maxK + 1 largest counts, and a noise for each of them. Proof: docs/proofs/largest-gap.md.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { anEntropy, withEntropy } from "../../entropy/system-entropy.js";
import type { PureLoss, ZcdpLoss } from "../../privacy/loss.js";
import { arrayLike, integer, readOptions } from "../../validate.js";
import type { NoisyMaxBudget, NoisyMaxNoise } from "../noisy-max-noise.js";
import { NOISE_SIZES, readNoise } from "../noisy-max-noise.js";
import { GAPS, GapChoice, type GapOptions } from "./gap-choice.js";
import { type Histogram, largestCounts } from "./largest-counts.js";

/**
 * Among which k to choose, the noise and how much of it (exactly one of `epsilon`, `rho`, `scale` and `variance`), and
 * how one individual can change counts.
 */
export interface LargestGapOptions extends GapOptions, Omit<NoisyMaxBudget, "noise"> {
  /** The law of the noise on the gaps. Default "gumbel". */
  readonly noise?: NoisyMaxNoise["noise"] | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** The k that was chosen, and what it cost. */
export interface LargestGap {
  /** How many candidates stand out. */
  readonly k: number;
  /** The loss that was incurred. */
  readonly privacy: PureLoss | ZcdpLoss;
}

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
 * @param histogram The count of each candidate.
 * @param options The largest k, the budget, and how one individual can change counts.
 */
export function largestGap(histogram: Histogram, options: LargestGapOptions): LargestGap {
  const read = readOptions(options, { maxK: integer }, LARGEST_GAP);
  const { noise = "gumbel", epsilon, rho, scale, variance } = read;
  const choice = new GapChoice(read, { noise, epsilon, rho, scale, variance });
  const { counts } = largestCounts(arrayLike("histogram", histogram), choice.maxK + 1);
  const k = withEntropy(read.entropy, (bits) => choice.choose(counts, bits));
  const { pure, zcdp } = choice.loss;
  return { k, privacy: rho === undefined ? (pure ?? zcdp) : zcdp };
}
