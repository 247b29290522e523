/**
 * `snappingMechanism`: Laplace noise in doubles, repaired [Mir12]. The noisy value is rounded to a multiple of a power of two that is not
 * below the scale, which takes away the low-order bits that give textbook noise away. For study only: Winnow draws noise as
 * integers and needs no repair.
 *
 * Guarantee, for a value that one individual moves by at most 1: ε = (1 + 2^−49·bound)/scale [Mir12, Theorem 1]. It takes three things that
 * textbook code has not: a uniform double that can be any double in (0, 1), a logarithm that is the nearest double to the true one, and
 * a step as large as the scale. `rounding-too-fine` among the attacks does without the last.
 * @module
 */
import { type Entropy, Interval, Rational } from "winnow-dp";

/**
 * The noise and the bound of the snapping mechanism, and where the fair bits come from.
 *
 * @inline
 */
export interface SnappingOptions {
  /** The scale of the noise. */
  readonly scale: number;
  /** Values beyond ± this are clamped, before and after. */
  readonly bound: number;
  /** Where the fair bits come from. */
  readonly entropy: Entropy;
}

/**
 * A value with noise, on multiples of a power of two.
 *
 * @example
 * ```ts
 * import { snappingMechanism } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const noisy = snappingMechanism(1000, { scale: 3, bound: 4096, entropy: seededEntropy("snap") });
 * noisy % 4; // → 0
 * ```
 */
export function snappingMechanism(value: number, options: SnappingOptions): number {
  const { scale, bound, entropy } = options;
  const sign = entropy.bit() === 0 ? 1 : -1;
  const noise = sign * scale * nearestLn(uniformDouble(entropy));
  const step = powerOfTwoFrom(scale);
  const noisy = clamp(value, bound) + noise;
  return clamp(Math.floor(noisy / step + 0.5) * step, bound); // a division by a power of two is exact; ties go up
}

function clamp(value: number, bound: number): number {
  return Math.min(Math.max(value, -bound), bound);
}

/** The smallest power of two that is not below. */
function powerOfTwoFrom(scale: number): number {
  let power = 1;
  while (power < scale) power *= 2;
  while (power / 2 >= scale) power /= 2;
  return power;
}

/** Digits of a double after its first. */
const DIGITS = 52;

/** Any double in (0, 1), as exact integers, with a probability proportional to its distance from the next. */
function uniformDouble(entropy: Entropy): Rational {
  let exponent = 1;
  while (entropy.bit() === 0) exponent++;
  const digits = (1n << BigInt(DIGITS)) | entropy.bigBits(DIGITS);
  return Rational.of(digits, 1n << BigInt(DIGITS + exponent));
}

/** The double nearest to the logarithm. */
function nearestLn(u: Rational): number {
  for (let precision = 128; ; precision *= 2) {
    const ln = Interval.from(u, precision).ln();
    const [low, high] = [ln.lower().toNumber(), ln.upper().toNumber()];
    if (low === high) return low;
  }
}
