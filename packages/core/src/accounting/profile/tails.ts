/**
 * How far integer noise must lift a gap before a set is released: an integer λ with P(noise > λ) ≤ δ. A gap within the
 * reach of one individual counts as 0 in the test, so δ bounds the chance that an unstable set gets through.
 *
 *   "smallest"     the least such λ ≥ 0, from the exact tail of the discrete Gaussian or Laplace law
 *   "closed-form"  ⌈σ·√(2·ln(1/δ))⌉ and ⌈scale·ln(1/δ)⌉ [ZW22, Alg 4, 5], a tenth larger and safe too
 *
 * Cost: microseconds; for the smallest Gaussian λ some 10σ products of bigints. Beyond σ = 1000 or so the tail is bounded
 * strip by strip, and λ is at most 0.2 % of σ above the smallest. Proof: standout/propose-test-release.proof.md.
 * @module
 */

import {
  ceiling,
  type Enclosure,
  GUARD,
  isCertainlyAtMost,
  lnOf,
  zerosAfterPoint,
} from "../../exact/certified.js";
import { bitLength } from "../../exact/integers.js";
import { Interval } from "../../exact/interval.js";
import { Rational } from "../../exact/rational.js";
import { StripWeights } from "../../sample/strip-weights.js";

/**
 * Which of two safe thresholds of a stability test: the smallest, or the published closed form, which is larger.
 *
 * @inline
 */
export type ThresholdRule = "smallest" | "closed-form";

const FIRST_PRECISION = 64;

const LARGEST_PRECISION = 1024;

/** The threshold for discrete Gaussian noise of this variance σ² and a failure probability 0 < δ < 1. */
export function gaussianThreshold(variance: Rational, delta: Rational, rule: ThresholdRule): bigint {
  const closedForm = ceiling((precision) => minusLn(delta, precision).times(variance.times(2n)).sqrt());
  return rule === "closed-form" ? closedForm : smallestGaussian(variance, delta, closedForm);
}

/** The threshold for discrete Laplace noise of this scale: P(noise > λ) = a^(λ+1)/(1 + a) with a = e^(−1/scale). */
export function laplaceThreshold(scale: Rational, delta: Rational, rule: ThresholdRule): bigint {
  if (rule === "closed-form") return ceiling((precision) => minusLn(delta, precision).times(scale));
  const rate = Rational.ONE.dividedBy(scale);
  const least = ceiling((precision) => {
    const lnOnePlus = Interval.from(rate.negated(), precision).exp().plus(1n).ln();
    return minusLn(delta, precision).minus(lnOnePlus).times(scale);
  });
  return least > 0n ? least - 1n : 0n;
}

/** The tail of a sum of two discrete Gaussians exceeds that of one with the same variance by at most this factor. */
const ONE_AND_MORE = /* @__PURE__ */ Rational.of(10n ** 42n + 1n, 10n ** 42n);

/**
 * The threshold for the sum of discrete Gaussian noises of variance S and S/pool with S/(1 + pool) ≥ 5: that of one of their
 * total variance, for a slightly smaller δ. Proof: discover/shared-counts.proof.md.
 */
export function sharedGaussianThreshold(variance: Rational, pool: number, delta: Rational): bigint {
  const total = variance.times(Rational.of(BigInt(pool + 1), BigInt(pool)));
  return gaussianThreshold(total, delta.dividedBy(ONE_AND_MORE), "smallest");
}

/** Where a^pool has more zeros than this, the threshold is that of larger scales, whose tails are larger. */
const MOST_ZEROS = 2048n;

