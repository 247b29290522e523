/**
 * `histogramTopK`: the largest counts of a public list whose people are counted for at most m items each. Every count of the list gets
 * noise, zeros too, and the k largest noisy counts are the answer: names, order and counts for one price, that of m counts.
 *
 * Guarantee, for M counts that one person moves (m, or 2m where people are replaced):
 *   discrete Gaussian noise of σ²        M/(2σ²)-zCDP
 *   discrete Laplace noise of scale b    pure ε = M/b
 *   discrete Gaussian noise, (ε, δ)      the least σ² that is certified by the exact sum; or Laplace noise for ε alone, if its width is
 *                                        smaller, as for m up to 5 or so at (1, 10⁻⁶)
 *
 * `histogramTopK.plan` compares it with selecting the k best and measuring nothing, by certified bounds on how far a winner may be
 * below the k-th count: with probability 0.95 at most 2t for the histogram, t being the width that holds for all counts at once, and
 * τ·ln(dk/0.05) or b·ln(d/0.05) for Gumbel and exponential noise on unbounded counts. From public numbers alone. It is about k > 2m for
 * m up to 3 and k > 1.2m for m = 100. The bound on items cuts the counts too, by what no public number tells.
 *
 * Cost: one draw for each name of the list. Proof: histogram-top-k.proof.md.
 * @module
 */

import { noiseForApprox } from "../accounting/gumbel-scale.js";
import { approx, type LossOf } from "../accounting/loss.js";
import { pureScale, zcdpScale } from "../accounting/price.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { lnOf, roundedUp } from "../exact/certified.js";
import { ceilDiv } from "../exact/integers.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  exactlyOneOf,
  integer,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../options.js";
import { type CandidateOf, type NamedCounts, readNamedCounts } from "../race/candidates.js";
import type { Scores } from "../race/scores.js";
import { preparedNoise } from "../sample/prepared-noise.js";
import { withEntropy } from "../system-entropy.js";
import { CountNoise } from "./count-noise.js";
import type { Neighbours } from "./limited-losses.js";
import { countOf } from "./named-counts.js";

