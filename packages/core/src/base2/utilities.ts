/**
 * The utilities of all outcomes, read through the callback and clamped to the public range. Clamping comes before
 * rounding, so that ±∞ is as good as any other number; one that isn't a number is refused, without a word on which. No
 * random bit is drawn here: whatever is wrong with a utility is known before the first.
 *
 * Numbers are kept as doubles, read as the decimals that they print as; a utility of another kind, or a range beyond the
 * safe integers, makes all of them rationals. Cost: about 2 ns for each outcome beside the callback.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { invalidParameter, WinnowError } from "../errors.js";
import { TWO_TO } from "../exact/integers.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { bigInteger } from "../options.js";
import { drawBernoulli } from "../sample/bernoulli.js";
import { PartialUniform } from "../sample/partial-uniform.js";

/**
 * The utility of an outcome; lower is better.
 *
 * @typeParam Outcome What is chosen from.
 */
export type Utility<Outcome> = (outcome: Outcome) => RationalLike;

interface ClampedNumbers {
  readonly numbers: Float64Array;
  readonly least: number;
}

export type ClampedUtilities = ClampedNumbers | readonly Rational[];

/** Reads the utilities of all outcomes, into `numbers` as long as they are numbers. */
export function readUtilities<Outcome>(
  outcomes: ArrayLike<Outcome>,
  utility: Utility<Outcome>,
  range: UtilityRange,
  numbers: Float64Array,
): ClampedUtilities {
  const low = Number(range.lowest);
  const high = Number(range.highest);
  if (![low, high, high - low].every(Number.isSafeInteger))
    return readRationals(outcomes, utility, range, numbers.length);
  const { before, least, other } = readNumbers(outcomes, utility, low, high, numbers);
  if (before === numbers.length) return { numbers, least };
  return readRationals(outcomes, utility, range, numbers.length, [...numbers.subarray(0, before), other]);
}

interface NumbersRead {
  /** How many utilities came before the first that isn't a number. */
  readonly before: number;
  readonly least: number;
  /** The first that isn't a number. */
  readonly other: RationalLike;
}

/** The hot loop, in a function of its own: V8 compiles it once and for all. */
function readNumbers<Outcome>(
  outcomes: ArrayLike<Outcome>,
  utility: Utility<Outcome>,
  low: number,
  high: number,
  numbers: Float64Array,
): NumbersRead {
  let least = high;
  for (let i = 0; i < numbers.length; i++) {
    const value = utility(outcomes[i]);
    if (typeof value !== "number") return { before: i, least, other: value };
    const clamped = Math.min(Math.max(value, low), high); // without a branch on what it is, for constant work
    least = Math.min(least, clamped);
    numbers[i] = clamped;
  }
  if (Number.isNaN(least)) throw invalidUtility(); // one that isn't a number stays the least to the end
  return { before: numbers.length, least, other: 0 };
}

/** All utilities as rationals; the first of them may have been read `before`. */
function readRationals<Outcome>(
  outcomes: ArrayLike<Outcome>,
  utility: Utility<Outcome>,
  range: UtilityRange,
  length: number,
  before: readonly RationalLike[] = [],
): Rational[] {
  const bounds = [Rational.of(range.lowest), Rational.of(range.highest)] as const;
  return Array.from({ length }, (_, i) =>
    clampedRational(i < before.length ? before[i] : utility(outcomes[i]), bounds, invalidUtility),
  );
}

const EXPECTED = "a number, a bigint or a rational for every outcome";

/** The refusal of a utility, which says nothing about it. */
function invalidUtility(): WinnowError {
  return new WinnowError("invalid-score", `utility must be ${EXPECTED}`, {
    field: "utility",
    expected: EXPECTED,
  });
}

/*
 * The public bounds of utilities.
 */

export interface UtilityBounds {
  /** Utilities below count as this. A safe integer or a bigint. */
  readonly lower: number | bigint;
  /** Utilities above count as this. A safe integer or a bigint. */
  readonly upper: number | bigint;
}

/** Integers lowest ≤ highest that no clamped utility leaves. */
export interface UtilityRange {
  readonly lowest: bigint;
  readonly highest: bigint;
}

export function utilityRange({ lower, upper }: UtilityBounds): UtilityRange {
  const [lowest, highest] = [lower, upper].map(BigInt);
  if (lowest > highest) throw invalidParameter("upper", "an integer >= lower", upper);
  return { lowest, highest };
}

