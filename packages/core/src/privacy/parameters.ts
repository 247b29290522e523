/**
 * Reads the public parameters of the accounting, each refused with a sentence that says what is expected.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { ownRational, shown } from "./extended.js";

/** A probability of failure, 0 and 1 included. */
export function probability(value: RationalLike, field: string): Rational {
  const chance = ownRational(value, field);
  if (chance.numerator < 0n || chance.compare(1n) > 0)
    throw invalidParameter(field, "a rational from 0 to 1", shown(value, chance));
  return chance;
}

/** A probability of failure to convert with: neither 0 nor 1. */
export function properProbability(value: RationalLike, field: string): Rational {
  const chance = rational(value, field);
  if (chance.numerator <= 0n || chance.compare(1n) >= 0)
    throw invalidParameter(field, "a rational > 0 and < 1", value);
  return chance;
}

export function integerAtLeast(least: bigint, value: number | bigint, field: string): bigint {
  const whole = typeof value === "bigint" || Number.isSafeInteger(value);
  if (!whole || value < least) throw invalidParameter(field, `an integer >= ${least}`, value);
  return BigInt(value);
}
