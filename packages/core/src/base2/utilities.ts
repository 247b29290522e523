/**
 * The utilities of all outcomes, read through the callback and clamped to the public range. Clamping comes before
 * rounding, so that ±∞ is as good as any other number; one that isn't a number is refused, without a word on which. No
 * random bit is drawn here: whatever is wrong with a utility is known before the first.
 *
 * Numbers are kept as doubles, read as the decimals that they print as; a utility of another kind, or a range beyond the
 * safe integers, makes all of them rationals. Cost: about 2 ns for each outcome beside the callback.
 * @module
 */

import { WinnowError } from "../errors.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { clampedRational } from "./clamped-rational.js";
import type { UtilityRange } from "./utility-bounds.js";

/**
 * The utility of an outcome; lower is better.
 *
 * @typeParam Outcome What is chosen from.
 *
 * @inline
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
