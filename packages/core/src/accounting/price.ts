/**
 * What noise costs, one theorem a function. With r = Δ for monotone scores and 2Δ otherwise:
 *
 *   k rounds of loss ε each          k·ε                    pure, any mechanism
 *   k rounds of bounded range ε      k·ε²/8 in ρ            the exponential mechanism, Gumbel noise [DR19]
 *   k rounds of loss ε each          k·ε²/2 in ρ            any other mechanism [BS16]
 *   Gaussian noise of variance σ²    Δ²/(2σ²) in ρ          per released value [BS16]
 *
 * and the inverses, from a budget to the noise. A mechanism states its price by calling these, so the eighth and the half
 * stand here and nowhere else. Proofs: bounded-range.proof.md, conversions.proof.md.
 * @module
 */

import { Rational, type RationalLike, rootToDigits, shortened } from "../exact/rational.js";
import { type Extended, isBounded } from "./extended.js";
import { pure, type ZcdpLoss, zcdp } from "./loss.js";

/** What is known of a round: only its loss, or also that the log ratios of all answers lie in one interval of that length. */
export type RoundClass = "pure" | "bounded-range";

/** ε²/2 and ε²/8. */
const SHARE: Readonly<Record<RoundClass, bigint>> = { pure: 2n, "bounded-range": 8n };

/** The ρ of `rounds` mechanisms of loss `each`. */
export function rhoOfRounds(each: Rational, of: RoundClass, rounds: bigint | number = 1n): Rational {
  const { numerator, denominator } = each;
  return Rational.of(BigInt(rounds) * numerator * numerator, SHARE[of] * denominator * denominator);
}

/** The largest loss that each of `rounds` mechanisms may have within ρ, rounded down. */
export function roundWithin(rho: Rational, of: RoundClass, rounds: bigint | number = 1n): Rational {
  return rootToDigits(rho.times(SHARE[of]).dividedBy(BigInt(rounds)), "down");
}

/** The ρ of a loss ε that may be unbounded. */
export function rhoOfLoss(epsilon: Extended, of: RoundClass = "pure"): Extended {
  return isBounded(epsilon) ? rhoOfRounds(epsilon, of) : Infinity;
}

/** The ρ of Gaussian noise of this variance on a value, or a vector in the Euclidean norm, that moves by `distance`. */
export function rhoOfGaussian(distance: Rational, variance: Rational): Rational {
  return distance.times(distance).dividedBy(variance.times(2n));
}

/** The scale of noise for `rounds` selections of scores that move by `range` within ε: rounds·range/ε, rounded up. */
export function pureScale(epsilon: Rational, range: Rational, rounds: bigint): Rational {
  return shortened(range.times(rounds).dividedBy(epsilon), "up");
}

/** The scale of noise for `rounds` selections of scores that move by `range` within ρ: range·√(rounds/(8ρ)) or range·√(rounds/(2ρ)), rounded up. */
export function zcdpScale(rho: Rational, range: Rational, of: RoundClass, rounds = 1n): Rational {
  return rootToDigits(range.times(range).times(rounds).dividedBy(rho.times(SHARE[of])), "up");
}

/**
 * A loss that follows from the noise, with few enough digits to be added up for years: rounded up, and never above the
 * budget that the noise was made for, if the loss isn't.
 */
export function reportedLoss(loss: Rational, budget?: Rational): Rational {
  const rounded = shortened(loss, "up");
  const isMet = budget !== undefined && loss.compare(budget) <= 0;
  return isMet && rounded.compare(budget) > 0 ? budget : rounded;
}

/**
 * The zCDP of a mechanism of bounded range ε, the exponential mechanism above all: a quarter of that of ε-DP.
 *
 * @param epsilon The range.
 *
 * @example
 * ```ts
 * import { zcdpOfBoundedRange } from "winnow-dp";
 *
 * zcdpOfBoundedRange(1); // → { measure: "zcdp", rho: 0.125 }
 * ```
 */
export function zcdpOfBoundedRange(epsilon: RationalLike): ZcdpLoss {
  return zcdp(rhoOfLoss(pure(epsilon).epsilon, "bounded-range"));
}

/** Each of two scores moves by up to `distance`, and if not monotone, in opposite directions. */
export function rangeDistance(distance: Rational, monotone: boolean): Rational {
  return monotone ? distance : distance.times(2n);
}
