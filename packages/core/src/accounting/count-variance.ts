/**
 * The least variance of discrete Gaussian noise for integer counts in (ε, δ): found by bisection below what zCDP needs, and
 * certified as it is returned, because δ may grow with σ². Where the exact sum isn't available, what zCDP needs.
 * Proof: profile/discrete-gaussian-counts.proof.md.
 * @module
 */

import { Rational, shortened, toDigits } from "../exact/rational.js";
import { mostZcdp } from "./calibrate.js";
import { deltaOfCounts, hasExactDelta } from "./profile/discrete-gaussian.js";

/** How often the interval is halved: the variance is within 10⁻⁴ of the least. */
const HALVINGS = 14;

/** σ² for counts of which one individual moves at most `moved` by 1 each. */
export function countVariance(epsilon: Rational, delta: Rational, moved: number): Rational {
  const { rho } = mostZcdp(epsilon, delta);
  const enough = shortened(Rational.of(BigInt(moved)).dividedBy(rho.times(2n)), "up");
  const meets = (variance: Rational) =>
    hasExactDelta(epsilon, variance, moved) && deltaOfCounts(epsilon, variance, moved).compare(delta) <= 0;
  let [accepted, refused] = [enough, enough.dividedBy(2n)];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = toDigits(accepted.plus(refused).dividedBy(2n), "up");
    if (meets(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}

/** δ of these counts at ε: by the exact sum, or else the δ that the variance was made for. */
export function spentDelta(epsilon: Rational, delta: Rational, variance: Rational, moved: number): Rational {
  if (moved === 0) return Rational.ZERO;
  if (!hasExactDelta(epsilon, variance, moved)) return delta;
  const exact = deltaOfCounts(epsilon, variance, moved);
  return exact.compare(delta) < 0 ? exact : delta;
}
