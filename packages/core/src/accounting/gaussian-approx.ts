/**
 * The exact (ε, δ) of Gaussian noise, δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) with μ² = 2ρ, where ρ is the sum of
 * sensitivity²/(2σ²) over all releases [BW18]. Smaller than any conversion of ρ-zCDP, and true of **continuous**
 * Gaussian noise and its post-processing only; integer noise is accounted through zCDP.
 * Cost: one δ about 1 ms, one ε about 45 of them. Proof: conversions.proof.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { type Enclosure, isCertainlyAtMost, roundedUp, zerosAfterPoint } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { normalCdfEnclosure } from "../exact/normal-cdf.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { anyRational, positiveRational, readOptions } from "../options.js";
import type { GaussianApproxOptions } from "./approx.js";
import { edgeOfAccepted } from "./edge-of-accepted.js";
import { approx, type LossOf } from "./loss.js";
import { epsilonOfZcdp } from "./zcdp-to-approx.js";

/**
 * The exact (ε, δ) of continuous Gaussian noise: the ε for a given δ or the δ for a given ε, rounded up.
 *
 * Smaller than any conversion of ρ-zCDP [BW18]; integer noise is accounted through `convert` instead.
 *
 * @param rho The sum of sensitivity²/(2σ²) over all releases.
 * @param options The δ or the ε to answer for.
 *
 * @example
 * ```ts
 * import { gaussianToApprox } from "winnow-dp";
 *
 * gaussianToApprox("1/2", { delta: "1e-6" }).epsilon; // → 4.88655411746238
 * ```
 */
export function gaussianToApprox(rho: RationalLike, options: GaussianApproxOptions): LossOf["approx"] {
  const { delta, epsilon } = readOptions<Partial<GaussianApproxOptions>>(
    options,
    {},
    { delta: anyRational, epsilon: anyRational },
  );
  const size = readRho(rho);
  if (delta !== undefined && epsilon === undefined) {
    const chance = readDelta(delta);
    return approx(epsilonOf(size, chance), chance);
  }
  if (epsilon !== undefined && delta === undefined) {
    const target = readEpsilon(epsilon);
    return approx(target, roundedUp(deltaOf(size, target)));
  }
  throw invalidParameter(
    "delta",
    "given, or epsilon instead, but not both",
    delta === undefined ? undefined : "both",
  );
}

/** δ falls as ε grows, and the ε of the conversion of zCDP is certainly large enough. */
function epsilonOf(rho: Rational, delta: Rational): Rational {
  const isEnough = (epsilon: Rational) => isCertainlyAtMost(deltaOf(rho, epsilon), delta);
  if (isEnough(Rational.ZERO)) return Rational.ZERO;
  return edgeOfAccepted(isEnough, epsilonOfZcdp(rho, delta), Rational.ZERO);
}

/** Encloses δ(ε). */
export function deltaOf(rho: Rational, epsilon: Rational): Enclosure {
  return (precision) => {
    // Digits of the second probability that are lost to e^ε < 4^ε, and of ε/μ that are lost to a small μ.
    const bits = precision + 2 * Number(epsilon.ceil()) + 2 * zerosAfterPoint(rho);
    const mu = Interval.from(rho.times(2n), bits).sqrt();
    const [half, quotient] = [mu.dividedBy(2n), Interval.from(epsilon, bits).dividedBy(mu)];
    const first = normalCdfEnclosure(half.minus(quotient));
    const second = normalCdfEnclosure(half.plus(quotient).negated());
    return first.minus(Interval.from(epsilon, bits).exp().times(second)).withPrecision(precision);
  };
}

/** Beyond these limits nothing is private or nothing is at stake, and the digits run into thousands. */
const [LARGEST_RHO, LARGEST_EPSILON, SMALLEST_DELTA] = [100n, 1000n, "1e-100"];

/** The largest ε that a ρ is searched for. The search computes about fifty δ: half a second at most. */
export const LARGEST_TARGET = 100n;

function readRho(value: RationalLike): Rational {
  const rho = positiveRational("rho", value);
  if (rho.compare(LARGEST_RHO) > 0) throw invalidParameter("rho", `a rational <= ${LARGEST_RHO}`, value);
  return rho;
}

export function readEpsilon(value: RationalLike, largest = LARGEST_EPSILON): Rational {
  const epsilon = rational(value, "epsilon");
  if (epsilon.numerator < 0n || epsilon.compare(largest) > 0)
    throw invalidParameter("epsilon", `a rational from 0 to ${largest}`, value);
  return epsilon;
}

export function readDelta(value: RationalLike): Rational {
  const delta = rational(value, "delta");
  if (delta.compare(SMALLEST_DELTA) < 0 || delta.compare(1n) >= 0)
    throw invalidParameter("delta", `a rational >= ${SMALLEST_DELTA} and < 1`, value);
  return delta;
}
