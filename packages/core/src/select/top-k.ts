/**
 * `topK`: which k candidates have the largest scores, in order, and nothing else.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not:
 *   epsilon        one shot of exponential noise of scale k·r/ε: pure ε
 *   rho            Gumbel noise of scale r·√(k/8ρ), that is the exponential mechanism k times: ρ-zCDP
 *   scale          one shot of exponential noise of this scale: pure ε = k·r/scale
 *   method "peel"  with epsilon or scale, k rounds of permute-and-flip without the winners before: the same ε, another law
 *
 * Cost: little more than the same without privacy ("peel": k passes). Proof: noisy-top-k.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { invalidParameter } from "../errors.js";
import type { Rational } from "../exact/rational.js";
import { integer, oneOf, readOptions } from "../options.js";
import type { CandidateOf, NamedScores } from "../race/candidates.js";
import { WINNERS } from "../race/ranking.js";
import type { Scores } from "../race/scores.js";
import type { Ranked } from "./answers.js";
import { drawWinners, lossOf } from "./noisy-winners.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions } from "./options.js";
import { peel } from "./peel.js";
import { type PublicDomain, publicDomain } from "./public-domain.js";

/**
 * What `topK` is asked: the settings, and exactly one of `epsilon`, `rho` and `scale`.
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
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

/**
 * The k candidates with the largest scores in their order, differentially private, and nothing else.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: with `epsilon`, exponential noise of scale k·r/ε, pure ε; with
 * `rho`, Gumbel noise, that is the exponential mechanism k times, ρ-zCDP; with `scale`, pure ε = k·r/scale. See
 * docs/mechanisms/top-k.md. `topKApprox` answers in (ε, δ).
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
  options: TopKOptions<"epsilon">,
): Ranked<CandidateOf<Given>, LossOf<Rational>["pure"]>;

export function topK<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKOptions<"rho">,
): Ranked<CandidateOf<Given>, LossOf<Rational>["zcdp"]>;

export function topK<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKOptions<"epsilon" | "scale">,
): Ranked<CandidateOf<Given>, LossOf["pure"]>;

export function topK<Given extends Scores | NamedScores>(
  scores: Given,
  options: TopKOptions,
): Ranked<CandidateOf<Given>, LossOf["pure" | "zcdp"]>;

export function topK(scores: Scores | NamedScores, options: LooseOptions<TopKOptions>): Ranked<unknown> {
  const read = readOptions(options, { k: integer }, TOP_K);
  const { k, method, negate, domain, entropy } = read;
  const range = rangeOf(read);
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

const TOP_K = {
  ...SELECTION,
  method: oneOf("one-shot", "peel"),
  domain: publicDomain,
  delta: (field: string, given: unknown): never => {
    throw invalidParameter(field, "left out; topKApprox takes epsilon and delta", given);
  },
};
