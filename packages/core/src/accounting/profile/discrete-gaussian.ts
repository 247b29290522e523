/**
 * δ(ε) of integer counts with discrete Gaussian noise of one σ², of which one individual moves at most m by 1 each. Of the loss only
 * the sum of the m noises matters, and that sum has at most R times the probabilities of one discrete Gaussian of variance
 * V = mσ² [CKS20]:
 *
 *   δ(ε) ≤ R·Σ over s > εV/m − m/2 of P(N = s)·(1 − e^(ε − m(2s + m)/(2V)))
 *
 * with R = 1 for m = 1, and R − 1 below 10⁻¹²·m for σ² ≥ 3. δ may grow with σ²: the noise of integers isn't smooth. So a
 * variance is certified as it is used, and a larger one needs a check of its own.
 *
 * Cost: some 10·√V terms of integer arithmetic. Proof: discrete-gaussian-counts.proof.md.
 * @module
 */

import { invalidParameter } from "../../errors.js";
import { ceilDiv, ceilShift } from "../../exact/integers.js";
import { Interval } from "../../exact/interval.js";
import { Rational, type RationalLike, rational, toDigits } from "../../exact/rational.js";
import { integer, positiveRational, readOptions } from "../../options.js";

/**
 * Counts with discrete Gaussian noise, and an ε.
 *
 * @inline
 */
export interface DiscreteGaussianOptions {
  /** The ε to find the δ for. */
  readonly epsilon: RationalLike;
  /** σ² of the noise of each count. */
  readonly variance: RationalLike;
  /** How many counts one individual moves at most, each by 1. */
  readonly moved: number;
}

/**
 * The δ for which integer counts with discrete Gaussian noise are (ε, δ)-DP, rounded up: less than any conversion of their
 * zCDP gives.
 *
 * @param options An ε, the variance of the noise, and how many counts one individual moves by 1.
 *
 * @example
 * ```ts
 * import { discreteGaussianDelta } from "winnow-dp";
 *
 * discreteGaussianDelta({ epsilon: 1, variance: 18, moved: 1 }).toNumber(); // → 9.56522307550027e-7
 * ```
 */
export function discreteGaussianDelta(options: DiscreteGaussianOptions): Rational {
  const read = readOptions(
    options,
    { epsilon: positiveRational, variance: positiveRational, moved: integer },
    {},
  );
  return deltaOfCounts(rational(read.epsilon), rational(read.variance), read.moved);
}

/** Beyond it a sum has more than 100,000 terms. */
const LARGEST_TOTAL = 10n ** 8n;
const LEAST_SHARED = /* @__PURE__ */ Rational.of(1n, 2n);
/** e^−x is below the last place of what is summed up. */
const LARGEST_EXPONENT = 4000n;

/** Whether the sum can be computed. */
export function hasExactDelta(epsilon: Rational, variance: Rational, moved: number): boolean {
  const isShared = moved === 1 || variance.compare(LEAST_SHARED) >= 0;
  const first = epsilon.times(variance);
  return (
    isShared &&
    variance.times(moved).compare(LARGEST_TOTAL) <= 0 &&
    first.times(first).compare(variance.times(moved).times(2n * LARGEST_EXPONENT)) <= 0
  );
}

/** At least δ(ε), to fifteen digits. */
export function deltaOfCounts(epsilon: Rational, variance: Rational, moved: number): Rational {
  if (!hasExactDelta(epsilon, variance, moved))
    throw invalidParameter(
      "variance",
      "from 1/2 (with one count any) to 10^8/moved, and epsilon²·variance at most 8000·moved",
      variance,
    );
  const whole = variance.times(moved);
  const sum = positivePart(epsilon, whole, moved);
  const delta = toDigits(sum.times(excessOfSum(variance, moved)).dividedBy(weightOfAll(whole)), "up");
  return delta.compare(1n) > 0 ? Rational.ONE : delta;
}

