/**
 * `topKWithGap`: which k candidates have the largest scores, in order, and for free by how much each leads the next, the
 * last of them by how much it leads the best that did not win [Ding23].
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: exponential noise of scale k·r/ε, pure ε. Scores are used exactly,
 * fractions too; only the gaps are rounded down to multiples of `resolution`, after the noise is added, which costs nothing.
 *
 * Cost: that of `topK` for k + 1. Proof: docs/proofs/noisy-top-k-with-gap.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { type RationalLike, rational } from "../exact/rational.js";
import { type PureLoss, pure } from "../privacy/loss.js";
import { integer, positiveRational, readOptions } from "../validate.js";
import { NoisyTopK } from "./make-noisy-top-k.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions } from "./options.js";
import type { Scores } from "./scores.js";
import type { Winner } from "./winners.js";

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
