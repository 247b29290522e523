/**
 * One comparison of sparse vector: is value + ν at least threshold + ρ, and by how much? The noise ρ of the threshold is
 * drawn once, the noise ν of a query afresh. Both are revealed only as far as the answer needs, so each answer is that of
 * the ideal noise, and the digits that are not drawn yet stay fair.
 *
 *   real      ρ exponential or Gaussian, ν exponential or Gumbel, as lazily revealed real numbers
 *   integer   ρ and ν geometric with P(k) = (1 − B)·B^k, B = (x/2^y)^z, on a public grid; no real number at all
 *
 * All noises of queries are at most −ln U in units of their scale. So a query that is far below the threshold needs a U that
 * starts with 16 zeros, and far queries share one geometric draw of how many of them pass before one has those.
 *
 * Cost: one word of 32 bits per query, almost nothing for far ones. Proof: above-threshold.proof.md.
 * @module
 */

import type { Base2Parameter } from "../accounting/base2-parameter.js";
import { Base2Weights } from "../base2/weights.js";
import type { Entropy } from "../entropy.js";
import { invalidData } from "../errors.js";
import { bitLength, floorDiv } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational, rational } from "../exact/rational.js";
import { Contender, type Ends, type Terms } from "../race/contender.js";
import { exponential, type Noise } from "../race/noise.js";
import { lazyGaussian } from "../sample/lazy-gaussian.js";
import { LN_2 } from "../sample/minus-ln.js";

/** The zeros with which the U of a far query would have to start to be above. */
export const ZEROS = 16;

/** A query that is above. */
export interface Above {
  /** Which of the levels it reached, from 0. */
  readonly level: number;
  /** By how much, rounded down to the resolution, if gaps are told. */
  readonly gap: Rational | undefined;
}

/** The secret side of a stream: the noisy threshold, and how a query is compared with it. */
export interface Comparison {
  /** Values below this double are far below that threshold. */
  farBelow(threshold: Rational): number;
  /** The answer to one query, `undefined` for below; `zeros` leading zeros of its U are drawn already. */
  compare(value: number | bigint, threshold: Rational, zeros: number): Above | undefined;
}

/** A step of adaptive sparse vector: the value must be above the threshold by the margin. */
export interface NoisyLevel {
  readonly margin: Rational;
  readonly scale: Rational;
}

/** The noises of a stream with real noise. */
export interface RealNoise {
  /** Exponential of that scale, or Gaussian of that variance. */
  readonly threshold: { readonly scale: Rational } | { readonly variance: Rational };
  readonly query: Noise;
  /** One for each level, the first tried first; the last has margin 0. */
  readonly levels: readonly NoisyLevel[];
  /** What gaps are rounded down to; none if they are not told. */
  readonly resolution: Rational | undefined;
}

/** 2^−48, relative: more than the rounding of a few numbers to doubles and of a few operations on them. */
const ROUNDING = 1 / 0x1_0000_0000_0000;
/** Absolute slack, for subnormal doubles. */
const SMALLEST = 1e-300;

function slack(...parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + Math.abs(part), 0) * ROUNDING + SMALLEST;
}

/** A threshold's noise: between two doubles, and exactly as far as its digits are drawn. */
interface ThresholdNoise {
  readonly lower: number;
  readonly upper: number;
  key(): Ends;
  refine(): void;
}

function drawThreshold({ threshold }: RealNoise, entropy: Entropy): ThresholdNoise {
  return "scale" in threshold
    ? exponentialThreshold(threshold.scale, entropy)
    : gaussianThreshold(threshold.variance, entropy);
}

function exponentialThreshold(scale: Rational, entropy: Entropy): ThresholdNoise {
  const terms = { noise: exponential, scale };
  const drawn = drawKey(Rational.ZERO, 0, terms, 0, entropy);
  return {
    lower: drawn.lower,
    upper: drawn.upper,
    key: () => drawn.key(terms),
    refine: () => drawn.refine(),
  };
}

