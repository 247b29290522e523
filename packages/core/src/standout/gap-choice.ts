/**
 * Chooses k where the gap after the k-th largest count is large: noisy max over gap + regulariser, the part that
 * `largestGap` and `stableTopK` share. One individual moves each gap by at most Δ_gap, capped or not, some up and some
 * down, so the loss is that of noisy max with r = 2Δ_gap.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { Rational, rational } from "../exact/rational.js";
import { bigInteger, integer } from "../options.js";
import { gaussianMax } from "../race/gaussian-max.js";
import { exponential, gumbel, laplace } from "../race/noise.js";
import { Race } from "../race/race.js";
import { type ExactScores, exactScore, nearestDouble } from "../race/scores.js";
import { type NoisyMaxLoss, statedMaxLoss } from "../select/noisy-max-loss.js";
import { type LooseNoise, type NoisyMaxNoise, noiseWithin } from "../select/noisy-max-noise.js";
import { type CountOptions, gapSensitivity } from "./gap-sensitivity.js";
import { type Taker, takeStep } from "./recorder.js";
import { type GapTerms, type Regulariser, readRegulariser } from "./regulariser.js";

/**
 * Among which k to choose, what is known of them beforehand, and how one individual can change counts.
 *
 * @inline
 */
export interface GapOptions extends CountOptions {
  /**
   * k is at most this, which is at most 2^20. It is public and may exceed the number of candidates, which may then be
   * unknown.
   */
  readonly maxK: number;
  /** Added to the gap at k. Default 0 for all. */
  readonly regulariser?: Regulariser | undefined;
  /** Wider gaps count as if they were this wide, an integer: wide enough is as good as wider. Default: they count as they are. */
  readonly gapCap?: number | bigint | undefined;
}

/** Each k costs memory and a noise of its own, even if there are fewer candidates. */
const LARGEST_K = 0x10_0000;

export class GapChoice {
  readonly maxK: number;
  readonly loss: NoisyMaxLoss;
  /** How far one individual can move a gap. */
  readonly #distance: Rational;
  readonly #terms: GapTerms;
  readonly #cap: bigint | undefined;
  readonly #noise: NoisyMaxNoise;

  constructor(options: GapOptions, budget: LooseNoise) {
    this.#distance = Rational.of(gapSensitivity(options));
    this.maxK = integer("maxK", options.maxK, 1, LARGEST_K);
    this.#terms = readRegulariser(options.regulariser, this.maxK);
    this.#cap = options.gapCap === undefined ? undefined : bigInteger("gapCap", options.gapCap);
    const range = this.#distance.times(2n);
    this.#noise = noiseWithin(budget, range, this.#terms.candidates.length);
    this.loss = statedMaxLoss(this.#noise, range);
  }

  /** A k, given the maxK + 1 largest counts in descending order, or all if there are fewer. */
  choose(counts: readonly (number | bigint)[], by: Taker): number {
    const announced = () => ({
      name: "choice of k",
      parameters: { maxK: this.maxK, loss: this.loss.zcdp },
      input: Array.from({ length: this.maxK }, (_, index) => gapAfter(counts, index + 1)),
      sensitivity: this.#distance,
    });
    return takeStep(by, announced, (entropy) => this.#draw(counts, entropy));
  }

  #draw(counts: readonly (number | bigint)[], entropy: Entropy): number {
    const { candidates, terms } = this.#terms;
    const utilities = candidates.map((k, i) => {
      const gap = this.#capped(gapAfter(counts, k));
      return terms[i].numerator === 0n ? exactScore(gap) : terms[i].plus(gap);
    });
    return candidates[drawLargest(utilities, this.#noise, entropy)];
  }

  #capped(gap: number | bigint): number | bigint {
    return this.#cap !== undefined && gap > this.#cap ? this.#cap : gap;
  }
}

/** How far the k-th largest count leads the next, exactly. Counts that are not there are 0. */
export function gapAfter(counts: readonly (number | bigint)[], k: number): number | bigint {
  const [count, next] = [counts[k - 1] ?? 0, counts[k] ?? 0];
  return typeof count === "number" && typeof next === "number" ? count - next : BigInt(count) - BigInt(next);
}

const RACES = { exponential, gumbel, laplace };

/** The index of the largest noisy utility. They are few: each enters the race, without a scan before it. */
function drawLargest(
  utilities: readonly (number | Rational)[],
  chosen: NoisyMaxNoise,
  entropy: Entropy,
): number {
  if (chosen.noise === "gaussian")
    return gaussianMax(asScores(utilities), rational(chosen.variance), entropy);
  const terms = { noise: RACES[chosen.noise], scale: rational(chosen.scale) };
  const race = new Race<number>(1, terms, entropy);
  utilities.forEach((exact, index) => {
    race.enter(index, exact, 0);
  });
  return race.finish()[0].id;
}

function asScores(utilities: readonly (number | Rational)[]): ExactScores {
  const exact = (index: number) => utilities[index];
  return { length: utilities.length, exact, at: (index) => nearestDouble(exact(index)) };
}
