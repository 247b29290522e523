/**
 * The test of propose-test-release: is a gap so wide that no individual can change which candidates are above it? The
 * gap, less what one individual can do to it, gets integer noise and must exceed a threshold, strictly. Anyone who sees
 * the answer learns a noisy comparison; a set that one individual could change passes with probability at most δ.
 *
 *   Gaussian noise of σ²     δ-approximate ρ-zCDP with ρ = Δ_gap²/(2σ²)
 *   Laplace noise of scale   (ε, δ)-DP with ε = Δ_gap/scale
 *
 * Proof: docs/proofs/propose-test-release.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import type { BudgetAs, LooseBudget } from "../privacy/budget-as.js";
import { scaleAtLeast, varianceAtLeast } from "../privacy/calibrate.js";
import { gaussianCurve, pureCurve } from "../privacy/curves.js";
import {
  type ApproxLoss,
  approx,
  isBounded,
  pure,
  type RenyiLoss,
  renyi,
  type ZcdpLoss,
  zcdp,
} from "../privacy/loss.js";
import { lnOf } from "../privacy/rounding.js";
import { drawDiscreteGaussian } from "../sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../sample/discrete-laplace.js";
import { StripWeights } from "../sample/strips.js";
import { exactlyOneOf, oneOf, positiveRational, properProbability, readOptions } from "../validate.js";

/** The noise of a stability test: exactly one of `rho`, `epsilon`, `variance` and `scale` says which it is, and how much. */
export type TestBudget = BudgetAs<"rho" | "epsilon" | "variance" | "scale">;

/** The same before it is known that just one is given. */
export type LooseTest = LooseBudget<"rho" | "epsilon" | "variance" | "scale">;

/** How likely the test may let an unstable set pass, and how its threshold is found. */
export interface FailureOptions {
  /** The largest probability with which an unstable set may pass, above 0 and below 1. */
  readonly delta: RationalLike;
  /** The smallest safe threshold, or the published one, which is larger. Default "smallest". */
  readonly threshold?: ThresholdRule | undefined;
}

/** The reader of how the threshold is found. */
export const THRESHOLD = { threshold: oneOf("smallest", "closed-form") };

/** The readers of what says which noise a test has. */
export const TEST_SIZES = {
  rho: positiveRational,
  epsilon: positiveRational,
  variance: positiveRational,
  scale: positiveRational,
};

/** The reader of a budget for a test. */
export function testBudget(field: string, value: LooseTest): LooseTest {
  return readOptions(value, {}, TEST_SIZES, field);
}

/** One guarantee in up to three measures. */
interface TestLoss {
  /** Not with Gaussian noise. */
  readonly approx?: ApproxLoss;
  readonly zcdp: ZcdpLoss;
  readonly renyi: RenyiLoss;
}

interface TestNoise {
  readonly law: "gaussian" | "laplace";
  /** σ², or the scale. */
  readonly size: Rational;
}

export class StabilityTest {
  readonly loss: TestLoss;
  readonly threshold: bigint;
  /** From this gap on a set is released, except with probability at most δ. */
  readonly certainGap: bigint;
  readonly #gapSensitivity: bigint;
  readonly #noise: TestNoise;

  constructor(gapSensitivity: bigint, budget: LooseTest, { delta, threshold = "smallest" }: FailureOptions) {
    THRESHOLD.threshold("threshold", threshold);
    const failure = properProbability("delta", delta);
    this.#gapSensitivity = gapSensitivity;
    this.#noise = noiseFor(budget, gapSensitivity);
    this.loss = lossOf(this.#noise, gapSensitivity, failure);
    const { law, size } = this.#noise;
    this.threshold = (law === "gaussian" ? gaussianThreshold : laplaceThreshold)(size, failure, threshold);
    this.certainGap = gapSensitivity + 2n * this.threshold + 1n;
  }

  /** Whether a set with this gap after it is released. */
  passes(gap: number | bigint, entropy: Entropy): boolean {
    return this.passesWith(BigInt(gap), this.#draw(entropy));
  }

  /** The same for noise that is drawn. */
  passesWith(gap: bigint, noise: bigint): boolean {
    const margin = gap > this.#gapSensitivity ? gap - this.#gapSensitivity : 0n;
    return margin + noise > this.threshold;
  }

  #draw(entropy: Entropy): bigint {
    const { law, size } = this.#noise;
    return law === "gaussian" ? drawDiscreteGaussian(size, entropy) : drawDiscreteLaplace(size, entropy);
  }
}

function noiseFor({ rho, epsilon, variance, scale }: LooseTest, gapSensitivity: bigint): TestNoise {
  exactlyOneOf({ rho, epsilon, variance, scale });
  if (variance !== undefined) return { law: "gaussian", size: positiveRational("variance", variance) };
  if (scale !== undefined) return { law: "laplace", size: positiveRational("scale", scale) };
  if (rho !== undefined) {
    const target = zcdp(positiveRational("rho", rho));
    return { law: "gaussian", size: varianceAtLeast(target, { sensitivity: gapSensitivity }) };
  }
  const target = pure(positiveRational("epsilon", epsilon as RationalLike));
  return { law: "laplace", size: scaleAtLeast(target, { range: gapSensitivity }) };
}

function lossOf({ law, size }: TestNoise, gapSensitivity: bigint, delta: Rational): TestLoss {
  const curve =
    law === "gaussian"
      ? gaussianCurve({ sensitivity: gapSensitivity, variance: size })
      : pureCurve(Rational.of(gapSensitivity).dividedBy(size));
  const { epsilon, rho } = curve;
  return {
    ...(isBounded(epsilon) && { approx: approx(epsilon, delta) }),
    zcdp: zcdp(rho, delta),
    renyi: renyi(curve, delta),
  };
}

/*
 * How far integer noise must lift a gap before a set is released: an integer λ with P(noise > λ) ≤ δ. A gap within the
 * reach of one individual counts as 0 in the test, so δ bounds the chance that an unstable set gets through.
 *
 *   "smallest"     the least such λ ≥ 0, from the exact tail of the discrete Gaussian or Laplace law
 *   "closed-form"  ⌈σ·√(2·ln(1/δ))⌉ and ⌈scale·ln(1/δ)⌉ [ZW22, Alg 4, 5], a tenth larger and safe too
 *
 * Cost: microseconds; for the smallest Gaussian λ some 10σ products of bigints. Beyond σ = 1000 or so the tail is bounded
 * strip by strip, and λ is at most 0.2 % of σ above the smallest. Proof: docs/proofs/propose-test-release.md.
 */

/** Which of two safe thresholds of a stability test: the smallest, or the published closed form, which is larger. */
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

function minusLn(delta: Rational, precision: number): Interval {
  return lnOf(delta, precision).negated();
}

/** ⌈x⌉ of an irrational x; should its neighbourhood resist all precision, the larger of the two candidates. */
export function ceiling(enclose: (precision: number) => Interval): bigint {
  for (let precision = FIRST_PRECISION; ; precision *= 2) {
    const value = enclose(precision);
    const ceil = value.upper().ceil();
    if (value.lower().ceil() === ceil || precision >= LARGEST_PRECISION) return ceil;
  }
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
