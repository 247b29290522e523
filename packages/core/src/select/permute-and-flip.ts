/**
 * `permuteAndFlip`: which candidate has the largest score, by permute-and-flip [MS20]: go through the candidates in random
 * order, flip for each a coin that shows heads with probability e^(−(best score − its score)/scale), and take the first
 * that shows heads. It is never worse than the exponential mechanism at the same ε.
 *
 * The law is that of the largest score + exponential noise, and so it is drawn: as a race with one place.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: pure ε = r/scale. As zCDP it costs ε²/2, not ε²/8.
 * Cost: little more than finding the largest score. Proof: docs/proofs/permute-and-flip.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type PureLoss, pure } from "../privacy/loss.js";
import type { Terms } from "../race/contender.js";
import { Race } from "../race/race.js";
import { type ExactScores, nearestDouble, type Scores } from "../race/scores.js";
import { integer, readOptions } from "../validate.js";
import { NoisyTopK } from "./noisy-top-k.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions } from "./options.js";

/**
 * A budget (exactly one of `epsilon` and `scale`), how one individual can move scores, and where the bits come from.
 */
export interface PermuteAndFlipOptions extends Omit<SelectionOptions, "rho"> {
  /** The size of a public domain of which `scores` lists the first candidates; all others have score 0. */
  readonly domainSize?: number | undefined;
}

/** The winner, and what it cost. */
export interface PermuteAndFlip {
  /** The winner. */
  readonly index: number;
  /** The loss that was incurred. */
  readonly privacy: PureLoss;
}

const PERMUTE_AND_FLIP = { ...SELECTION, domainSize: integer };

/**
 * The index of the largest score, differentially private, by permute-and-flip, which is never worse than the
 * exponential mechanism at the same ε [MS20].
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: pure ε = r/scale. As zCDP it costs ε²/2, not ε²/8. See
 * docs/mechanisms/permute-and-flip.md.
 *
 * @param scores The scores of a public list of candidates.
 * @param options The budget, and how one individual can move scores.
 */
export function permuteAndFlip(scores: Scores, options: PermuteAndFlipOptions): PermuteAndFlip {
  const read = readOptions<SelectionOptions & PermuteAndFlipOptions>(options, {}, PERMUTE_AND_FLIP);
  const { rho, monotone, negate, domainSize, sensitivity = 1n, entropy } = read;
  if (rho !== undefined)
    throw invalidParameter("rho", "absent, because permute-and-flip has epsilon or scale", rho);
  const { scale } = chooseNoise(read, rangeOf(read), 1);
  const measurement = new NoisyTopK({ k: 1, measure: "pure", scale, monotone, negate, domainSize });
  const privacy = pure(measurement.map(sensitivity));
  const { winners } = measurement.invoke(scores, entropy);
  return { index: winners[0].index, privacy };
}

/*
 * k rounds of permute-and-flip, each among those who have not won yet. It is as private as one shot of exponential noise
 * of the same scale, ε = k·r/scale by composition, and follows another law: with one shot the runner-up keeps its
 * noise, here everyone draws anew [MS20].
 */

/** The winners of k rounds, in their order. Every score is looked at, and a bad one refused, before a bit is drawn. */
export function peel(scores: ExactScores, k: number, terms: Terms, entropy: Entropy): number[] {
  for (let index = 0; index < scores.length; index++) scores.at(index);
  const winners = new Set<number>();
  while (winners.size < k) {
    const race = new Race<number>(1, terms, entropy);
    for (let index = 0; index < scores.length; index++) {
      if (winners.has(index)) continue;
      const exact = scores.exact(index);
      race.enter(index, nearestDouble(exact), exact, 0);
    }
    winners.add(race.finish()[0].id);
  }
  return [...winners];
}
