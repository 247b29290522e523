/**
 * `permuteAndFlip`: which candidate has the largest score, by permute-and-flip [MS20]: go through the candidates in random
 * order, flip for each a coin that shows heads with probability e^(−(best score − its score)/scale), and take the first
 * that shows heads. It is never worse than the exponential mechanism at the same ε.
 *
 * The law is that of the largest score + exponential noise, and so it is drawn: as a race with one place.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: pure ε = r/scale. As zCDP it costs ε + e^−ε − 1 (`noisyMaxLoss`), not ε²/8.
 * Cost: little more than finding the largest score. Proof: permute-and-flip.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, LooseSpend, Spend } from "../accounting/spend.js";
import { invalidParameter } from "../errors.js";
import type { Rational } from "../exact/rational.js";
import { readOptions } from "../options.js";
import type { CandidateOf, NamedScores } from "../race/candidates.js";
import { WINNERS } from "../race/ranking.js";
import type { Scores } from "../race/scores.js";
import type { Chosen } from "./answers.js";
import { drawWinners, lossOf } from "./noisy-winners.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions } from "./options.js";
import { type PublicDomain, publicDomain } from "./public-domain.js";

/**
 * What `permuteAndFlip` is asked: the settings, and exactly one of `epsilon` and `scale`.
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
 */
export type PermuteAndFlipOptions<Names extends "epsilon" | "scale" = "epsilon" | "scale"> = Spend<Names> &
  SelectionOptions & {
    /** `{ size }` if there are more candidates than an array lists, all with score 0. Default: all are listed. */
    readonly domain?: PublicDomain | undefined;
  };

const PERMUTE_AND_FLIP = { ...SELECTION, domain: publicDomain };

/**
 * The candidate with the largest score, differentially private, by permute-and-flip, which is never worse than the
 * exponential mechanism at the same ε [MS20].
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: pure ε = r/scale. As zCDP it costs ε + e^−ε − 1 (`noisyMaxLoss`), not ε²/8. See
 * docs/mechanisms/permute-and-flip.md.
 *
 * @param scores The scores of a public list of candidates: an array gives the position of
 * the winner; a `Map`, a record or pairs give its name.
 * @param options The budget, and how one individual can move scores.
 *
 * @example
 * ```ts
 * import { permuteAndFlip } from "winnow-dp";
 *
 * permuteAndFlip({ tea: 900, coffee: 300 }, { epsilon: 1 }).candidate; // → "tea"
 * permuteAndFlip([900, 300], { epsilon: 1 }).candidate; // → 0
 * ```
 */
export function permuteAndFlip<Given extends Scores | NamedScores>(
  scores: Given,
  options: PermuteAndFlipOptions<"epsilon">,
): Chosen<CandidateOf<Given>, LossOf<Rational>["pure"]>;

export function permuteAndFlip<Given extends Scores | NamedScores>(
  scores: Given,
  options: PermuteAndFlipOptions,
): Chosen<CandidateOf<Given>, LossOf["pure"]>;

export function permuteAndFlip<Given extends Scores | NamedScores>(
  scores: Given,
  options: PermuteAndFlipOptions,
): Chosen<CandidateOf<Given>, LossOf["pure"]> {
  const read = readOptions<LooseOptions<PermuteAndFlipOptions> & LooseSpend<"rho">>(
    options,
    {},
    PERMUTE_AND_FLIP,
  );
  const { rho, negate, domain, entropy } = read;
  if (rho !== undefined)
    throw invalidParameter("rho", "absent, because permute-and-flip has epsilon or scale", rho);
  const range = rangeOf(read);
  const draw = { k: 1, ...chooseNoise(read, range, 1), negate, domain };
  const [{ candidate }] = drawWinners(scores, draw, entropy, WINNERS);
  return { candidate: candidate as CandidateOf<Given>, privacy: lossOf(draw, range) as LossOf["pure"] };
}
