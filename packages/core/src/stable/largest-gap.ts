/**
 * `largestGap`: a k such that the k largest counts stand out from the rest, chosen with the exponential mechanism (or
 * another noisy max) over the gaps between neighbouring sorted counts, plus a regulariser [ZW22, Alg 1]. It says how many
 * candidates belong together, not which: for those see `stableTopK`.
 *
 * Guarantee, with Δ_gap = Δ if `monotone` and 2Δ if not: as `noisyMaxLoss` has it for r = 2Δ_gap. Gumbel noise, the
 * default, of scale 2Δ_gap/ε is ε-DP and ε²/8-zCDP.
 *
 * Cost: finding the maxK + 1 largest counts, and a noise for each of them. Proof: docs/proofs/largest-gap.md.
 * @module
 */
import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import type { Budgets } from "../privacy/budget-as.js";
import type { PureLoss, ZcdpLoss } from "../privacy/loss.js";
import { type NamedCounts, readNamedCounts } from "../race/candidates.js";
import { gaussianMax } from "../race/gaussian-max.js";
import { exponential, gumbel, laplace } from "../race/noise.js";
import { Race } from "../race/race.js";
import { type ExactScores, exactScore, nearestDouble } from "../race/scores.js";
import {
  type LooseNoise,
  NOISE_SIZES,
  type NoisyMaxBudget,
  type NoisyMaxLoss,
  type NoisyMaxNoise,
  noiseWithin,
  noisyMaxLoss,
  type PureNoiseBudget,
  readNoise,
  type ZcdpNoiseBudget,
} from "../select/report-noisy-max.js";
import { arrayLike, bigInteger, boolean, integer, readOptions } from "../validate.js";
import { type Histogram, largestCounts } from "./largest-counts.js";

/** Among which k to choose, how one individual can change counts, and where the bits come from. */
export interface LargestGapSettings extends GapOptions {
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * A budget for noise whose law need not be named: "gumbel" then.
 *
 * @typeParam Budget A budget that names the law of the noise.
 */
export type DefaultNoise<Budget extends NoisyMaxBudget> =
  Budget extends Pick<Budgets, "variance">
    ? Budget
    : Omit<Budget, "noise"> & {
        /** The law of the noise on the gaps. Default "gumbel". */
        readonly noise?: Budget["noise"] | undefined;
      };

/**
 * What `largestGap` is asked: the settings, the noise and how much of it (exactly one of `epsilon`, `rho`, `scale` and
 * `variance`).
 *
 * @typeParam Budget The kinds of budget that it may be.
 */
export type LargestGapOptions<Budget extends NoisyMaxBudget = NoisyMaxBudget> = LargestGapSettings &
  DefaultNoise<Budget>;

/**
 * The k that was chosen, and what it cost.
 *
 * @typeParam Privacy The measure of the budget.
 */
export interface LargestGap<Privacy = PureLoss | ZcdpLoss> {
  /** How many candidates stand out. */
  readonly k: number;
  /** The loss that was incurred. */
  readonly privacy: Privacy;
}

/** The readers of how one individual can change counts. */
export const COUNTS = { sensitivity: bigInteger, monotone: boolean };

/** The readers of what `GapOptions` need not have. */
export const GAPS = { ...COUNTS, regulariser: aRegulariser, cap: bigInteger };

const LARGEST_GAP = { ...GAPS, ...NOISE_SIZES, noise: readNoise, entropy: anEntropy };

/**
 * How many candidates stand out from the rest: a k with a large gap after the k-th largest count, differentially
 * private.
 *
 * It is noisy max over the gaps between neighbouring sorted counts [ZW22, Alg 1]. It says how many candidates belong
 * together, not which: for those see `stableTopK`.
 *
 * Guarantee, with Δ_gap = Δ if `monotone` and 2Δ if not: Gumbel noise, the default, of scale 2Δ_gap/ε is ε-DP and
 * ε²/8-zCDP. See docs/mechanisms/largest-gap.md.
 *
 * @param histogram The count of each candidate: an array, or a `Map`, a record or pairs with names.
 * @param options The largest k, the budget, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { largestGap } from "winnow-dp";
 *
 * const users = { ada: 900, bob: 870, carol: 20, dave: 10 };
 * largestGap(users, { maxK: 3, epsilon: 1, monotone: true }).k; // → 2
 * ```
 */
export function largestGap(
  histogram: Histogram | NamedCounts,
  options: LargestGapOptions<PureNoiseBudget>,
): LargestGap<PureLoss>;
export function largestGap(
  histogram: Histogram | NamedCounts,
  options: LargestGapOptions<ZcdpNoiseBudget>,
): LargestGap<ZcdpLoss>;
export function largestGap(histogram: Histogram | NamedCounts, options: LargestGapOptions): LargestGap;
export function largestGap(
  histogram: Histogram | NamedCounts,
  options: LargestGapSettings & Omit<LooseNoise, "noise"> & { noise?: LooseNoise["noise"] | undefined },
): LargestGap {
  const read = readOptions(options, { maxK: integer }, LARGEST_GAP);
  const { noise = "gumbel", epsilon, rho, scale, variance } = read;
  const choice = new GapChoice(read, { noise, epsilon, rho, scale, variance });
  const { counts } = largestCounts(readNamedCounts(histogram).scores, choice.maxK + 1);
  const k = withEntropy(read.entropy, (bits) => choice.choose(counts, bits));
  const { pure, zcdp } = choice.loss;
  return { k, privacy: rho === undefined ? (pure ?? zcdp) : zcdp };
}

/*
 * Chooses k where the gap after the k-th largest count is large: noisy max over gap + regulariser, the part that
 * `largestGap` and `stableTopK` share. One individual moves each gap by at most Δ_gap, capped or not, some up and some
 * down, so the loss is that of noisy max with r = 2Δ_gap.
 */

/** Among which k to choose, what is known of them beforehand, and how one individual can change counts. */
export interface GapOptions extends CountOptions {
  /**
   * k is at most this, which is at most 2^20. It is public and may exceed the number of candidates, which may then be
   * unknown.
   */
  readonly maxK: number;
  /** What is added to the gap at k. Default 0 for all. */
  readonly regulariser?: Regulariser | undefined;
  /** Wider gaps count as if they were this wide, an integer: wide enough is as good as wider. Default: they count as they are. */
  readonly cap?: number | bigint | undefined;
}

/** Each k costs memory and a noise of its own, whether there are so many candidates or not. */
const LARGEST_K = 0x10_0000;

export class GapChoice {
  readonly maxK: number;
  readonly loss: NoisyMaxLoss;
  readonly #terms: GapTerms;
  readonly #cap: bigint | undefined;
  readonly #noise: NoisyMaxNoise;