/** It is σ² that is rational; σ is enclosed. */
function gaussianThreshold(variance: Rational, entropy: Entropy): ThresholdNoise {
  const noise = lazyGaussian(entropy);
  const sigma = (digits: number) => Interval.from(variance, digits + bitLength(variance.denominator)).sqrt();
  const double = sigma(64).toNumber("up");
  const [lower, upper] = [double * noise.lower, double * noise.upper];
  return {
    lower: lower - slack(lower),
    upper: upper + slack(upper),
    key() {
      const normal = noise.enclosure();
      const factor = sigma(normal.precision);
      const { lo, hi, precision } = normal.withPrecision(factor.precision).times(factor);
      return { lo, hi, over: 1n << BigInt(precision) };
    },
    refine: () => noise.refine(),
  };
}

/** score + scale·noise with one word of U drawn, after zeros that are drawn already; `double` is the score's. */
function drawKey(
  score: Rational,
  double: number,
  { noise, scale }: Terms,
  zeros: number,
  entropy: Entropy,
): Contender {
  const word = entropy.word();
  const bits = zeros + entropy.wordBits;
  const size = scale.toNumber();
  const highest = noise.most(word, bits);
  const [least, most] = [size * noise.least(word, bits, highest), size * highest];
  const key = {
    scores: [score],
    lower: [double + least - slack(double, least)],
    upper: [double + most + slack(double, most)],
    words: [word],
    bits: [bits],
  };
  return new Contender(0, key, 0, entropy);
}

export class RealComparison implements Comparison {
  readonly #noise: RealNoise;
  readonly #entropy: Entropy;
  readonly #threshold: ThresholdNoise;

  /** Draws the noise of the threshold. */
  constructor(noise: RealNoise, entropy: Entropy) {
    this.#noise = noise;
    this.#entropy = entropy;
    this.#threshold = drawThreshold(noise, entropy);
  }

  /** With several levels every query draws for each of them, and none is far. */
  farBelow(threshold: Rational): number {
    const { levels } = this.#noise;
    if (levels.length > 1) return -Infinity;
    const base = threshold.toNumber();
    const reach = ZEROS * LN_2 * levels[0].scale.toNumber();
    const { lower } = this.#threshold;
    const far = base + lower - reach - slack(base, lower, reach);
    return far > -Infinity ? far : -Infinity; // also where it is not a number
  }

  compare(value: number | bigint, threshold: Rational, zeros: number): Above | undefined {
    const lead = rational(value).minus(threshold);
    const { query, levels } = this.#noise;
    for (const [level, { margin, scale }] of levels.entries()) {
      const score = lead.minus(margin);
      const terms = { noise: query, scale };
      const key = drawKey(score, score.toNumber(), terms, zeros, this.#entropy);
      if (this.#isAbove(key, terms)) return { level, gap: this.#gap(key, terms) };
    }
    return undefined;
  }

  #isAbove(query: Contender, terms: Terms): boolean {
    if (query.lower > this.#threshold.upper) return true;
    if (query.upper < this.#threshold.lower) return false;
    for (;;) {
      const { lo, hi } = this.#lead(query, terms);
      if (lo >= 0n) return true;
      if (hi <= 0n) return false;
      this.#refine(query);
    }
  }

  /** ⌊lead/resolution⌋·resolution for a query that is above. */
  #gap(query: Contender, terms: Terms): Rational | undefined {
    const { resolution } = this.#noise;
    if (resolution === undefined) return undefined;
    for (;;) {
      const { lo, hi, over } = this.#lead(query, terms);
      const divisor = over * resolution.numerator;
      const most = floorDiv(hi * resolution.denominator, divisor);
      // It is above: what an enclosure leaves below 0 is rounded to 0.
      const least = lo < 0n ? 0n : (lo * resolution.denominator) / divisor;
      if (least === most) return resolution.times(least);
      this.#refine(query);
    }
  }

  /** What the noisy value may lead the noisy threshold by. */
  #lead(query: Contender, terms: Terms): Ends {
    const [a, b] = [query.key(terms), this.#threshold.key()];
    return {
      lo: a.lo * b.over - b.hi * a.over,
      hi: a.hi * b.over - b.lo * a.over,
      over: a.over * b.over,
    };
  }

  #refine(query: Contender): void {
    query.refine();
    this.#threshold.refine();
  }
}

/** The noises of a stream in base 2. */
export interface IntegerNoise {
  readonly threshold: Base2Parameter;
  readonly query: Base2Parameter;
  /** The grid of values and thresholds; values are rounded down to it. */
  readonly step: Rational;
  readonly hasGaps: boolean;
}

export class IntegerComparison implements Comparison {
  readonly #noise: IntegerNoise;
  readonly #entropy: Entropy;
  readonly #query: Base2Weights;
  readonly #threshold: bigint;

