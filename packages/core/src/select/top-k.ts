/**
 * `topK`: which k candidates have the largest scores, in order, and nothing else.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not:
 *   epsilon        one shot of exponential noise of scale k·r/ε: pure ε
 *   and a delta    Gumbel noise of scale r/η, for the largest η whose k rounds are certified to be (ε, δ)-DP, where its
 *                  standard deviation is below that of exponential noise, as from k = 7 at (1, 10⁻⁶); else as without δ
 *   rho            Gumbel noise of scale r·√(k/8ρ), that is the exponential mechanism k times: ρ-zCDP
 *   scale          one shot of exponential noise of this scale: pure ε = k·r/scale
 *   method "peel"  with epsilon or scale, k rounds of permute-and-flip without the winners before: the same ε, another law
 *
 * Cost: little more than the same without privacy ("peel": k passes). Proofs: noisy-top-k.proof.md,
 * accounting/profile/rounds-of-bounded-range.proof.md.
 * @module
 */

import { noiseForApprox } from "../accounting/gumbel-scale.js";
import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { invalidParameter } from "../errors.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { integer, oneOf, positiveRational, properProbability, readOptions } from "../options.js";
import type { CandidateOf, NamedScores } from "../race/candidates.js";
import { WINNERS } from "../race/ranking.js";
import type { Scores } from "../race/scores.js";
import type { Ranked } from "./answers.js";
import { drawWinners, lossOf } from "./noisy-winners.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions, usualScale } from "./options.js";
import { peel } from "./peel.js";
import { type PublicDomain, publicDomain } from "./public-domain.js";

/**
 * What `topK` is asked: the settings, and exactly one of `epsilon`, `rho` and `scale`.
 *
 * @typeParam Names Those that it may be.
 */
export type TopKOptions<Names extends "epsilon" | "rho" | "scale" = "epsilon" | "rho" | "scale"> =
  Spend<Names> &
    SelectionOptions & {
      /** How many winners, from 1 to the number of candidates. */
      readonly k: number;
      /** One shot of noise for all ranks, or a round of permute-and-flip for each, with `epsilon` or `scale`. Default "one-shot". */
      readonly method?: "one-shot" | "peel" | undefined;
      /** `{ size }` if there are more candidates than an array lists, all with score 0. Default: all are listed. */
      readonly domain?: PublicDomain | undefined;
    };

/** What `topK` is asked in (ε, δ). */
export type TopKApproxOptions = Omit<TopKOptions<"epsilon">, "method"> & {
  /** The δ of the whole answer, above 0 and below 1. */
  readonly delta: RationalLike;
  /** The law of the noise; by default that of the smaller standard deviation, which k, ε and δ decide. */
  readonly noise?: "gumbel" | "exponential" | undefined;
};

/**
 * The winners of a budget in (ε, δ). With Gumbel noise the answer is `rounds` rounds of bounded range `range`; their prices in
 * other measures, `repeat(zcdpOfBoundedRange(range), rounds)` and `renyi(boundedRangeCurve(range).times(rounds))`, are true
 * too. An account takes one of them, never two.
 *
 * @typeParam Candidate A position or a name.
 */
export interface TopKApprox<Candidate = number> extends Ranked<Candidate, LossOf["approx"]> {
  /** The law of the noise that was used. */
  readonly noise: "gumbel" | "exponential";
  /** The scale of the noise. */
  readonly scale: Rational;
  /** How many rounds there were: k. */
  readonly rounds: number;
  /** The range η of each round; only with Gumbel noise. */
  readonly range?: Rational;
}

/**
 * The k candidates with the largest scores in their order, differentially private, and nothing else.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: with `epsilon`, exponential noise of scale k·r/ε, pure ε; with
 * `rho`, Gumbel noise, that is the exponential mechanism k times, ρ-zCDP; with `scale`, pure ε = k·r/scale. See
 * docs/mechanisms/top-k.md. With `epsilon` and `delta`, Gumbel noise that is certified to be (ε, δ)-DP, or exponential noise
 * where it is less.
 *
 * @param scores The scores of a public list of candidates: an array gives winners by position; a `Map`, a record or pairs
 * give winners by name.
 * @param options How many winners, the budget, and how one individual can move scores.
 *
 * @example
 * ```ts
 * import { topK } from "winnow-dp";
 *
 * const visitors = { news: 41_200, sport: 30_900, weather: 120 };
 * const { winners, privacy } = topK(visitors, { k: 2, epsilon: 1, monotone: true });
 * winners; // → [{ candidate: "news" }, { candidate: "sport" }]
 * privacy.epsilon; // → 1
 * ```
 */
export function topK<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKApproxOptions,
): TopKApprox<CandidateOf<Given>>;

export function topK<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKOptions<"epsilon" | "scale">,
): Ranked<CandidateOf<Given>, LossOf["pure"]>;

export function topK<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKOptions<"rho">,
): Ranked<CandidateOf<Given>, LossOf["zcdp"]>;

export function topK<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKOptions,
): Ranked<CandidateOf<Given>, LossOf["pure" | "zcdp"]>;

export function topK(
  scores: Scores | NamedScores,
  options: LooseTopK,
): Ranked<unknown> | TopKApprox<unknown> {
  const read = readOptions(options, { k: integer }, TOP_K);
  const { k, method, negate, domain, entropy } = read;
  const range = rangeOf(read);
  if (read.delta !== undefined) return topKForApprox(scores, read, range);
  if (read.noise !== undefined)
    throw invalidParameter("noise", "absent without a delta, which lets it be chosen", read.noise);
  const draw = { k, ...chooseNoise(read, range, k), negate, domain };
  const isPeeled = method === "peel";
  if (isPeeled && (draw.measure === "zcdp" || domain !== undefined))
    throw invalidParameter(
      "method",
      '"one-shot" with rho, whose noise is peeled already, or a domain',
      method,
    );
  const winners = drawWinners(scores, draw, entropy, WINNERS, isPeeled ? peel : undefined);
  return { winners, privacy: lossOf(draw, range) };
}

/** The options before it is known that there is just one budget. */
type LooseTopK = LooseOptions<TopKOptions> & Partial<Pick<TopKApproxOptions, "delta" | "noise">>;

function topKForApprox(
  scores: Scores | NamedScores,
  read: LooseTopK,
  distance: Rational,
): TopKApprox<unknown> {
  const { k, negate, domain, entropy } = read;
  for (const name of ["rho", "scale", "method"] as const)
    if (read[name] !== undefined) throw invalidParameter(name, "absent beside delta", read[name]);
  const epsilon = positiveRational("epsilon", read.epsilon as RationalLike);
  const delta = properProbability("delta", read.delta as RationalLike);
  const { noise, scale, privacy } = noiseForApprox({ epsilon, delta, rounds: k, distance }, read.noise);
  const measure = noise === "gumbel" ? "zcdp" : "pure";
  const draw = { k, measure, scale: usualScale(scale), negate, domain } as const;
  const winners = drawWinners(scores, draw, entropy, WINNERS);
  const range = noise === "gumbel" ? { range: distance.dividedBy(scale) } : {};
  return { winners, privacy, noise, scale, rounds: k, ...range };
}

const TOP_K = {
  ...SELECTION,
  delta: properProbability,
  noise: oneOf("gumbel", "exponential"),
  method: oneOf("one-shot", "peel"),
  domain: publicDomain,
};