  constructor(options: GapOptions, budget: LooseNoise) {
    const distance = Rational.of(gapSensitivity(options));
    this.maxK = integer("maxK", options.maxK, 1, LARGEST_K);
    this.#terms = readRegulariser(options.regulariser, this.maxK);
    this.#cap = options.cap === undefined ? undefined : bigInteger("cap", options.cap);
    this.#noise = noiseWithin(budget, distance.times(2n), this.#terms.candidates.length);
    this.loss = noisyMaxLoss({ ...this.#noise, sensitivity: distance, monotone: false });
  }

  /** A k, given the maxK + 1 largest counts in descending order, or all if there are fewer. */
  choose(counts: readonly (number | bigint)[], entropy: Entropy): number {
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

/*
 * How far one individual can move the gap between the k-th and the next largest count, which is also how wide a gap must
 * be for the k largest to stay the k largest whatever one individual does. If all counts move the same way, as they do
 * when a person is added or removed, so do both ends of the gap: Δ. If a person is replaced by another, one end may
 * rise while the other falls: 2Δ, the default. Proof: docs/proofs/largest-gap.md.
 */

/** How one individual can change counts. */
export interface CountOptions {
  /** How much one individual can change any one count, an integer. Default 1. */
  readonly sensitivity?: number | bigint | undefined;
  /** Whether an individual moves all counts the same way: people are added or removed, not replaced. Default false. */
  readonly monotone?: boolean | undefined;
}

export function gapSensitivity({ sensitivity = 1n, monotone = false }: CountOptions): bigint {
  return bigInteger("sensitivity", sensitivity) * (monotone ? 1n : 2n);
}

/*
 * What is known of k beforehand, as a public term r(k) that is added to the gap at k: a preference for some k, or −∞ for
 * those that are out of the question. Terms are exact rationals of any size, and so are the sums.
 */

/** r(k) as a function of k, or r(1), r(2), … in an array; −Infinity where k is excluded. */
export type Regulariser = ((k: number) => RationalLike) | ArrayLike<RationalLike>;

interface GapTerms {
  /** The k that are not excluded, ascending. */
  readonly candidates: readonly number[];
  /** r(k) for each of them. */
  readonly terms: readonly Rational[];
}

/** The reader of one; its terms are read when maxK is known. */
export function aRegulariser(field: string, value: Regulariser): Regulariser {
  return typeof value === "function" ? value : arrayLike(field, value);
}

/** The terms for k = 1 … maxK; without a regulariser all are 0. */
function readRegulariser(regulariser: Regulariser | undefined, maxK: number): GapTerms {
  const termAt = termsOf(regulariser, maxK);
  const candidates: number[] = [];
  const terms: Rational[] = [];
  for (let k = 1; k <= maxK; k++) {
    const term = termAt(k);
    if (term === -Infinity) continue;
    candidates.push(k);
    terms.push(rational(term, "regulariser"));
  }
  if (candidates.length === 0)
    throw invalidParameter("regulariser", "above -Infinity for at least one k", -Infinity);
  return { candidates, terms };
}

function termsOf(terms: Regulariser | undefined, maxK: number): (k: number) => RationalLike {
  if (terms === undefined) return () => Rational.ZERO;
  if (typeof terms === "function") return terms;
  if (terms.length !== maxK)
    throw invalidParameter("regulariser", `a function, or an array of ${maxK} terms`, terms.length);
  return (k) => terms[k - 1];
}