/** How many winners, how many items a person is counted for, and a budget; `delta` beside `epsilon` for (ε, δ). */
export type HistogramTopKOptions = Spend<"epsilon" | "rho"> & {
  /** How many winners. */
  readonly k: number;
  /** The most counts that one person is in. The counts must have been bounded to that. */
  readonly maxItemsPerUser: number;
  /** The δ of an (ε, δ), beside `epsilon`. It isn't spent where Laplace noise for ε alone is smaller. */
  readonly delta?: RationalLike | undefined;
  /** Whether one person is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** The probability with which all intervals hold their true counts at once. Default 0.95. */
  readonly confidence?: RationalLike | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

/**
 * A winner with its noisy count, and where the true one is.
 *
 * @inline
 */
export type HistogramWinner<Candidate = number> = {
  /** Its position in the array of counts, or its name if counts came with names. */
  readonly candidate: Candidate;
  /** Its count with noise. */
  readonly count: Rational;
  /** The lower end of the interval; the intervals of all counts of the list hold at once with the stated confidence. */
  readonly from: Rational;
  /** Its upper end. */
  readonly to: Rational;
};

/**
 * The noise of every count, how far off the answer may be, and what it costs.
 *
 * @inline
 */
export type HistogramPlan = {
  /** The law of the noise. */
  readonly noise: "gaussian" | "laplace";
  /** σ² or the scale. */
  readonly size: Rational;
  /** One count that was named beforehand is this near to its noisy one, with the stated confidence. */
  readonly halfWidth: Rational;
  /** All counts of the list are this near at once: for winners, which their noise helped to choose, only this is true. */
  readonly simultaneous: Rational;
  /** With probability 0.95 no winner is further than this below the k-th largest bounded count. */
  readonly errorBound: Rational;
  /** The bound of a selection of k at the same budget, on counts that aren't bounded. */
  readonly selectionBound: Rational;
  /** Which of both bounds is smaller. */
  readonly via: "histogram" | "selection";
  /** What it costs, whatever the answer. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "approx"];
};

/** The winners, best first. */
export interface HistogramTopK<Candidate = number> extends HistogramPlan {
  /** By falling noisy counts; among equal ones by name or position. */
  readonly winners: readonly HistogramWinner<Candidate>[];
}

type Loose = LooseOptions<HistogramTopKOptions>;

const REQUIRED = { k: integer, maxItemsPerUser: integer };
const OPTIONAL = {
  epsilon: positiveRational,
  rho: positiveRational,
  delta: properProbability,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  confidence: properProbability,
  entropy: anEntropy,
};

/**
 * The k largest counts of a public list with noise on each count, of people who are counted for a few items each.
 *
 * Guarantee: pure ε, (ε, δ)-DP or ρ-zCDP if every person is in at most `maxItemsPerUser` of the counts, by 1 each, and the list of
 * candidates is public: every candidate has a count, also one that no one has. See docs/mechanisms/histogram-top-k.md.
 *
 * @param counts The count of every candidate of the list, after `boundContributions`.
 * @param options How many winners, the bound, and the budget.
 *
 * @example
 * ```ts
 * import { histogramTopK } from "winnow-dp";
 *
 * const people = { tea: 900, coffee: 4000, cocoa: 0 };
 * const { winners, simultaneous } = histogramTopK(people, { k: 2, maxItemsPerUser: 1, epsilon: 1 });
 * winners.map(({ candidate }) => candidate); // → ["coffee", "tea"]
 * simultaneous; // → 4
 * ```
 */
export const histogramTopK = /* @__PURE__ */ Object.assign(largestNoisy, {
  /**
   * The noise and the bounds before a count is read, for a public list with n names.
   *
   * @param candidates n, the number of names of the list.
   * @param options As of a release.
   */
  plan(candidates: number, options: HistogramTopKOptions): HistogramPlan {
    return planFor(integer("candidates", candidates), readHistogramOptions(options));
  },
});

function readHistogramOptions(options: HistogramTopKOptions): Loose {
  return readOptions(options as Loose, REQUIRED, OPTIONAL);
}

function largestNoisy<Given extends Scores | NamedCounts>(
  counts: Given,
  options: HistogramTopKOptions,
): HistogramTopK<CandidateOf<Given>>;
function largestNoisy(
  counts: Scores | NamedCounts,
  options: HistogramTopKOptions,
): HistogramTopK<number | string> {
  const read = readHistogramOptions(options);
  const { scores, names } = readNamedCounts(counts, "counts");
  const truths = Array.from(scores, (count) => countOf(count));
  const plan = planFor(truths.length, read);
  const width = plan.simultaneous.numerator;
  const noisy = withEntropy(read.entropy, (entropy) => {
    const draw = preparedNoise(plan.noise, plan.size);
    return truths.map((count) => BigInt(count) + draw(entropy));
  });
  const winners = largest(noisy, read.k).map((place) => ({
    candidate: names === undefined ? place : (names[place] as string),
    count: Rational.of(noisy[place]),
    from: atLeast0(noisy[place] - width),
    to: atLeast0(noisy[place] + width),
  }));
  return { winners, ...plan };
}

function atLeast0(value: bigint): Rational {
  return Rational.of(value > 0n ? value : 0n);
}

/** The positions of the largest, ties by position: at most 2k are kept at a time, and those behind k others never enter. */
function largest(values: readonly bigint[], k: number): number[] {
  const inOrder = (a: number, b: number) => (values[a] > values[b] ? -1 : values[a] < values[b] ? 1 : a - b);
  let places: number[] = [];
  let kth: bigint | undefined;
  for (let place = 0; place < values.length; place++) {
    if (kth !== undefined && values[place] <= kth) continue;
    places.push(place);
    if (places.length < 2 * k) continue;
    places = places.sort(inOrder).slice(0, k);
    kth = values[places[k - 1]];
  }
  return places.sort(inOrder).slice(0, k);
}

/** 1 − 0.95, for the bounds that are compared. */
const MISS = /* @__PURE__ */ Rational.of(1n, 20n);

function planFor(candidates: number, options: Loose): HistogramPlan {
  const { k, maxItemsPerUser, epsilon, rho, delta, neighbours, confidence = "0.95" } = options;
  exactlyOneOf({ epsilon, rho });
  if (k > candidates) throw invalidParameter("k", `an integer from 1 to ${candidates}`, k);
  if (delta !== undefined && rho !== undefined) throw invalidParameter("delta", "absent with rho", delta);
  const by = { maxItemsPerUser, neighbours, sharing: "independent" } as const;
  const spend = epsilon === undefined ? { rho } : { epsilon };
  const alone = new CountNoise(candidates, { ...spend, ...by });
  const both = delta === undefined ? alone : new CountNoise(candidates, { ...spend, ...by, delta });
  const isAlone = alone.halfWidth(MISS, candidates) <= both.halfWidth(MISS, candidates);
  const counts = isAlone ? alone : both;
  const level = Rational.ONE.minus(rational(confidence));
  const width = (miss: Rational, times: number) =>
    Rational.of(ceilDiv(counts.halfWidth(miss, times), counts.factor));
  const errorBound = width(MISS, candidates).times(2n);
  const selectionBound = boundOfSelection(candidates, options);
  return {
    noise: counts.law,
    size: counts.size,
    halfWidth: width(level, 1),
    simultaneous: width(level, candidates),
    errorBound,
    selectionBound,
    via: errorBound.compare(selectionBound) <= 0 ? "histogram" : "selection",
    privacy:
      delta !== undefined && isAlone
        ? approx(rational(epsilon as RationalLike), 0n)
        : counts.lossOf(candidates),
  };
}

/** τ·ln(dk/0.05) for Gumbel noise, and b·ln(d/0.05) for exponential noise, rounded up. */
function boundOfSelection(candidates: number, options: Loose): Rational {
  const { k, neighbours, epsilon, rho, delta } = options;
  const distance = Rational.of(neighbours === "replace" ? 2n : 1n);
  const bound = (scale: Rational, names: bigint) =>
    roundedUp((precision) => lnOf(Rational.of(names).dividedBy(MISS), precision).times(scale));
  const [gumbel, exponential] = [BigInt(candidates) * BigInt(k), BigInt(candidates)];
  if (rho !== undefined) return bound(zcdpScale(rational(rho), distance, "bounded-range", BigInt(k)), gumbel);
  const target = rational(epsilon as RationalLike);
  if (delta === undefined) return bound(pureScale(target, distance, BigInt(k)), exponential);
  const asked = { epsilon: target, delta: rational(delta), rounds: k, distance };
  const { noise, scale } = noiseForApprox(asked);
  return bound(scale, noise === "gumbel" ? gumbel : exponential);
}
