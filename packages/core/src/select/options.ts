/**
 * The options that selections share, and what they mean for the noise: a budget gives a scale, and the scale that is
 * used gives the loss that is reported.
 * @module
 */

import { pureScale, rangeDistance, zcdpScale } from "../accounting/price.js";
import type { LooseSpend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { boolean, exactlyOneOf, nonNegativeRational, positiveRational } from "../options.js";

/**
 * What selections share beside a budget: how one individual can move scores, and where the bits come from.
 *
 * @inline
 */
export interface SelectionOptions {
  /** How much one individual can change any one score. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** Whether an individual moves all scores the same way, as in counts of people. Default false. */
  readonly monotone?: boolean | undefined;
  /** Whether the smallest scores are wanted. Default false. */
  readonly negate?: boolean | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** The readers of the options that selections share. */
export const SELECTION = {
  epsilon: positiveRational,
  rho: positiveRational,
  scale: nonNegativeRational,
  sensitivity: positiveRational,
  monotone: boolean,
  negate: boolean,
  entropy: anEntropy,
};

/** The measure in which a selection's noise is accounted for, and the scale of that noise. */
interface NoiseChoice {
  readonly measure: "pure" | "zcdp";
  readonly scale: Rational;
  /** The ε or ρ that the scale was made for. */
  readonly budget?: Rational | undefined;
}

/** The noise for `rounds` selections out of one budget, for scores that move by `range` against each other. */
export function chooseNoise(options: LooseSpend, range: Rational, rounds: number): NoiseChoice {
  const { epsilon, rho, scale } = options;
  exactlyOneOf({ epsilon, rho, scale });
  const times = BigInt(rounds);
  if (scale !== undefined)
    return { measure: "pure", scale: usualScaleOrNone(nonNegativeRational("scale", scale)) };
  if (epsilon !== undefined) {
    const budget = positiveRational("epsilon", epsilon);
    return { measure: "pure", scale: usualScale(pureScale(budget, range, times)), budget };
  }
  const budget = positiveRational("rho", rho as RationalLike);
  return { measure: "zcdp", scale: usualScale(zcdpScale(budget, range, "bounded-range", times)), budget };
}

/** How far one individual can move two scores against each other. */
export function rangeOf({ sensitivity = 1n, monotone = false }: SelectionOptions): Rational {
  return rangeDistance(positiveRational("sensitivity", sensitivity), monotone);
}

/** A scale > 0 of noise that the race can handle: beyond, keys could leave the range of doubles, whatever the scores. */
export function usualScale(scale: Rational): Rational {
  const size = scale.toNumber();
  if (size >= 1e-270 && size <= 1e270) return scale;
  throw invalidParameter("scale", "a rational from 1e-270 to 1e270", scale);
}

/** A usual scale, or 0, which means no noise. */
export function usualScaleOrNone(scale: Rational): Rational {
  return scale.numerator === 0n ? scale : usualScale(scale);
}

/** How many steps of a resolution may fit into the scale of the noise. Each gap takes as many random digits as that has. */
const MOST_STEPS = /* @__PURE__ */ rational("1e300");

/** A resolution of gaps that noise of such a scale can be revealed to. */
export function usualResolution(resolution: Rational, scale: Rational): Rational {
  if (scale.compare(resolution.times(MOST_STEPS)) <= 0) return resolution;
  throw invalidParameter("resolution", "a rational >= 1e-300 times the scale of the noise", resolution);
}
