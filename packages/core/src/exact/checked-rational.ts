/**
 * Rational parameters that must be positive, or not negative. Every layer reads its parameters with these, before a bit is
 * drawn or a loss charged.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "./rational.js";

/** A rational > 0 called `field`. */
export function positiveRational(field: string, value: RationalLike): Rational {
  const checked = rational(value, field);
  if (checked.numerator <= 0n) throw invalidParameter(field, "a rational > 0", value);
  return checked;
}

/** A rational ≥ 0 called `field`. */
export function nonNegativeRational(field: string, value: RationalLike): Rational {
  const checked = rational(value, field);
  if (checked.numerator < 0n) throw invalidParameter(field, "a rational >= 0", value);
  return checked;
}
