/**
 * UNSAFE, for study only: two mechanisms in floating point. Winnow's exact mechanisms are compared with them, and the
 * audit attacks them.
 *
 * `floatTopKWithGap` is top k with gaps as everyone would write it first, [Ding23, Alg 1] in doubles, with the paper's
 * line numbers at the ends of lines. The noise takes only some of the doubles, and which gaps can come out depends on
 * the private scores: a single gap may tell two data sets apart for certain, whatever ε was promised [Mir12]. Rounding
 * decides here, which no released mechanism allows.
 *
 * `fixedPrecisionBase2` is the base-2 exponential mechanism as published, in floating point of a fixed precision
 * [Ilv20p, Algorithms 1 and 2]. With `monitor`, a rounded operation ends the run with an error, and whether one was
 * rounded depends on the private utilities; so does the error of a sample that falls between two weights. Without it,
 * a small weight beside a large one is lost, and an outcome of positive probability never comes up. `base2Exponential`
 * has no fixed precision and neither of these faults. The sample is the last accepted one, and the test for
 * insufficient precision is the published one, which looks at one boundary too few.
 * @module
 */
import { type Base2Parameter, type Entropy, Rational } from "winnow-dp";
import {
  anEntropy,
  arrayLike,
  bitLength,
  boolean,
  integer,
  invalidParameter,
  object,
  readOptions,
  withEntropy,
} from "winnow-dp/internal";

/** How many winners, and the noise. */
export interface FloatOptions {
  /** How many winners. */
  readonly k: number;
  /** The scale of the exponential noise. */
  readonly scale: number;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** UNSAFE: a winner with its gap in floating point. */
export interface FloatWinner {
  /** The candidate. */
  readonly index: number;
  /** UNSAFE: its low-order digits depend on the scores. */
  readonly gap: number;
}

/**
 * UNSAFE: the k largest noisy scores with their gaps, best first.
 *
 * @param scores The scores of all candidates.
 * @param options How many winners, and the noise.
 *
 * @example
 * ```ts
 * import { floatTopKWithGap } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * // Not private: the low-order bits of the gap tell the scores.
 * floatTopKWithGap([900, 1], { k: 1, scale: 1, entropy: seededEntropy("float") })[0].index; // → 0
 * ```
 */
export function floatTopKWithGap(scores: ArrayLike<number>, options: FloatOptions): FloatWinner[] {
  const {
    k,
    scale,
    entropy: given,
  } = readOptions(options, { k: integer, scale: positiveNumber }, { entropy: anEntropy });
  if (k >= arrayLike("scores", scores).length)
    throw invalidParameter("k", "an integer below the number of candidates", k);
  const noisy = withEntropy(given, (entropy) =>
    Array.from(scores, (score, index) => ({ index, value: score + exponential(scale, entropy) })),
  ); // 2–4
  const order = noisy.sort((a, b) => b.value - a.value); // 5
  return order.slice(0, k).map(({ index, value }, place) => ({
    index,
    gap: value - order[place + 1].value, // 6, 7
  })); // 8
}

/** By the inverse of its distribution function, as libraries do it. */
function exponential(scale: number, entropy: Entropy): number {
  const uniform = entropy.bits(53) / 0x20_0000_0000_0000;
  return -scale * Math.log(1 - uniform);
}

function positiveNumber(field: string, value: number): number {
  if (!(typeof value === "number" && value > 0 && value < Infinity))
    throw invalidParameter(field, "a number > 0", value);
  return value;
}

/** The parameter, and the precision that all arithmetic is to have. */
export interface FixedPrecisionOptions {
  /** The parameter, made by `eta` or `etaAtMost`. */
  readonly eta: Base2Parameter;
  /** Significant binary digits of every number. */
  readonly precision: number;
  /** Whether rounding is noticed. Default true. */
  readonly monitor?: boolean | undefined;
  /** Draws made even if an earlier one was accepted already. Default 1. */
  readonly minRetries?: number | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** An index, or an error that depends on the private utilities. */
export type FixedPrecisionOutcome =
  | {
      /** The outcome that was drawn. */
      readonly index: number;
    }
  | {
      /** Why there is none. */
      readonly error: "inexact arithmetic" | "sampling precision insufficient" | "unable to sample";
    };

/**
 * UNSAFE: an index with probability about proportional to b^utility, or an error that depends on the utilities.
 *
 * @example
 * ```ts
 * import { fixedPrecisionBase2 } from "winnow-audit";
 * import { eta } from "winnow-dp";
 *
 * // Not private where the precision runs out.
 * fixedPrecisionBase2([0, 500], { eta: eta(1, 1), precision: 512 }); // → { index: 0 }
 * ```
 */
export function fixedPrecisionBase2(
  utilities: readonly (number | bigint)[],
  options: FixedPrecisionOptions,
): FixedPrecisionOutcome {
  const {
    eta,
    precision,
    monitor = true,
    minRetries = 1,
    entropy: given,
  } = readOptions(
    options,
    { eta: object, precision: integer },
    { monitor: boolean, minRetries: integer, entropy: anEntropy },
  );
  const floats = new Floats(precision);
  const weights = utilities.map((utility) => floats.round(weightOf(eta, BigInt(utility))));
  const outcome = withEntropy(given, (entropy) => normalizedSample(weights, floats, minRetries, entropy));
  return monitor && floats.inexact ? { error: "inexact arithmetic" } : outcome;
}

function weightOf({ x, y, z }: Base2Parameter, utility: bigint): Rational {
  const magnitude = (utility < 0n ? -utility : utility) * z;
  const [numerator, denominator] = [x ** magnitude, 1n << (y * magnitude)];
  return utility < 0n ? Rational.of(denominator, numerator) : Rational.of(numerator, denominator);
}

function normalizedSample(
  weights: readonly Rational[],
  floats: Floats,
  minRetries: number,
  entropy: Entropy,
): FixedPrecisionOutcome {
  const total = weights.reduce((sum, weight) => floats.round(sum.plus(weight))); // 2
  const scale = powerOfTwo(powerBound(total)); // 13
  let sample: Rational | undefined;
  for (let retries = 0; sample === undefined || retries < minRetries; retries++) {
    // 15
    const fraction = Rational.of(entropy.bigBits(floats.precision), 1n << BigInt(floats.precision)); // 16
    const candidate = fraction.times(scale); // 17
    if (candidate.compare(total) < 0) sample = candidate; // 18–19
  }
  let cumulative = Rational.ZERO; // 21
  for (const [index, weight] of weights.entries()) {
    // 23
    cumulative = floats.round(cumulative.plus(weight)); // 24
    if (cumulative.compare(sample) <= 0) continue; // 25
    const next = index + 1 < weights.length ? floats.round(cumulative.plus(weights[index + 1])) : undefined;
    if (next !== undefined && next.compare(floats.nextUp(sample)) < 0)
      // 27
      return { error: "sampling precision insufficient" }; // 29
    return { index }; // 30
  }
  return { error: "unable to sample" };
}

/** Floating point with so many significant digits and any exponent, which remembers whether it ever rounded. */
class Floats {
  readonly precision: number;
  inexact = false;