/** At least P(N ≥ from) for one draw N of this variance, to fifteen digits; `from` is above 0. */
export function tailAtMost(variance: Rational, from: bigint): Rational {
  const twice = variance.times(2n);
  const precision =
    256 +
    2 *
      Number(
        Rational.of(from * from)
          .dividedBy(twice)
          .ceil(),
      );
  const places = BigInt(precision);
  const exp = (n: bigint) => Interval.from(Rational.of(-n).dividedBy(twice), precision).exp().hi;
  const [one, fall] = [1n << places, exp(2n)];
  let [weight, ratio, sum] = [exp(from * from), exp(2n * from + 1n), 0n];
  while (weight > 1n && weight << REST > sum) {
    sum += weight;
    weight = ceilShift(weight * ratio, places);
    ratio = ceilShift(ratio * fall, places);
  }
  const whole = Rational.of(sum + ceilDiv(weight << places, one - ratio), one);
  const tail = toDigits(whole.dividedBy(weightOfAll(variance)), "up");
  return tail.compare(1n) > 0 ? Rational.ONE : tail;
}

/** Weights below this share of the sum are bounded by a geometric series. */
const REST = 100n;

/** At least Σ e^(−s²/2V)·(1 − e^(ε − m(2s + m)/(2V))) over s > εV/m − m/2. Weights are rounded up, what is taken off them down. */
function positivePart(epsilon: Rational, variance: Rational, moved: number): Rational {
  const shift = BigInt(moved);
  const twice = variance.times(2n);
  let s = epsilon.times(variance).dividedBy(shift).minus(Rational.of(shift, 2n)).floor() + 1n;
  const exponent = Rational.of(s * s).dividedBy(twice);
  const precision = 256 + 2 * Number(exponent.ceil());
  const places = BigInt(precision);
  const exp = (x: Rational) => Interval.from(x, precision).exp();
  const up = (a: bigint, b: bigint) => -((-a * b) >> places);
  let weight = exp(exponent.negated()).hi;
  let ratio = exp(Rational.of(-(2n * s + 1n)).dividedBy(twice)).hi;
  const fall = exp(Rational.of(-2n).dividedBy(twice)).hi;
  let kept = exp(epsilon.minus(Rational.of(shift * (2n * s + shift)).dividedBy(twice))).lo;
  const shrink = exp(Rational.of(-2n * shift).dividedBy(twice)).lo;
  const one = 1n << places;
  let sum = 0n;
  for (; s < 0n || weight << REST > sum || ratio >= one; s++) {
    sum += up(weight, one - kept);
    weight = up(weight, ratio);
    ratio = up(ratio, fall);
    kept = (kept * shrink) >> places;
    if (weight <= 1n && s >= 0n && ratio < one) break;
  }
  return Rational.of(sum + ceilDiv(weight << places, one - ratio), one);
}

/** 3.14159265358979, below π, and 256 binary places of what follows. */
const PI = /* @__PURE__ */ Rational.of(314159265358979n, 10n ** 14n);
const PLACES = 256;

/** At most Σ e^(−n²/2V): by Poisson's formula it is at least √(2πV), and where V is small it is summed up. */
function weightOfAll(variance: Rational): Rational {
  if (variance.compare(25n) >= 0) return Interval.from(PI.times(variance).times(2n), PLACES).sqrt().lower();
  let sum = Rational.ONE;
  for (let n = 1n; n < 60n; n++) {
    const exponent = Rational.of(-n * n).dividedBy(variance.times(2n));
    sum = sum.plus(Interval.from(exponent, PLACES).exp().lower().times(2n));
  }
  return sum;
}

/** Factors up to this many noises are computed; later ones are at most the last. */
const COMPUTED = 32;

/** At least R = Π over j < m of (1 + κ_j)/(1 − κ_j), κ_j = 2·Σ e^(−2π²σ²n²j/(j + 1)). */
function excessOfSum(variance: Rational, moved: number): Rational {
  let excess = Rational.ONE;
  let last = Rational.ONE;
  for (let j = 1; j < Math.min(moved, COMPUTED); j++) {
    last = factorOf(variance.times(Rational.of(BigInt(j), BigInt(j + 1))));
    excess = toDigits(excess.times(last), "up");
  }
  const others = BigInt(Math.max(moved - COMPUTED, 0));
  if (others === 0n) return excess;
  return excess.times(Interval.from(last, PLACES).power(others).upper());
}

function factorOf(weight: Rational): Rational {
  const x = Interval.from(PI.times(PI).times(weight).times(-2n), PLACES).exp().upper();
  const cube = x.times(x).times(x);
  const kappa = x.times(2n).dividedBy(Rational.ONE.minus(cube)); // n² − 1 ≥ 3(n − 1)
  return toDigits(kappa.plus(1n).dividedBy(Rational.ONE.minus(kappa)), "up");
}
