/**
 * Log-quadratic laws cut into strips, for `StripSampler`.
 *
 * The law on x = 0, 1, 2, … is f(x) = e^(−(linear·x + quadratic·x²)): geometric and Laplace have quadratic = 0,
 * the Gaussian has linear = 0. Strip j holds the 2^b integers from j·2^b on; its weight is f at its first integer,
 * the largest.
 * @module
 */

import { integerSqrt } from "../exact/integers.js";
import { Rational } from "../exact/rational.js";

/** f(x) = e^(−(linear·x + quadratic·x²)) for x ≥ 0; one coefficient is positive and the other is 0. */
export interface LogQuadratic {
  readonly linear: Rational;
  readonly quadratic: Rational;
}

/** The strips of a law: how wide they are and how many are listed; the others are the tail. */
export interface Strips {
  readonly law: LogQuadratic;
  /** b: a strip holds 2^b integers. */
  readonly offsetBits: number;
  readonly count: number;
  /** Whether the first strip counts half: with one integer a strip, zero has no sign to choose. */
  readonly halfFirst: boolean;
}

/** e^−23 < 2^−33: the strips reach to where one word in 2^33 does. */
const REACH = Rational.of(23n);

/** The narrowest strips of which at most `mostStrips` reach to f = e^−23. */
export function layOut(law: LogQuadratic, signed: boolean, mostStrips: number): Strips {
  const reach =
    law.linear.numerator > 0n
      ? REACH.dividedBy(law.linear).ceil()
      : integerSqrt(REACH.dividedBy(law.quadratic).ceil()) + 1n;
  let offsetBits = 0;
  while (reach >> BigInt(offsetBits) >= mostStrips) offsetBits++;
  const count = Number(reach >> BigInt(offsetBits)) + 1; // the strip that holds `reach` is the last
  return { law, offsetBits, count, halfFirst: signed && offsetBits === 0 };
}

/** −ln of f(first of strip j + 1)/f(first of strip j). It grows by `2·quadratic·4^b` from strip to strip. */
export function stepExponent({ law, offsetBits }: Strips, strip: bigint): Rational {
  const width = 1n << BigInt(offsetBits);
  return law.linear.times(width).plus(law.quadratic.times(width * width * (2n * strip + 1n)));
}