function anyInteger(field: string, value: number | bigint): bigint {
  return bigInteger(field, value, -Infinity);
}

/** The readers of the bounds. */
export const BOUNDS = { lower: anyInteger, upper: anyInteger };

/*
 * Randomized rounding: an integer next to a number, with that number as its mean. ⌈u⌉ with probability u − ⌊u⌋ and
 * else ⌊u⌋, exactly, also below zero; an integer stays what it is. What moves by at most α, an integer, moves by at
 * most α after rounding with the same coins, so the mechanism may round the utilities it is given.
 *
 * [Ilv20, Mechanism 4] prints the two probabilities exchanged; then utilities that differ by 0.002 are rounded to
 * integers that differ by 2. Cost: one word for each fraction. Proof: randomized-rounding.proof.md.
 */

/** 2^−51: a double is at most 2^−53 of itself away from the decimal that it prints as, and its sums are as exact. */
const DECIMAL_ERROR = 1 / 0x8_0000_0000_0000;

/** A number of magnitude up to 2^53, read as the decimal that it prints as, rounded. */
export function drawRounded(value: number, entropy: Entropy): number {
  if (Math.floor(value) === value) return value;
  // The mirror image has the same law, and the fraction of a positive number is an exact difference.
  return value < 0 ? -drawRoundedMagnitude(-value, entropy) : drawRoundedMagnitude(value, entropy);
}

function drawRoundedMagnitude(value: number, entropy: Entropy): number {
  const floor = Math.floor(value);
  const scale = TWO_TO[entropy.wordBits];
  const threshold = (value - floor) * scale;
  const error = value * scale * DECIMAL_ERROR;
  const word = entropy.word();
  if (word + 1 <= threshold - error) return floor + 1;
  if (word >= threshold + error) return floor;
  return roundedBy(word, value, floor, entropy);
}

/** Rounds the same way, with a word for an integer too and without a branch on the word drawn: as much work whatever the value is. */
export function drawRoundedEvenly(value: number, entropy: Entropy): number {
  const magnitude = Math.abs(value);
  const floor = Math.floor(magnitude);
  const scale = TWO_TO[entropy.wordBits];
  const threshold = (magnitude - floor) * scale;
  const error = magnitude * scale * DECIMAL_ERROR;
  const word = entropy.word();
  const isUp = Number(word + 1 <= threshold - error);
  const isDown = Number(word >= threshold + error);
  const isClear = isUp + isDown === 1; // nearly always
  return Math.sign(value) * (isClear ? floor + isUp : roundedBy(word, magnitude, floor, entropy));
}

/** Exactly, where a word alone cannot tell. */
function roundedBy(word: number, value: number, floor: number, entropy: Entropy): number {
  const fraction = rational(value).minus(BigInt(floor));
  return isBelow(new PartialUniform(entropy, BigInt(word), entropy.wordBits), fraction) ? floor + 1 : floor;
}

/** Whether U < p, revealing as much of U as that takes. */
function isBelow(u: PartialUniform, { numerator, denominator }: Rational): boolean {
  for (;;) {
    const threshold = numerator << BigInt(u.bits);
    if ((u.numerator + 1n) * denominator <= threshold) return true;
    if (u.numerator * denominator >= threshold) return false;
    u.reveal();
  }
}

/** Any rational, rounded. */
export function drawRoundedRational(value: Rational, entropy: Entropy): bigint {
  const floor = value.floor();
  const { numerator, denominator } = value.minus(floor);
  return drawBernoulli(numerator, denominator, entropy) ? floor + 1n : floor;
}

/*
 * A private number as a rational within public bounds. ±∞ is as good as any other number. Anything that isn't a number is refused
 * with an error that the caller makes, and which says nothing about it.
 */

export function clampedRational(
  value: RationalLike,
  [lowest, highest]: readonly [Rational, Rational],
  refusal: () => WinnowError,
): Rational {
  if (value === Infinity) return highest;
  if (value === -Infinity) return lowest;
  const exact = exactly(value, refusal);
  return exact.compare(lowest) < 0 ? lowest : exact.compare(highest) > 0 ? highest : exact;
}

function exactly(value: RationalLike, refusal: () => WinnowError): Rational {
  try {
    return rational(value);
  } catch {
    throw refusal(); // the error just caught quotes the value
  }
}
