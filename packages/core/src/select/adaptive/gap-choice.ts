/**
 * Chooses k where the gap after the k-th largest count is large: noisy max over gap + regulariser, the part that
 * `largestGap` and `stableTopK` share. One individual moves each gap by at most Δ_gap, capped or not, some up and some
 * down, so the loss is that of noisy max with r = 2Δ_gap.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { Rational, rational } from "../../exact/rational.js";
import { bigInteger, integer } from "../../validate.js";
import { gaussianMax } from "../gaussian-max.js";
import { exponential, gumbel, laplace } from "../noise.js";
import { type NoisyMaxLoss, noisyMaxLoss } from "../noisy-max-loss.js";
import { type NoisyMaxBudget, type NoisyMaxNoise, noiseWithin } from "../noisy-max-noise.js";
import { Race } from "../race.js";
import { nearestDouble, ScoreReader, type Scores } from "../scores.js";
import { COUNTS, type CountOptions, gapSensitivity } from "./gap-sensitivity.js";
import { aRegulariser, type GapTerms, type Regulariser, readRegulariser } from "./regulariser.js";

/** Among which k to choose, what is known of them beforehand, and how one individual can change counts. */
export interface GapOptions extends CountOptions {
  /** k is at most this. It is public and may exceed the number of candidates, which may then be unknown. */
  readonly maxK: number;
  /** What is added to the gap at k. Default 0 for all. */
  readonly regulariser?: Regulariser | undefined;
  /** Wider gaps count as if they were this wide, an integer: wide enough is as good as wider. Default: they count as they are. */
  readonly cap?: number | bigint | undefined;
}

/** The readers of what `GapOptions` need not have. */
export const GAPS = { ...COUNTS, regulariser: aRegulariser, cap: bigInteger };

export class GapChoice {
  readonly maxK: number;
  readonly loss: NoisyMaxLoss;
  readonly #terms: GapTerms;
  readonly #cap: bigint | undefined;
  /** In steps of 1/perUnit. */
  readonly #noise: NoisyMaxNoise;

  constructor(options: GapOptions, budget: NoisyMaxBudget) {
    const distance = Rational.of(gapSensitivity(options));
    this.maxK = integer("maxK", options.maxK);
    this.#terms = readRegulariser(options.regulariser, this.maxK);
    this.#cap = options.cap === undefined ? undefined : bigInteger("cap", options.cap);
    const noise = noiseWithin(budget, distance.times(2n), this.#terms.candidates.length);
    this.#noise = scaledBy(noise, this.#terms.perUnit);
    this.loss = noisyMaxLoss({ ...noise, sensitivity: distance, monotone: false });
  }

  /** A k, given the maxK + 1 largest counts in descending order. */
  choose(counts: readonly (number | bigint)[], entropy: Entropy): number {
    const { candidates, terms, perUnit } = this.#terms;
    const utilities = candidates.map((k, i) => {
      const gap = this.#capped(gapAfter(counts, k));
      return perUnit === 1n && terms[i] === 0n ? gap : BigInt(gap) * perUnit + terms[i];
    });
    return candidates[drawLargest(utilities, this.#noise, entropy)];
  }

  #capped(gap: number | bigint): number | bigint {
    return this.#cap !== undefined && gap > this.#cap ? this.#cap : gap;
  }
}

/** How far the k-th largest count leads the next, exactly. */
export function gapAfter(counts: readonly (number | bigint)[], k: number): number | bigint {
  const [count, next] = [counts[k - 1], counts[k]];
  return typeof count === "number" && typeof next === "number" ? count - next : BigInt(count) - BigInt(next);
}

const RACES = { exponential, gumbel, laplace };

/** The index of the largest noisy utility. They are few: each enters the race, without a scan before it. */
function drawLargest(utilities: Scores, chosen: NoisyMaxNoise, entropy: Entropy): number {
  const reader = new ScoreReader(utilities);
  if (chosen.noise === "gaussian") return gaussianMax(reader, rational(chosen.variance), entropy);
  const terms = { noise: RACES[chosen.noise], scale: rational(chosen.scale) };
  const race = new Race<number>(1, terms, entropy);
  for (let index = 0; index < reader.length; index++) {
    const exact = reader.exact(index);
    race.enter(index, nearestDouble(exact), exact, 0);
  }
  return race.finish()[0].id;
}

/** Noise for utilities that are counted in steps of 1/perUnit. */
function scaledBy(noise: NoisyMaxNoise, perUnit: bigint): NoisyMaxNoise {
  if (noise.noise === "gaussian")
    return { ...noise, variance: rational(noise.variance).times(perUnit * perUnit) };
  return { ...noise, scale: rational(noise.scale).times(perUnit) };
}
