/**
 * The size of a loss: a rational ≥ 0, or `Infinity` where nothing is promised. Exact, like all of its parts.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";

/** The size of a loss: a rational ≥ 0, or `Infinity` where nothing is promised. */
export type Extended = Rational | number;

/** Reads the size of a loss; `field` names the parameter in the error. */
export function extended(value: RationalLike, field: string): Extended {
  if (value === Infinity) return Infinity;
  const size = rational(value, field);
  if (size.numerator < 0n) throw invalidParameter(field, "a rational >= 0, or Infinity", value);
  return size;
}

export function isBounded(size: Extended): size is Rational {
  return size instanceof Rational;
}

export function sum(a: Extended, b: Extended): Extended {
  return isBounded(a) && isBounded(b) ? a.plus(b) : Infinity;
}

/** times·size for an integer times ≥ 0; nothing done is no loss, even where each would be infinite. */
export function multiple(size: Extended, times: bigint): Extended {
  if (times === 0n) return Rational.ZERO;
  return isBounded(size) ? size.times(times) : Infinity;
}

/** What is left of `whole` after `part` ≤ whole. */
export function difference(whole: Extended, part: Extended): Extended {
  return isBounded(whole) && isBounded(part) ? whole.minus(part) : Infinity;
}

export function isAtMost(a: Extended, b: Extended): boolean {
  if (!isBounded(b)) return true;
  return isBounded(a) && a.compare(b) <= 0;
}

export function smaller(a: Extended, b: Extended): Extended {
  return isAtMost(a, b) ? a : b;
}
