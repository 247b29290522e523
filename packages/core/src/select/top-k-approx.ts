/**
 * `topKApprox`: which k candidates have the largest scores, in order, in (ε, δ).
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: Gumbel noise of scale r/η, for the largest η whose k rounds are certified to
 * be (ε, δ)-DP, where its standard deviation is below that of exponential noise of scale k·r/ε, as from k = 7 at (1, 10⁻⁶);
 * else that exponential noise, which is pure ε.
 *
 * Cost: little more than `topK`; the scale, once for each (ε, δ), k and r, some milliseconds. It is a function of its own because
 * certifying takes code that pure ε and ρ don't need. Proof: noisy-top-k.proof.md,
 * accounting/profile/rounds-of-bounded-range.proof.md.
 * @module
 */

import { noiseForApprox } from "../accounting/gumbel-scale.js";
import type { LossOf } from "../accounting/loss.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { integer, oneOf, positiveRational, properProbability, readOptions } from "../options.js";
import type { CandidateOf, NamedScores, Winner } from "../race/candidates.js";
import { WINNERS } from "../race/ranking.js";
import type { Scores } from "../race/scores.js";
import type { Ranked } from "./answers.js";
import { drawWinners } from "./noisy-winners.js";
import { rangeOf, SELECTION, type SelectionOptions, usualScale } from "./options.js";
import { type PublicDomain, publicDomain } from "./public-domain.js";

/** What `topKApprox` is asked. */
export interface TopKApproxOptions extends SelectionOptions {
  /** How many winners, from 1 to the number of candidates. */
  readonly k: number;
  /** The ε of the whole answer. */
  readonly epsilon: RationalLike;
  /** The δ of the whole answer, above 0 and below 1. */
  readonly delta: RationalLike;
  /** The law of the noise; by default that of the smaller standard deviation, which k, ε and δ decide. */
  readonly noise?: "gumbel" | "exponential" | undefined;
  /** `{ size }` if there are more candidates than an array lists, all with score 0. Default: all are listed. */
  readonly domain?: PublicDomain | undefined;
}

/**
 * The winners of a budget in (ε, δ). With Gumbel noise the answer is `rounds` rounds of bounded range `range`; their prices in
 * other measures, `repeat(zcdp(boundedRangeCurve(range).rho), rounds)` and `renyi(boundedRangeCurve(range).times(rounds))`, are true
 * too. An account takes one of them, never two.
 *
 * @typeParam Candidate A position or a name.
 */
export interface TopKApprox<Candidate = number> extends Ranked<Candidate, LossOf<Rational>["approx"]> {
  /** The law of the noise that was used. */
  readonly noise: "gumbel" | "exponential";
  /** The scale of the noise. */
  readonly scale: Rational;
  /** How many rounds there were: k. */
  readonly rounds: number;
  /** The range η of each round; only with Gumbel noise. */
  readonly range?: Rational;
}

const { sensitivity, monotone, negate, entropy } = SELECTION;
const REQUIRED = { k: integer, epsilon: positiveRational, delta: properProbability };
const OPTIONAL = {
  ...{ sensitivity, monotone, negate, entropy },
  noise: oneOf("gumbel", "exponential"),
  domain: publicDomain,
};

/**
 * The k candidates with the largest scores in their order, in (ε, δ): with Gumbel noise where that is certified to need less, else
 * with exponential noise.
 *
 * Guarantee: (ε, δ)-DP, and with exponential noise pure ε. See docs/mechanisms/top-k.md.
 *
 * @param scores The scores of a public list of candidates: an array gives winners by position; a `Map`, a record or pairs give
 * winners by name.
 * @param options How many winners, the budget, and how one individual can move scores.
 *
 * @example
 * ```ts
 * import { topKApprox } from "winnow-dp";
 *
 * const visits = Array.from({ length: 1000 }, (_, page) => page * 100);
 * const { noise, privacy } = topKApprox(visits, { k: 50, epsilon: 1, delta: "1e-6", monotone: true });
 * noise; // → "gumbel"
 * privacy.epsilon; // → 1
 * ```
 */
export function topKApprox<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKApproxOptions,
): TopKApprox<CandidateOf<Given>> {
  const read = readOptions(options, REQUIRED, OPTIONAL);
  const { k, negate, domain } = read;
  const distance = rangeOf(read);
  const [epsilon, delta] = [
    positiveRational("epsilon", read.epsilon),
    properProbability("delta", read.delta),
  ];
  const { noise, scale, privacy } = noiseForApprox({ epsilon, delta, rounds: k, distance }, read.noise);
  const measure = noise === "gumbel" ? "zcdp" : "pure";
  const draw = { k, measure, scale: usualScale(scale), negate, domain } as const;
  const winners = drawWinners(scores, draw, read.entropy, WINNERS);
  const range = noise === "gumbel" ? { range: distance.dividedBy(scale) } : {};
  return {
    ...{ winners: winners as readonly Winner<CandidateOf<Given>>[], privacy, noise, scale },
    ...{ rounds: k, ...range },
  };
}
