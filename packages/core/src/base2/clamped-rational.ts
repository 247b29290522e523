/**
 * A private number as a rational within public bounds. ±∞ is as good as any other number. Anything that isn't a number is refused
 * with an error that the caller makes, and which says nothing about it.
 * @module
 */
import type { WinnowError } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";

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