  /** Draws the noise of the threshold. */
  constructor(noise: IntegerNoise, entropy: Entropy) {
    this.#noise = noise;
    this.#entropy = entropy;
    this.#query = new Base2Weights(noise.query);
    this.#threshold = drawBase2Geometric(new Base2Weights(noise.threshold), entropy);
  }

  /** A value that is `distance` or more grid steps below needs a coin of probability 2^−16 or less. */
  farBelow(threshold: Rational): number {
    const { rate } = this.#query;
    const steps = rate > 0 ? Math.ceil(ZEROS / rate) + 1 : Infinity;
    if (!Number.isSafeInteger(steps)) return -Infinity;
    const { step } = this.#noise;
    return this.#units(threshold).minus(BigInt(steps)).times(step).toNumber("down");
  }

  compare(value: number | bigint, threshold: Rational, zeros: number): Above | undefined {
    const { step, hasGaps } = this.#noise;
    const units = rational(value).dividedBy(step).floor();
    const distance = this.#units(threshold).floor() - units; // 1
    if (distance > 0n && !this.#query.keeps(distance, zeros, this.#entropy)) return undefined; // 2
    const lead = distance < 0n ? -distance : 0n;
    const gap = hasGaps
      ? step.times(lead + drawBase2Geometric(this.#query, this.#entropy)) // 3
      : undefined;
    return { level: 0, gap };
  }

  /** The noisy threshold in steps of the grid. */
  #units(threshold: Rational): Rational {
    const units = threshold.dividedBy(this.#noise.step);
    if (!units.isInteger()) throw invalidData("threshold", "a multiple of step", "invalid-parameter");
    return units.plus(this.#threshold);
  }
}

/**
 * k = 0, 1, 2, … with P(k) = (1 − B)·B^k, exactly. The binary digits of k are independent: digit i is 1 with probability
 * w/(1 + w), w = B^(2^i). So the digits below 2^j are drawn by such coins, and the rest, ⌊k/2^j⌋, by failures of coins of
 * probability B^(2^j), where j is the least with B^(2^j) ≤ 1/2 or so: ⌈log₂ 1/η⌉ digits and a coin or two. The rate must be above 0.
 */
export function drawBase2Geometric(weights: Base2Weights, entropy: Entropy): bigint {
  let digits = 0;
  for (let { rate } = weights; rate < 1; rate *= 2) digits++;
  let high = 0n;
  while (weights.keeps(1n << BigInt(digits), 0, entropy)) high++;
  for (let digit = digits - 1; digit >= 0; digit--)
    high = 2n * high + (drawOdds(weights, 1n << BigInt(digit), entropy) ? 1n : 0n);
  return high;
}

/** True with probability w/(1 + w) for w = B^distance: a fair bit or a coin decides, else both are thrown again. */
export function drawOdds(weights: Base2Weights, distance: bigint, entropy: Entropy): boolean {
  for (;;) {
    if (entropy.bit() === 0) return false;
    if (weights.keeps(distance, 0, entropy)) return true;
  }
}
