/**
 * The step between base 2 and the natural base: ε = η·ln 2, rounded up in either direction.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { ln2 } from "../exact/ln.js";
import type { Rational } from "../exact/rational.js";
import { type Extended, isBounded } from "./extended.js";
import { roundedDown, roundedUp } from "./rounding.js";

/** ε = η·ln 2. */
export function naturalOf(eta: Extended): Extended {
  return isBounded(eta) ? roundedUp((precision) => ln2(precision).times(eta)) : Infinity;
}

/** η = ε/ln 2. */
export function base2Of(epsilon: Extended): Extended {
  return isBounded(epsilon) ? roundedUp((precision) => quotient(epsilon, precision)) : Infinity;
}

/** The largest η with η·ln 2 ≤ ε. */
export function base2AtMost(epsilon: Rational): Rational {
  return roundedDown((precision) => quotient(epsilon, precision));
}

function quotient(epsilon: Rational, precision: number): Interval {
  return Interval.from(epsilon, precision).dividedBy(ln2(precision));
}
