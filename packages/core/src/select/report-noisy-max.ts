/**
 * `reportNoisyMax`: adds noise to every score and reports which candidate then has the largest, and nothing else: no noisy
 * score leaves. The noise is continuous and exact, in one of four kinds:
 *
 *   exponential  the law of permute-and-flip: the best for a pure ε
 *   gumbel       the law of the exponential mechanism: the best for a ρ
 *   laplace      as often used; worse than exponential at the same loss
 *   gaussian     no pure ε; for few candidates, or where its Rényi curve composes well
 *
 * Guarantee: that of `noisyMaxLoss` for the noise that was used, in the measure of the budget; a scale is accounted for
 * as pure ε, a variance as ρ. Cost: little more than finding the largest score; Gaussian noise is drawn for everyone.
 * Proof: report-noisy-max.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type Rational, rational } from "../exact/rational.js";
import { readOptions } from "../options.js";
import { raceOverArray } from "../race/array-race.js";
import { type CandidateOf, type NamedScores, nameChoice, readCandidates } from "../race/candidates.js";
import { gaussianMax } from "../race/gaussian-max.js";
import { exponential, gumbel, laplace } from "../race/noise.js";
import { ScoreReader, type Scores } from "../race/scores.js";
import { withEntropy } from "../system-entropy.js";
import type { Chosen } from "./answers.js";
import { statedMaxLoss } from "./noisy-max-loss.js";
import {
  type LooseNoise,
  NOISE_SIZES,
  type NoiseSize,
  type NoisyMaxBudget,
  type NoisyMaxNoise,
  noiseWithin,
  readNoise,
} from "./noisy-max-noise.js";
import { rangeOf, SELECTION, type SelectionOptions } from "./options.js";

/**
 * What `reportNoisyMax` is asked: the law of the noise, how much of it (exactly one of `epsilon`, `rho`, `scale` and
 * `variance`), how one individual can move scores, and where the bits come from.
 *
 * @typeParam Names The budgets that it may be.
 *
 * @interface
 */
export type ReportNoisyMaxOptions<Names extends NoiseSize = NoiseSize> = SelectionOptions &
  NoisyMaxBudget<Names>;

/**
 * The candidate with the largest noisy score, differentially private; no noisy score leaves. Exponential noise is best
 * for a pure ε, Gumbel noise for a ρ.
 *
 * Guarantee: what `noisyMaxLoss` says of the noise that was used, in the measure of the budget. See
 * docs/mechanisms/report-noisy-max.md.
 *
 * @param scores The scores of a public list of candidates: an array gives the position of
 * the winner; a `Map`, a record or pairs give its name.
 * @param options The noise or a budget for it, and how one individual can move scores.
 *
 * @example
 * ```ts
 * import { reportNoisyMax } from "winnow-dp";
 *
 * const { candidate, privacy } = reportNoisyMax({ tea: 900, coffee: 300 }, { noise: "gumbel", rho: "1/8" });
 * candidate; // → "tea"
 * privacy.rho; // → 0.125
 * ```
 */
export function reportNoisyMax<Given extends Scores | NamedScores>(
  scores: Given,
  options: ReportNoisyMaxOptions<"epsilon" | "scale">,
): Chosen<CandidateOf<Given>, LossOf<Rational>["pure"]>;

export function reportNoisyMax<Given extends Scores | NamedScores>(
  scores: Given,
  options: ReportNoisyMaxOptions<"rho" | "variance">,
): Chosen<CandidateOf<Given>, LossOf<Rational>["zcdp"]>;

export function reportNoisyMax<Given extends Scores | NamedScores>(
  scores: Given,
  options: ReportNoisyMaxOptions,
): Chosen<CandidateOf<Given>>;

export function reportNoisyMax(
  given: Scores | NamedScores,
  options: SelectionOptions & LooseNoise,
): Chosen<unknown> {
  const read = readOptions(options, { noise: readNoise }, { ...SELECTION, ...NOISE_SIZES });
  const { rho, negate, entropy } = read;
  const { scores, names } = readCandidates(given);
  const reader = new ScoreReader(scores, { negate: negate ?? false });
  if (reader.length === 0) throw invalidParameter("scores", "a list of 1 or more candidates", reader.length);
  const range = rangeOf(read);
  const noise = noiseWithin(read, range, reader.length);
  const loss = statedMaxLoss(noise, range);
  const privacy = rho === undefined ? (loss.pure ?? loss.zcdp) : loss.zcdp;
  const index = withEntropy(entropy, (bits) => drawIndex(reader, noise, bits));
  return { candidate: nameChoice(index, names), privacy };
}

const RACES = { exponential, gumbel, laplace };

function drawIndex(scores: ScoreReader, chosen: NoisyMaxNoise, entropy: Entropy): number {
  if (chosen.noise === "gaussian") return gaussianMax(scores, rational(chosen.variance), entropy);
  const terms = { noise: RACES[chosen.noise], scale: rational(chosen.scale) };
  return raceOverArray(scores, 1, terms, entropy).finish()[0].id;
}
