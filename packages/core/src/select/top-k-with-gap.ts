/**
 * `topKWithGap`: which k candidates have the largest scores, in order, and for free by how much each leads the next, the
 * last of them by how much it leads the runner-up [Ding23].
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: exponential noise of scale k·r/ε, pure ε. Scores are used exactly,
 * fractions too; only the gaps are rounded down to multiples of `resolution`, after the noise is added, which costs nothing.
 *
 * Cost: that of `topK` for k + 1. Proof: noisy-top-k-with-gap.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, LooseSpend, Spend } from "../accounting/spend.js";
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { integer, positiveRational, readOptions } from "../options.js";
import type { CandidateOf, NamedScores, Winner } from "../race/candidates.js";
import { gapsOf } from "../race/ranking.js";
import type { Scores } from "../race/scores.js";
import type { Ranked } from "./answers.js";
import { drawWinners, lossOf } from "./noisy-winners.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions, usualResolution } from "./options.js";
import { type PublicDomain, publicDomain } from "./public-domain.js";

/**
 * What `topKWithGap` is asked: the settings, and exactly one of `epsilon` and `scale`.
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
 */
export type TopKWithGapOptions<Names extends "epsilon" | "scale" = "epsilon" | "scale"> = Spend<Names> &
  SelectionOptions & {
    /** How many winners, from 1 to the number of candidates less one. */
    readonly k: number;
    /** Gaps are multiples of this. Default 1. */
    readonly resolution?: RationalLike | undefined;
    /** `{ size }` if there are more candidates than an array lists, all with score 0. Default: all are listed. */
    readonly domain?: PublicDomain | undefined;
  };

/**
 * The winners with their gaps, and what they cost.
 *
 * @inline
 */
export type TopKWithGap<Candidate = number, Privacy = LossOf["pure"]> = Ranked<
  Candidate,
  Privacy,
  Required<Winner<Candidate>>
>;

const TOP_K_WITH_GAP = { ...SELECTION, resolution: positiveRational, domain: publicDomain };

/**
 * The k candidates with the largest scores in their order and, for free, by how much each leads the next,
 * differentially private.
 *
 * The last gap is the lead over the runner-up [Ding23]. Gaps are rounded down to multiples of `resolution`.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: exponential noise of scale k·r/ε, pure ε, gaps included. See
 * docs/mechanisms/top-k-with-gap.md.
 *
 * @param scores The scores of a public list of candidates, at least k + 1: an array gives winners by position; a `Map`, a
 * record or pairs give winners by name.
 * @param options How many winners, the budget, the resolution, and how one individual can move scores.
 *
 * @example
 * ```ts
 * import { topKWithGap } from "winnow-dp";
 *
 * const visitors = new Map([["news", 41_200], ["sport", 30_900], ["weather", 120]]);
 * const { winners } = topKWithGap(visitors, { k: 1, epsilon: 1, monotone: true, resolution: 1000 });
 * winners; // → [{ candidate: "news", gap: 10000 }]
 * ```
 */
export function topKWithGap<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKWithGapOptions<"epsilon">,
): TopKWithGap<CandidateOf<Given>, LossOf<Rational>["pure"]>;

export function topKWithGap<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKWithGapOptions,
): TopKWithGap<CandidateOf<Given>>;

export function topKWithGap<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKWithGapOptions,
): TopKWithGap<CandidateOf<Given>> {
  const read = readOptions<LooseOptions<TopKWithGapOptions> & LooseSpend<"rho">>(
    options,
    { k: integer },
    TOP_K_WITH_GAP,
  );
  const { rho, k, negate, domain, entropy } = read;
  if (rho !== undefined) throw invalidParameter("rho", "absent, because gaps need epsilon or scale", rho);
  const range = rangeOf(read);
  const draw = { k, ...chooseNoise(read, range, k), negate, domain };
  const resolution = usualResolution(rational(read.resolution ?? 1n), draw.scale);
  const winners = drawWinners(scores, draw, entropy, gapsOf(resolution));
  return {
    winners: winners as readonly Required<Winner<CandidateOf<Given>>>[],
    privacy: lossOf(draw, range) as LossOf["pure"],
  };
}
