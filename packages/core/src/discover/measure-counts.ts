/**
 * Counts of names that are public by now, because a mechanism released them or because they always were: each count with
 * fresh integer noise of its own, and an interval that holds the true count with a stated probability, from the exact tail
 * of the noise.
 *
 * Guarantee for ℓ counts that one individual can move by Δ each (of j names at most j; with a bound of m names a person at
 * most m of them, and 2m where people are replaced):
 *   discrete Gaussian noise of σ²        ℓΔ²/(2σ²)-zCDP
 *   discrete Laplace noise of scale b    pure ε = ℓΔ/b
 *   discrete Gaussian noise, (ε, δ)      the least σ² that is certified by the exact sum, for Δ = 1
 *
 * `nonIncreasingFit` makes counts fall in the order of a list, at no cost: it looks at released numbers only.
 *
 * Cost: microseconds a count. Proof: top-k-with-counts.proof.md,
 * accounting/profile/discrete-gaussian-counts.proof.md.
 * @module
 */

import type { BudgetAs, LooseBudget } from "../accounting/budget-as.js";
import { countVariance, spentDelta } from "../accounting/count-variance.js";
import { varianceAtLeast } from "../accounting/least-noise.js";
import { type ApproxLoss, approx, type PureLoss, pure, type ZcdpLoss, zcdp } from "../accounting/loss.js";
import { pureScale } from "../accounting/price.js";
import { gaussianThreshold, laplaceThreshold } from "../accounting/profile/tails.js";
import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import { invalidData, invalidParameter } from "../errors.js";
import { roundedUp, zerosAfterPoint } from "../exact/certified.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  arrayLike,
  exactlyOneOf,
  failureChance,
  integer,
  oneOf,
  positiveRational,
  properProbability,
  rationalDatum,
  readOptions,
} from "../options.js";
import type { NamedCounts } from "../race/candidates.js";
import { drawDiscreteGaussian } from "../sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../sample/discrete-laplace.js";
import type { Neighbours } from "./limited-losses.js";
import { countOf, invalidHistogram, nameOf, pairsOf } from "./named-counts.js";

/** How one individual can change counts, and how sure intervals are. */
export interface IntervalOptions {
  /** The most names that one individual has, if *these* counts were bounded to that. Default: not known. */
  readonly maxItemsPerUser?: number | undefined;
  /** Whether one individual is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** How much one individual can change any one count. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** The probability with which an interval holds the true count. Default 0.95. */
  readonly confidence?: RationalLike | undefined;
}

/**
 * A budget for all counts, and what it is for: exactly one of `rho` and `variance`, for discrete Gaussian noise, and `epsilon`
 * and `scale`, for discrete Laplace noise. With a `delta`, `epsilon` is for discrete Gaussian noise in (ε, δ).
 */
