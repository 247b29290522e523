/**
 * How far above the counts that one individual could bring in the stop candidate ⊥ must stand: the least integer T for
 * which m candidates, each exactly T below ⊥, beat it with probability at most δ. The probability is known exactly:
 *
 *   Gumbel(scale)        m/(m + e^(T/scale))
 *   exponential(scale)   1 − (1 − (1 − a)^(m+1))/((m + 1)·a),  a = e^(−T/scale)
 *
 * No smaller T is private for any ε. The reported δ is the probability of the integer T, rounded up, which is at most δ.
 *
 * Cost: some twenty enclosures for a T, about a millisecond. Proof: limited-top-k.proof.md, 4.
 * @module
 */

import { type Enclosure, isCertainlyAtMost, lnOf, roundedUp } from "../exact/certified.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";

/**
 * The noise of a limited-domain top k.
 *
 * @inline
 */
export type LimitedNoise = "gumbel" | "exponential";

/** Against what ⊥ must hold its place. */
export interface ThresholdTerms {
  readonly noise: LimitedNoise;
  readonly scale: Rational;
  /** m: how many candidates one individual can bring in. */
  readonly newcomers: number;
}

/** The least integer T ≥ 0 whose failure is at most δ. */
export function smallestThreshold(terms: ThresholdTerms, delta: Rational): bigint {
  if (failureAtZero(terms).compare(delta) <= 0) return 0n;
  let [low, high] = [0n, closedForm(terms, delta)]; // too low, and safe
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (isCertainlyAtMost(failure(terms, Rational.of(middle)), delta)) high = middle;
    else low = middle;
  }
  return high;
}

/** The failure of a T ≥ 0, rounded up; not above `atMost`, where that is known to hold. */
export function failureOf(terms: ThresholdTerms, threshold: Rational, atMost = Rational.ONE): Rational {
  if (threshold.numerator === 0n) return failureAtZero(terms);
  const rounded = roundedUp(failure(terms, threshold));
  return rounded.compare(atMost) > 0 ? atMost : rounded;
}

/** Candidates as high as ⊥: all are equally likely to come first. */
function failureAtZero({ newcomers }: ThresholdTerms): Rational {
  return Rational.of(BigInt(newcomers), BigInt(newcomers) + 1n);
}

/**
 * ⌈scale·ln(m/δ)⌉ or ⌈scale·ln(m/2δ)⌉: a T that is safe and at most a little too large. At least 1, because δ is below the
 * failure at 0, m/(m + 1), and so m/2δ is above 1.
 */
function closedForm({ noise, scale, newcomers }: ThresholdTerms, delta: Rational): bigint {
  const odds = Rational.of(BigInt(newcomers), noise === "gumbel" ? 1n : 2n).dividedBy(delta);
  return lnOf(odds, CLOSED_FORM_PRECISION).times(scale).upper().ceil();
}

const CLOSED_FORM_PRECISION = 128;

/** The largest T/scale whose failure is computed. A larger one fails less, and has as many zeros as it is large. */
const FAR = Rational.of(512n);

/** Encloses the failure of a T > 0 with about as many digits as are asked for; beyond `FAR`, the larger failure there. */
export function failure({ noise, scale, newcomers }: ThresholdTerms, threshold: Rational): Enclosure {
  const quotient = threshold.dividedBy(scale);
  const exponent = quotient.compare(FAR) > 0 ? FAR : quotient;
  const m = BigInt(newcomers);
  // a begins with this many zeros; 3/2 is above 1/ln 2. The quotient for exponential noise loses as many again.
  const zeros = Number(exponent.times("3/2").ceil());
  return (precision) => {
    const bits = precision + 2 * zeros + 2 * bitLength(m) + 16;
    const a = Interval.from(exponent.negated(), bits).exp();
    if (noise === "gumbel") return a.times(m).dividedBy(a.times(m).plus(1n));
    const one = Interval.from(1n, bits);
    const noneBeats = one.minus(one.minus(a).power(m + 1n)).dividedBy(a.times(m + 1n));
    return one.minus(noneBeats);
  };
}