/** The threshold for the sum of discrete Laplace noises of this scale and of scale/pool. Proof: discover/shared-counts.proof.md. */
export function sharedLaplaceThreshold(scale: Rational, pool: number, delta: Rational): bigint {
  const [exact, largest] = [Rational.ONE.dividedBy(scale), Rational.of(MOST_ZEROS, BigInt(pool))];
  const rate = exact.compare(largest) > 0 ? largest : exact;
  const isWithin = (w: bigint) => isCertainlyAtMost(tailOfShared(rate, pool, w), delta);
  let beyond = 1n;
  while (!isWithin(beyond)) beyond *= 2n;
  let [low, high] = [0n, beyond];
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (isWithin(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

/** P(N + M > w) for a = e^−rate and a^pool. */
function tailOfShared(rate: Rational, pool: number, w: bigint): Enclosure {
  const zeros = 4 * zerosAfterPoint(rate) + Math.ceil(3 * pool * rate.toNumber("up"));
  return (precision) => {
    const bits = precision + zeros + GUARD;
    const power = (n: bigint) => Interval.from(rate.times(-n), bits).exp();
    const one = Interval.from(1n, bits);
    const a = power(1n);
    if (pool === 1) {
      const rest = one.minus(a);
      const square = a.times(a);
      const sum = one
        .times(w + 1n)
        .dividedBy(rest)
        .plus(a.dividedBy(rest.times(rest)))
        .plus(one.plus(square).dividedBy(one.minus(square).times(rest)));
      return rest
        .dividedBy(one.plus(a))
        .power(2n)
        .times(power(w + 1n))
        .times(sum);
    }
    const b = power(BigInt(pool));
    const part = (x: Interval, other: Interval, tail: Interval) =>
      one.minus(other).power(2n).times(tail).dividedBy(one.plus(x));
    const wide = part(a, b, power(w + 2n));
    const narrow = part(b, a, power((w + 2n) * BigInt(pool)));
    return wide.minus(narrow).dividedBy(one.minus(a.times(b)).times(a.minus(b)));
  };
}

function minusLn(delta: Rational, precision: number): Interval {
  return lnOf(delta, precision).negated();
}

/** More strips than this are joined: 2^b integers each. */
const MOST_STRIPS = 8192n;

/**
 * Strips j of w integers from jw on, with weights f(jw) for f(x) = e^(−x²/2σ²), which falls: the tail from jw on is at
 * most w·Σ f(iw) over i ≥ j, and the whole law at least 1 + 2w·Σ f(iw) over i ≥ 1. With w = 1 both are equalities.
 */
function smallestGaussian(variance: Rational, delta: Rational, enough: bigint): bigint {
  let offsetBits = 0;
  while (enough >> BigInt(offsetBits) >= MOST_STRIPS) offsetBits++;
  const law = { linear: Rational.ZERO, quadratic: Rational.ONE.dividedBy(variance.times(2n)) };
  // One strip more than the closed form needs: strip j is for λ = jw − 1.
  const count = Number(enough >> BigInt(offsetBits)) + 2;
  const strips = { law, offsetBits, count, halfFirst: false };
  const digits = bitLength(delta.denominator) + 3 * bitLength(BigInt(count));
  for (let precision = FIRST_PRECISION + digits; ; precision *= 2) {
    const tails = new Tails(new StripWeights(strips, precision), 1n << BigInt(offsetBits), delta);
    const strip = tails.firstWithin("certainly");
    if (precision < LARGEST_PRECISION && strip > tails.firstWithin("possibly")) continue;
    return (BigInt(strip) << BigInt(offsetBits)) - 1n;
  }
}

/** The probabilities of noise from some strip on, compared with δ. */
class Tails {
  readonly #weights: StripWeights;
  /** w in units of the weights, and 1. */
  readonly #width: bigint;
  readonly #delta: Rational;

  constructor(weights: StripWeights, width: bigint, delta: Rational) {
    this.#weights = weights;
    this.#width = width;
    this.#delta = delta;
  }

  /** The first strip j ≥ 1 such that the tail from it on is (certainly or possibly) at most δ. */
  firstWithin(sureness: "certainly" | "possibly"): number {
    let [low, high] = [1, this.#weights.cumulative.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isWithin(middle, sureness)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** w·(total − cumulative) ≤ δ·(1 + 2w·(total − 1)), by the ends of the enclosures that make it hard or easy. */
  #isWithin(strip: number, sureness: "certainly" | "possibly"): boolean {
    const { cumulative, error, total, precision } = this.#weights;
    const one = 1n << BigInt(precision);
    const isSure = sureness === "certainly";
    const below = cumulative[strip - 1] + (isSure ? 0n : error);
    const tail = (isSure ? total.hi : total.lo) - below;
    const whole = one + 2n * this.#width * ((isSure ? total.lo : total.hi) - one);
    const { numerator, denominator } = this.#delta;
    return this.#width * tail * denominator <= numerator * whole;
  }
}
