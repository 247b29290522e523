/**
 * What noise costs, one theorem a function. With r = Δ for monotone scores and 2Δ otherwise:
 *
 *   k rounds of loss ε each          k·ε                    pure, any mechanism
 *   k rounds of bounded range ε      k·ε²/8 in ρ            the exponential mechanism, Gumbel noise [DR19]
 *   k rounds of loss ε each          k·ε²/2 in ρ            any other mechanism [BS16]
 *   Gaussian noise of variance σ²    Δ²/(2σ²) in ρ          per released value [BS16]
 *   counts that share a part of their noise                 `rhoOfSharedCounts`, `epsilonOfSharedCounts`
 *
 * and the inverses, from a budget to the noise. A mechanism states its price by calling these, so the eighth and the half
 * stand here and nowhere else. Conversions are sharper. They charge the least ρ that holds for the whole class:
 *
 *   ε-DP                             ε·tanh(ε/2)                              attained by randomized response
 *   bounded range η                  x − 1 − ln x with x = η/(e^η − 1)        attained as α → 1
 *   noisy max of one winner          x + e^−x − 1 with x = r/β                the Laplace mechanism at distance x
 *
 * What a mechanism states stays at the quadratic price, because ledgers hold it and verifiers check it; noise that is
 * calibrated by it is safe at the sharper price too. Proofs: bounded-range.proof.md, conversions.proof.md, price.proof.md and,
 * for counts that share noise, discover/shared-counts.proof.md.
 * @module
 */

import { type Enclosure, lnOf, roundedUp } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational, rootToDigits, shortened } from "../exact/rational.js";
import { type Extended, isBounded } from "./extended.js";

/** The kind of guarantee of a round: only its loss, or also that the log ratios of all answers lie in one interval of that length. */
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

/** The least ρ of every ε-DP mechanism, ε·tanh(ε/2), rounded up; ε may be unbounded. */
export function rhoOfPure(epsilon: Extended): Extended {
  if (!isBounded(epsilon)) return Infinity;
  return sharper(rhoOfRounds(epsilon, "pure"), epsilon, (precision) => {
    const power = Interval.from(epsilon.negated(), precision).exp();
    return power.negated().plus(1n).dividedBy(power.plus(1n)).times(epsilon);
  });
}

/** The least ρ of every mechanism of bounded range η, x − 1 − ln x with x = η/(e^η − 1), rounded up; η may be unbounded. */
export function rhoOfRange(range: Extended): Extended {
  if (!isBounded(range)) return Infinity;
  return sharper(rhoOfRounds(range, "bounded-range"), range, (precision) => {
    // With u = 1 − e^−η this is η·e^−η/u − 1 − ln η + η + ln u, where nothing overflows.
    const power = Interval.from(range.negated(), precision).exp();
    const rest = power.negated().plus(1n);
    const logarithms = rest.ln().minus(lnOf(range, precision));
    return power.times(range).dividedBy(rest).minus(1n).plus(logarithms).plus(range);
  });
}

/**
 * The ρ of reporting only the index of the largest score with exponential or Laplace noise, at x = range/scale:
 * x + e^−x − 1, rounded up.
 */
export function rhoOfNoisyMax(distance: Rational): Rational {
  return sharper(rhoOfRounds(distance, "pure"), distance, (precision) =>
    Interval.from(distance.negated(), precision).exp().minus(1n).plus(distance),
  );
}

/** Below 2^−20 the sharper prices are within 3·10⁻⁷ of the quadratic one, and enclosures lose their digits. */
const TINY = /* @__PURE__ */ Rational.of(1n, 1n << 20n);

/** The enclosed ρ rounded up, or the quadratic price or the loss itself where that is no more: both are valid. */
function sharper(quadratic: Rational, loss: Rational, enclose: Enclosure): Rational {
  if (loss.compare(TINY) < 0) return quadratic;
  const rho = roundedUp((precision) => enclose(2 * precision));
  return [quadratic, loss].reduce((least, price) => (price.compare(least) < 0 ? price : least), rho);
}

/** The ρ of Gaussian noise of this variance on a value, or a vector in the Euclidean norm, that moves by `distance`. */
export function rhoOfGaussian(distance: Rational, variance: Rational): Rational {
  return distance.times(distance).dividedBy(variance.times(2n));
}

/** How j counts move: at most `moved` of them, all up or all down, by at most `distance` each. */
export interface MovedCounts {
  readonly names: number;
  readonly moved: number;
  readonly distance: Rational;
}

/** Gaussian noise for `names` counts: y_i = factor·h_i + N_i + M with Var N_i = variance and Var M = variance/pool. */
export interface SharedGaussian {
  readonly names: number;
  /** A multiple of names + pool. */
  readonly factor: bigint;
  readonly pool: number;
  readonly variance: Rational;
}

/**
 * The ρ of measuring counts with a shared part of Gaussian noise. For as many names as the noise is for, it is that of the
 * continuous Gaussian with the same covariance; for fewer the shift by which M may stand in for a change is rounded.
 */
export function rhoOfSharedCounts(noise: SharedGaussian, counts: MovedCounts): Rational {
  const { names, moved, distance } = counts;
  if (names === 0) return Rational.ZERO;
  const doubled = noise.variance.times(2n);
  const whole = shapeOfSharedCounts({ ...noise, moved })
    .times(distance.times(distance))
    .dividedBy(doubled);
  if (names >= noise.names) return whole;
  const fewer = distance.equals(1n)
    ? Rational.of(largestCorner(noise, names, moved)).dividedBy(doubled)
    : shapeOfSharedCounts({ ...noise, names, moved })
        .times(distance.times(distance))
        .plus(Rational.of(BigInt(names + noise.pool), 4n))
        .dividedBy(doubled);
  return fewer.compare(whole) < 0 ? fewer : whole;
}

/** factor²·s·(1 − s/(names + pool)) at the number s ≤ moved of moved counts for which it is largest. */
export function shapeOfSharedCounts({
  names,
  moved,
  pool,
  factor,
}: Omit<SharedGaussian, "variance"> & { readonly moved: number }): Rational {
  const all = names + pool;
  const s = Math.min(moved, names, Math.floor(all / 2));
  return Rational.of(factor * factor * BigInt(s) * BigInt(all - s), BigInt(all));
}

/** The largest Σ(a·d_i − c)² + u·c² over s counts that move by 1, each with the best integer c. */
function largestCorner({ factor, pool }: SharedGaussian, names: number, moved: number): bigint {
  let largest = 0n;
  for (let s = 1; s <= Math.min(moved, names); s++) {
    const [up, rest] = [BigInt(s), BigInt(names + pool - s)];
    const below = (up * factor) / (up + rest);
    const [low, high] = [below, below + 1n].map((c) => up * (factor - c) ** 2n + rest * c * c);
    const least = low < high ? low : high;
    if (least > largest) largest = least;
  }
  return largest;
}

/**
 * The ε of measuring counts y_i = h_i + N_i + M with Laplace noise, N_i of this scale and M of scale/pool:
 * distance·max over s ≤ moved of min(s, names − s + pool)/scale.
 */
export function epsilonOfSharedCounts(
  { scale, pool }: { readonly scale: Rational; readonly pool: number },
  { names, moved, distance }: MovedCounts,
): Rational {
  const s = Math.min(moved, names, Math.floor((names + pool) / 2));
  return distance.times(BigInt(s)).dividedBy(scale);
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

/** Each of two scores moves by up to `distance`, and if not monotone, in opposite directions. */
export function rangeDistance(distance: Rational, monotone: boolean): Rational {
  return monotone ? distance : distance.times(2n);
}
