/**
 * The size of a loss: a rational ≥ 0, or the number `Infinity`, which says that nothing is promised. There is no third
 * kind: whatever is neither is refused, so a size that cannot be read never counts as unbounded.
 * @module
 */

import { invalidParameter } from "../errors.js";
import {
  type Fraction,
  isReadable,
  LONGEST_TEXT,
  Rational,
  type RationalLike,
  rational,
} from "../exact/rational.js";

/** The size of a loss: a rational ≥ 0, or `Infinity` where nothing is promised. `isBounded` tells them apart. */
export type Extended = Rational | number;

/** Reads the size of a loss; `field` names the parameter in the error. */
export function extended(value: RationalLike, field: string): Extended {
  if (value === Infinity) return Infinity;
  const size = ownRational(value, field);
  if (size.numerator < 0n) throw invalidParameter(field, "a rational >= 0, or Infinity", shown(value, size));
  return size;
}

/**
 * Reads a rational that a loss will keep. An object is copied by its two integers, because it may be a structured clone,
 * come from a second copy of Winnow, or have a `compare` of its own.
 */
export function ownRational(value: RationalLike, field: string): Rational {
  const read = typeof value === "object" && value !== null ? copied(value, field) : rational(value, field);
  if (!isReadable(read))
    throw invalidParameter(field, `a rational of at most ${LONGEST_TEXT} characters, as JSON has it`, read);
  return read;
}

function copied({ numerator, denominator }: Fraction, field: string): Rational {
  if (typeof numerator !== "bigint" || typeof denominator !== "bigint" || denominator <= 0n)
    return rational({} as Rational, field); // refused, with the usual sentence
  return Rational.of(numerator, denominator);
}

/** A refused parameter as errors may print it: an object from outside prints itself as it likes, or throws. */
function shown(value: RationalLike, read: Rational): RationalLike {
  return typeof value === "object" ? read : value;
}

/**
 * Whether the size of a loss is a number; false for `Infinity`, and anything else is refused.
 *
 * @example
 * ```ts
 * import { isBounded, pure } from "winnow-dp";
 *
 * isBounded(pure(1).epsilon); // → true
 * isBounded(pure(Infinity).epsilon); // → false
 * ```
 */
export function isBounded(size: Extended): size is Rational {
  if (size instanceof Rational) return true;
  if (size === Infinity) return false;
  throw invalidParameter("size", "a Rational, or Infinity", size);
}

/** times·size for an integer times ≥ 0; doing nothing costs nothing, even where each would be infinite. */
export function multiple(size: Extended, times: bigint): Extended {
  if (times === 0n) return Rational.ZERO;
  return isBounded(size) ? size.times(times) : Infinity;
}

/** `whole` less `part` ≤ whole. */
export function difference(whole: Extended, part: Extended): Extended {
  return isBounded(whole) && isBounded(part) ? whole.minus(part) : Infinity;
}

/** Both sizes are looked at, also where the second is `Infinity`. */
export function isAtMost(a: Extended, b: Extended): boolean {
  if (!isBounded(a)) return !isBounded(b);
  return !isBounded(b) || a.compare(b) <= 0;
}

export function smaller(a: Extended, b: Extended): Extended {
  return isAtMost(a, b) ? a : b;
}
