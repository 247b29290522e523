/**
 * The check of every approximate guarantee: P(S) ≤ e^ε·P'(S) + δ for all sets S of answers, which is that
 * Σ max(0, P − e^ε·P') over all answers, the most that any S exceeds by, is at most δ.
 * @module
 */
import { Interval } from "../../src/exact/interval.js";
import { Rational, type RationalLike } from "../../src/exact/rational.js";
import { type ExactLaw, PRECISION } from "./exact-laws.js";

/** Encloses the smallest δ for which one law is (ε, δ)-close to another. */
export function hockeyStick(law: ExactLaw, other: ExactLaw, epsilon: RationalLike): Interval {
  const zero = Interval.from(0n, PRECISION);
  const factor = Interval.from(epsilon, PRECISION).exp();
  let total = zero;
  for (const [outcome, probability] of law) {
    const excess = probability.minus((other.get(outcome) ?? zero).times(factor));
    if (excess.hi > 0n)
      total = total.plus(new Interval(excess.lo < 0n ? 0n : excess.lo, excess.hi, PRECISION));
  }
  return total;
}

/** The largest δ at this ε over pairs of laws, in both directions. */
export function worstDelta(pairs: Iterable<readonly [ExactLaw, ExactLaw]>, epsilon: RationalLike): Rational {
  let worst = Rational.ZERO;
  for (const [law, other] of pairs)
    for (const delta of [hockeyStick(law, other, epsilon), hockeyStick(other, law, epsilon)])
      if (delta.isAbove(worst)) worst = delta.upper();
  return worst;
}
