/**
 * `reportNoisyMax`: adds noise to every score and reports which candidate then has the largest, and nothing else: no noisy
 * score leaves. The noise is continuous and exact, in one of four kinds:
 *
 *   exponential  the law of permute-and-flip: the best for a pure ε
 *   gumbel       the law of the exponential mechanism: the best for a ρ
 *   laplace      as often used; worse than exponential at the same loss
 *   gaussian     no pure ε; for few candidates, or where its Rényi curve composes well
 *
 * Guarantee: as `noisyMaxLoss` has it for the noise that was used, in the measure of the budget; a scale is accounted for
 * as pure ε, a variance as ρ. Cost: little more than finding the largest score; Gaussian noise is drawn for everyone.
 * Proof: docs/proofs/report-noisy-max.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { withEntropy } from "../entropy/system-entropy.js";
import { invalidParameter } from "../errors.js";
import { rational } from "../exact/rational.js";
import type { PureLoss, ZcdpLoss } from "../privacy/loss.js";
import { readOptions } from "../validate.js";
import { raceOverArray } from "./array-race.js";
import { gaussianMax } from "./gaussian-max.js";
import { exponential, gumbel, laplace } from "./noise.js";
import { noisyMaxLoss } from "./noisy-max-loss.js";
import {
  NOISE_SIZES,
  type NoisyMaxBudget,
  type NoisyMaxNoise,
  noiseWithin,
  readNoise,
} from "./noisy-max-noise.js";
import { rangeOf, SELECTION, type SelectionOptions } from "./options.js";
import { ScoreReader, type Scores } from "./scores.js";

/**
 * The law of the noise, how much of it (exactly one of `epsilon`, `rho`, `scale` and `variance`), how one individual
 * can move scores, and where the bits come from.
 */
export interface ReportNoisyMaxOptions
  extends NoisyMaxBudget,
    Pick<SelectionOptions, "sensitivity" | "monotone" | "negate" | "entropy"> {}

/** The winner, and what it cost. */
export interface NoisyMax {
  /** The winner. */
  readonly index: number;
  /** The loss that was incurred. */
  readonly privacy: PureLoss | ZcdpLoss;
}

/**
 * The index of the largest noisy score, differentially private; no noisy score leaves. Exponential noise is best for a
 * pure ε, Gumbel noise for a ρ.
 *
 * Guarantee: what `noisyMaxLoss` says of the noise that was used, in the measure of the budget. See
 * docs/mechanisms/report-noisy-max.md.
 *
 * @param scores The scores of a public list of candidates.
 * @param options The noise or a budget for it, and how one individual can move scores.
 */
export function reportNoisyMax(scores: Scores, options: ReportNoisyMaxOptions): NoisyMax {
  const read = readOptions(options, { noise: readNoise }, { ...SELECTION, ...NOISE_SIZES });
  const { rho, sensitivity, monotone, negate, entropy } = read;
  const reader = new ScoreReader(scores, { negate: negate ?? false });
  if (reader.length === 0) throw invalidParameter("scores", "a list of 1 or more candidates", reader.length);
  const noise = noiseWithin(read, rangeOf(read), reader.length);
  const loss = noisyMaxLoss({ ...noise, sensitivity, monotone });
  const privacy = rho === undefined ? (loss.pure ?? loss.zcdp) : loss.zcdp;
  return { index: withEntropy(entropy, (bits) => drawIndex(reader, noise, bits)), privacy };
}

const RACES = { exponential, gumbel, laplace };

function drawIndex(scores: ScoreReader, chosen: NoisyMaxNoise, entropy: Entropy): number {
  if (chosen.noise === "gaussian") return gaussianMax(scores, rational(chosen.variance), entropy);
  const terms = { noise: RACES[chosen.noise], scale: rational(chosen.scale) };
  return raceOverArray(scores, 1, terms, entropy).finish()[0].id;
}
