/**
 * `precisionRules(options)`: how many binary digits a fixed-precision implementation of the base-2 exponential mechanism
 * would need for its weights and their sums. Winnow has no such precision to choose; the figures say what the rules of
 * [Ilv20] ask for, and what is needed in truth.
 *
 * - `analytic`, Lemma 3.4: (max(1, |lower|) + max(1, |upper|))·z·(y + b_x) + maxCandidates.
 * - `empirical`, Algorithm 1: the first of 1, 2, 4, 8, … in which the largest sum, rounded up, plus each possible
 *   weight is exact.
 * - `corrected`: y·z·(upper − lower) + ⌈log₂ maxCandidates⌉ + 1, for weights of distances from `lower`.
 *
 * Where a utility can be negative and x isn't a power of two, weights such as 4/3 have no finite expansion: Lemma 3.4
 * is wrong there and Algorithm 1 does not end. Proof: base2-exponential.proof.md.
 * @module
 */

import type { Base2Parameter } from "../accounting/base2-parameter.js";
import { bitLength, ceilShift } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { bigInteger, readOptions } from "../options.js";
import { BOUNDS, type UtilityBounds, type UtilityRange, utilityRange } from "./utility-bounds.js";
import { madeByEta, weightsOf } from "./weights.js";

/**
 * An instance of the base-2 exponential mechanism.
 *
 * @inline
 */
export interface PrecisionRulesOptions extends UtilityBounds {
  /** The parameter, made by `eta` or `etaAtMost`. */
  readonly eta: Base2Parameter;
  /** The most outcomes there can be. */
  readonly maxCandidates: number | bigint;
}

/**
 * Binary digits for weights and their sums, by three rules.
 *
 * @inline
 */
export type PrecisionRules = {
  /** What Lemma 3.4 says, right or wrong. */
  readonly analytic: Rational;
  /** What Algorithm 1 finds; undefined where it does not end. */
  readonly empirical: Rational | undefined;
  /** What suffices always, when utilities are counted from `lower`. */
  readonly corrected: Rational;
  /** Whether a finite precision suffices without that. */
  readonly finite: boolean;
};

/**
 * How many binary digits a fixed-precision implementation of the base-2 exponential mechanism would need.
 *
 * That is what the rules of [Ilv20] ask for, and what is needed in truth. Winnow has no such precision to choose.
 *
 * @example
 * ```ts
 * import { eta, precisionRules } from "winnow-dp";
 *
 * precisionRules({ eta: eta(15, 4), lower: 0, upper: 100, maxCandidates: 500 }).analytic; // → 1308
 * ```
 */
export function precisionRules(options: PrecisionRulesOptions): PrecisionRules {
  const read = readOptions(options, { ...BOUNDS, eta: madeByEta, maxCandidates: bigInteger }, {});
  const { parameter } = weightsOf(read.eta);
  const range = utilityRange(read);
  const most = BigInt(read.maxCandidates);
  const { x, y, z } = parameter;
  const { lowest, highest } = range;
  const finite = lowest >= 0n || (x & (x - 1n)) === 0n;
  return {
    analytic: Rational.of((atLeastOne(lowest) + atLeastOne(highest)) * z * (y + BigInt(bitLength(x))) + most),
    empirical: finite ? Rational.of(powerOfTwoFrom(neededDigits(parameter, range, most))) : undefined,
    corrected: Rational.of(y * z * (highest - lowest) + BigInt(bitLength(most - 1n)) + 1n),
    finite,
  };
}

/** max(1, |utility|). */
function atLeastOne(utility: bigint): bigint {
  const magnitude = utility < 0n ? -utility : utility;
  return magnitude > 1n ? magnitude : 1n;
}

/** The smallest power of two that is not below. */
function powerOfTwoFrom(digits: bigint): bigint {
  return 1n << BigInt(bitLength(digits - 1n));
}

/**
 * The significant digits of ⌈maxCandidates·b^lower⌉ + b^u for the utility u that needs most. With x/2^y = o/2^h for an
 * odd o, the last digit of b^u is at 2^(−hzu). It is the highest u that needs most, and above all it needs all digits
 * between that one and the first of the sum; without a negative u they are all after the point. One utility alone needs those of
 * most and most + 1, of which one is odd: as many as most has.
 */
function neededDigits({ x, y, z }: Base2Parameter, { lowest, highest }: UtilityRange, most: bigint): bigint {
  const ratio = Rational.of(x, 1n << y);
  const places = BigInt(bitLength(ratio.denominator) - 1) * z;
  if (lowest > 0n) return digitsOfLargestSum(ratio, z * lowest, most) + places * highest;
  return BigInt(bitLength(most)) + places * (highest - lowest);
}

/** The digits before the point of ⌈most·ratio^exponent⌉. */
function digitsOfLargestSum(ratio: Rational, exponent: bigint, most: bigint): bigint {
  for (let precision = 64; ; precision *= 2) {
    const { lo, hi } = Interval.from(ratio, precision).power(exponent).times(most);
    const atLeast = bitLength(ceilShift(lo > 0n ? lo : 1n, BigInt(precision))); // it is above 0
    const atMost = bitLength(ceilShift(hi, BigInt(precision)));
    if (atLeast === atMost) return BigInt(atLeast);
  }
}