  constructor(precision: number) {
    this.precision = precision;
  }

  /** The nearest float, ties to even, of a number > 0. */
  round(value: Rational): Rational {
    const unit = powerOfTwo(powerBound(value) - this.precision);
    const scaled = value.dividedBy(unit);
    const floor = scaled.floor();
    const side = scaled.minus(floor).compare(Rational.of(1n, 2n));
    const isUp = side > 0 || (side === 0 && (floor & 1n) === 1n);
    if (!scaled.isInteger()) this.inexact = true;
    return unit.times(isUp ? floor + 1n : floor);
  }

  /** The next larger float; that of 0 is as good as 0. */
  nextUp(value: Rational): Rational {
    if (value.numerator === 0n) return value;
    const isPowerOfTwo = value.equals(powerOfTwo(powerBound(value)));
    return value.plus(powerOfTwo(powerBound(value) - this.precision + (isPowerOfTwo ? 1 : 0)));
  }
}

/** The smallest k with 2^k ≥ value, for a value > 0. */
function powerBound(value: Rational): number {
  const { numerator, denominator } = value;
  const guess = bitLength(numerator) - bitLength(denominator); // the value is in (2^(guess−1), 2^(guess+1))
  return value.compare(powerOfTwo(guess)) > 0 ? guess + 1 : guess;
}

function powerOfTwo(exponent: number): Rational {
  return exponent >= 0 ? Rational.of(1n << BigInt(exponent)) : Rational.of(1n, 1n << BigInt(-exponent));
}