export type MeasureCountsOptions = BudgetAs<"rho" | "epsilon" | "variance" | "scale"> &
  IntervalOptions & {
    /** The δ of an (ε, δ), beside `epsilon`; then `sensitivity` must be 1. */
    readonly delta?: RationalLike | undefined;
    /** For how many names the budget is; unused ones cost nothing. Default: as many as there are. */
    readonly k?: number | undefined;
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/** A budget for counts before it is known that just one is given. */
type LooseCounts = LooseBudget<"rho" | "epsilon" | "variance" | "scale">;

/** A count with noise, and where the true one is. */
export interface MeasuredCount {
  /** The name. */
  readonly candidate: string;
  /** The count with its noise, an integer; it may be below 0. */
  readonly count: Rational;
  /** The lower end of the interval that holds the true count with the stated confidence; at least 0. */
  readonly from: Rational;
  /** Its upper end. */
  readonly to: Rational;
}

/** Counts with noise, how far off they may be, and what they cost. */
export interface MeasuredCounts {
  /** In the order of the names. */
  readonly counts: readonly MeasuredCount[];
  /** Each true count is this near to its measured one, with the stated confidence. */
  readonly halfWidth: Rational;
  /** All of them are this near at once, with the stated confidence. */
  readonly simultaneous: Rational;
  /** The loss that was incurred. */
  readonly privacy: PureLoss | ZcdpLoss | ApproxLoss;
}

const OPTIONS = {
  maxItemsPerUser: integer,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  sensitivity: positiveRational,
  confidence: properProbability,
  rho: positiveRational,
  epsilon: positiveRational,
  variance: positiveRational,
  scale: positiveRational,
  delta: properProbability,
  k: integer,
  entropy: anEntropy,
};

/** The integer noise of counts. */
export class CountNoise {
  readonly law: "gaussian" | "laplace";
  /** σ², or the scale. */
  readonly size: Rational;
  readonly #sensitivity: Rational;
  readonly #most: number;

  /** Noise for `k` names; the budget is one of those of `measureCounts`. */
  constructor(k: number, options: IntervalOptions & LooseCounts) {
    const { rho, epsilon, variance, scale, sensitivity = 1n } = options;
    exactlyOneOf({ rho, epsilon, variance, scale });
    this.law = rho !== undefined || variance !== undefined ? "gaussian" : "laplace";
    this.#sensitivity = positiveRational("sensitivity", sensitivity);
    const perPerson = options.maxItemsPerUser ?? Infinity;
    this.#most = options.neighbours === "replace" ? 2 * perPerson : perPerson;
    const times = this.movedOf(k);
    if (variance !== undefined) this.size = positiveRational("variance", variance);
    else if (scale !== undefined) this.size = positiveRational("scale", scale);
    else if (rho !== undefined)
      this.size = varianceAtLeast(zcdp(positiveRational("rho", rho)), {
        sensitivity: this.#sensitivity,
        rounds: times,
      });
    else
      this.size = pureScale(
        positiveRational("epsilon", epsilon as RationalLike),
        rational(this.#sensitivity),
        BigInt(times),
      );
  }

  /** How many of the counts of `names` names one individual can move. */
  movedOf(names: number): number {
    return Math.min(this.#most, names);
  }

  /** The cost of measuring `names` names, each of which one individual moves by at most `distance`. */
  lossOf(names: number, distance = this.#sensitivity): PureLoss | ZcdpLoss {
    const times = Rational.of(BigInt(this.movedOf(names)));
    if (this.law === "laplace") return pure(times.times(distance).dividedBy(this.size));
    return zcdp(times.times(distance.times(distance)).dividedBy(this.size.times(2n)));
  }

  draw(entropy: Entropy): bigint {
    const draw = this.law === "gaussian" ? drawDiscreteGaussian : drawDiscreteLaplace;
    return draw(this.size, entropy);
  }

  /**
   * The least integer w with P(|noise| > w) ≤ level; for several counts, with 1 − (1 − P(|noise| > w))^times ≤ level. For
   * Gaussian noise beyond σ = 1000 or so it may be 0.2 % of σ larger.
   */
  halfWidth(level: Rational, times = 1): bigint {
    const each = levelOfEach(level, times).dividedBy(2n);
    const threshold = this.law === "gaussian" ? gaussianThreshold : laplaceThreshold;
    return threshold(this.size, each, "smallest");
  }

  /** The variance of the noise to fifteen digits: at most σ², or 2a/(1 − a)² with a = e^(−1/scale). Steers weights only. */
  variance(): Rational {
    if (this.law === "gaussian") return this.size;
    const exponent = Rational.ONE.dividedBy(this.size).negated();
    return roundedUp((precision) => {
      const a = Interval.from(exponent, 2 * precision).exp();
      return a.times(2n).dividedBy(
        Interval.from(1n, 2 * precision)
          .minus(a)
          .power(2),
      );
    });
  }
}

const LEVEL_PRECISION = 256;

/** 1 − (1 − level)^(1/times), rounded down far beyond any tail that could be equal to it. */
export function levelOfEach(level: Rational, times: number): Rational {
  if (times <= 1) return level;
  const rest = Rational.ONE.minus(level);
  const zeros = zerosAfterPoint(level) + zerosAfterPoint(rest) + bitLength(BigInt(times));
  const none = Interval.from(rest, LEVEL_PRECISION + zeros)
    .ln()
    .dividedBy(BigInt(times))
    .exp();
  return Rational.ONE.minus(none.upper());
}

/** 1 − confidence. */
export function levelFor({ confidence = "0.95" }: IntervalOptions): Rational {
  return failureChance(confidence);
}

/**
 * The counts of names that are public, each with fresh noise and an interval that holds the true count.
 *
 * The names must be public or released before, by whatever mechanism; the counts are then ordinary measurements. A name
 * that the histogram doesn't have counts 0. See docs/mechanisms/top-k-with-counts.md.
 *
 * @param histogram The count of each name.
 * @param names The names to measure, each once.
 * @param options The budget, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { measureCounts } from "winnow-dp";
 *
 * const { counts, halfWidth, privacy } = measureCounts({ Alster: 9120 }, ["Alster", "Bille"], { epsilon: 1 });
 * counts.map(({ candidate }) => candidate); // → ["Alster", "Bille"]
 * halfWidth; // → 6
 * privacy.measure; // → "pure"
 * ```
 */
export function measureCounts(
  histogram: NamedCounts,
  names: readonly string[],
  options: MeasureCountsOptions,
): MeasuredCounts {
  const read = readOptions(
    options as Omit<MeasureCountsOptions, keyof LooseCounts> & LooseCounts,
    {},
    OPTIONS,
  );
  const listed = arrayLike("names", names);
  const least = Math.max(listed.length, 1);
  const k = integer("k", read.k ?? least, least);
  const { delta, ...budget } = read;
  const noise = delta === undefined ? new CountNoise(k, budget) : noiseWithin(k, budget, rational(delta));
  const truths = countsOf(histogram, listed);
  const counted = withEntropy(read.entropy, (bits) => measured(noise, listed, truths, levelFor(read), bits));
  if (delta === undefined) return counted;
  const epsilon = rational(read.epsilon as RationalLike);
  const spent = spentDelta(epsilon, rational(delta), noise.size, noise.movedOf(listed.length));
  return { ...counted, privacy: approx(epsilon, spent) };
}

/** Gaussian noise for `k` names in (ε, δ). */
function noiseWithin(k: number, budget: IntervalOptions & LooseCounts, delta: Rational): CountNoise {
  const { epsilon, sensitivity = 1n, ...rest } = budget;
  for (const name of ["rho", "variance", "scale"] as const)
    if (rest[name] !== undefined) throw invalidParameter(name, "absent beside delta", rest[name]);
  if (!rational(sensitivity).equals(1n))
    throw invalidParameter(
      "sensitivity",
      "1 beside delta, because larger changes aren't proven",
      sensitivity,
    );
  const asked = positiveRational("epsilon", epsilon as RationalLike);
  const unit = new CountNoise(k, { ...rest, variance: 1n });
  return new CountNoise(k, { ...rest, variance: countVariance(asked, delta, unit.movedOf(k)) });
}

/** The true counts of the names, in their order. */
export function countsOf(histogram: NamedCounts, names: readonly string[]): (number | bigint)[] {
  const wanted = new Map<string, number | bigint>();
  for (const name of names) {
    if (typeof name !== "string" || wanted.has(name))
      throw invalidData("names", "a list of texts, each once", "invalid-parameter");
    wanted.set(name, -1);
  }
  for (const pair of pairsOf(histogram)) {
    const [name, count] = [nameOf(pair), countOf(pair[1])];
    const known = wanted.get(name);
    if (known === undefined) continue;
    if (known >= 0) throw invalidHistogram(); // a name that comes twice
    wanted.set(name, count);
  }
  return names.map((name) => {
    const count = wanted.get(name) as number | bigint;
    return count < 0 ? 0 : count;
  });
}

export function measured(
  noise: CountNoise,
  names: readonly string[],
  truths: readonly (number | bigint)[],
  level: Rational,
  entropy: Entropy,
): MeasuredCounts {
  const halfWidth = noise.halfWidth(level);
  const simultaneous = noise.halfWidth(level, names.length);
  const counts = names.map((candidate, i) => {
    const count = BigInt(truths[i]) + noise.draw(entropy);
    const [from, to] = [count - halfWidth, count + halfWidth].map((end) => Rational.of(end > 0n ? end : 0n));
    return { candidate, count: Rational.of(count), from, to };
  });
  return {
    counts,
    halfWidth: Rational.of(halfWidth),
    simultaneous: Rational.of(simultaneous),
    privacy: noise.lossOf(names.length),
  };
}

/**
 * The non-increasing list that is nearest to these values in the sum of squares, exactly: adjacent values that rise are
 * replaced by their mean until none rises.
 *
 * @param values In the order in which they should fall.
 *
 * @example
 * ```ts
 * import { nonIncreasingFit } from "winnow-dp";
 *
 * nonIncreasingFit([329, 300, 317, 280]).map(String); // → ["329", "308.5", "308.5", "280"]
 * ```
 */
export function nonIncreasingFit(values: readonly RationalLike[]): Rational[] {
  const blocks: { sum: Rational; size: number }[] = [];
  for (const value of arrayLike("values", values).map((each) => rationalDatum("values", each))) {
    let block = { sum: value, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && rises(last, block); last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: last.sum.plus(block.sum), size: last.size + block.size };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, size }) => Array.from({ length: size }, () => sum.dividedBy(size)));
}

type Block = { readonly sum: Rational; readonly size: number };

/** Whether the mean of the second is above that of the first. */
function rises(first: Block, second: Block): boolean {
  return second.sum.times(first.size).compare(first.sum.times(second.size)) > 0;
}
