/**
 * `topK`: which k candidates have the largest scores, in order, and nothing else.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not:
 *   epsilon        one shot of exponential noise of scale k·r/ε: pure ε
 *   rho            Gumbel noise of scale r·√(k/8ρ), that is the exponential mechanism k times: ρ-zCDP
 *   scale          one shot of exponential noise of this scale: pure ε = k·r/scale
 *   method "peel"  with epsilon or scale, k rounds of permute-and-flip without the winners before: the same ε, another law
 *
 * Cost: little more than the same without privacy ("peel": k passes). Proof: docs/proofs/noisy-top-k.md.
 * @module
 */
import { withEntropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type RationalLike, rational } from "../exact/rational.js";
import { type PureLoss, pure, type ZcdpLoss, zcdp } from "../privacy/loss.js";
import { exponential } from "../race/noise.js";
import { ScoreReader, type Scores } from "../race/scores.js";
import type { Winner } from "../race/winners.js";
import { integer, oneOf, positiveRational, readOptions } from "../validate.js";
import { NoisyTopK } from "./noisy-top-k.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions } from "./options.js";
import { peel } from "./permute-and-flip.js";

/**
 * How many winners, a budget (exactly one of `epsilon`, `rho` and `scale`), how one individual can move scores, and
 * where the bits come from.
 */
export interface TopKOptions extends SelectionOptions {
  /** How many winners, from 1 to the number of candidates. */
  readonly k: number;
  /** One shot of noise for all ranks, or a round of permute-and-flip for each. Default "one-shot". */
  readonly method?: "one-shot" | "peel" | undefined;
  /** The size of a public domain of which `scores` lists the first candidates; all others have score 0. */
  readonly domainSize?: number | undefined;
}

/** The winners, and what they cost. */
export interface TopK {
  /** The winners, best first. */
  readonly winners: readonly Winner[];
  /** The loss that was incurred. */
  readonly privacy: PureLoss | ZcdpLoss;
}

/**
 * The indices of the k largest scores in their order, differentially private, and nothing else.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: with `epsilon`, exponential noise of scale k·r/ε, pure ε; with
 * `rho`, Gumbel noise, that is the exponential mechanism k times, ρ-zCDP; with `scale`, pure ε = k·r/scale. See
 * docs/mechanisms/top-k.md.
 *
 * @param scores The scores of a public list of candidates.
 * @param options How many winners, the budget, and how one individual can move scores.
 */
export function topK(scores: Scores, options: TopKOptions): TopK {
  const read = readOptions(options, { k: integer }, TOP_K);
  const { k, monotone, negate, domainSize, sensitivity = 1n, entropy } = read;
  const { measure, scale } = chooseNoise(read, rangeOf(read), k);
  const measurement = new NoisyTopK({ k, measure, scale, monotone, negate, domainSize });
  const loss = measurement.map(sensitivity);
  const privacy = measure === "pure" ? pure(loss) : zcdp(loss);
  const { winners } = isPeeled(read, measurement)
    ? peeled(scores, measurement, entropy)
    : measurement.invoke(scores, entropy);
  return { winners, privacy };
}

const TOP_K = { ...SELECTION, method: oneOf("one-shot", "peel"), domainSize: integer };

function isPeeled({ method = "one-shot", rho, domainSize }: TopKOptions, { scale }: NoisyTopK): boolean {
  if (method === "one-shot") return false;
  if (rho !== undefined)
    throw invalidParameter("method", '"one-shot" with rho, whose noise is peeled already', method);
  if (domainSize !== undefined) throw invalidParameter("method", '"one-shot" with a domainSize', method);
  if (scale.numerator === 0n) throw invalidParameter("scale", "a rational > 0 to peel with", scale);
  return true;
}

function peeled(scores: Scores, measurement: NoisyTopK, entropy: TopKOptions["entropy"]) {
  const { k, scale, negate } = measurement;
  const reader = new ScoreReader(scores, { negate });
  measurement.sizeFor(reader.length); // refuses too many winners
  const indices = withEntropy(entropy, (bits) => peel(reader, k, { noise: exponential, scale }, bits));
  return { winners: indices.map((index) => ({ index })) };
}

/*
 * `topKWithGap`: which k candidates have the largest scores, in order, and for free by how much each leads the next, the
 * last of them by how much it leads the best that did not win [Ding23].
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: exponential noise of scale k·r/ε, pure ε. Scores are used exactly,
 * fractions too; only the gaps are rounded down to multiples of `resolution`, after the noise is added, which costs nothing.
 *
 * Cost: that of `topK` for k + 1. Proof: docs/proofs/noisy-top-k-with-gap.md.
 */

/**
 * How many winners, a budget (exactly one of `epsilon` and `scale`), the resolution of the gaps, how one individual can
 * move scores, and where the bits come from.
 */
export interface TopKWithGapOptions extends Omit<SelectionOptions, "rho"> {
  /** How many winners, from 1 to the number of candidates less one. */
  readonly k: number;
  /** Gaps are multiples of this. Default 1. */
  readonly resolution?: RationalLike | undefined;
  /** The size of a public domain of which `scores` lists the first candidates; all others have score 0. */
  readonly domainSize?: number | undefined;
}

/** The winners with their gaps, and what they cost. */
export interface TopKWithGap {
  /** The winners with their gaps, best first. */
  readonly winners: readonly Required<Winner>[];
  /** The loss that was incurred. */
  readonly privacy: PureLoss;
}

const TOP_K_WITH_GAP = { ...SELECTION, resolution: positiveRational, domainSize: integer };

/**
 * The indices of the k largest scores in their order and, for free, by how much each leads the next, differentially
 * private.
 *
 * The last gap is the lead over the best that did not win [Ding23]. Gaps are rounded down to multiples of `resolution`.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: exponential noise of scale k·r/ε, pure ε, gaps included. See
 * docs/mechanisms/top-k-with-gap.md.
 *
 * @param scores The scores of a public list of candidates, at least k + 1.
 * @param options How many winners, the budget, the resolution, and how one individual can move scores.
 */
export function topKWithGap(scores: Scores, options: TopKWithGapOptions): TopKWithGap {
  const read = readOptions(options, { k: integer }, TOP_K_WITH_GAP);
  const { rho } = read as SelectionOptions;
  if (rho !== undefined) throw invalidParameter("rho", "absent, because gaps need epsilon or scale", rho);
  const { k, monotone, negate, domainSize, sensitivity = 1n, entropy } = read;
  const resolution = rational(read.resolution ?? 1n);
  const { scale } = chooseNoise(read, rangeOf(read), k);
  const measurement = new NoisyTopK({ k, measure: "pure", scale, monotone, negate, resolution, domainSize });
  const { winners } = measurement.invoke(scores, entropy);
  return { winners: winners as readonly Required<Winner>[], privacy: pure(measurement.map(sensitivity)) };
}
