/**
 * The exponential mechanism in the forms that [Ilv20, §4.1] compares, as far as they exist here: exact and fast, exact in
 * constant work, at a fixed precision as published, and naive in floating point.
 * @module
 */

import { fixedPrecisionBase2, naiveExponentialMechanism } from "winnow-audit";
import { base2Exponential, eta, precisionRules, systemEntropy } from "winnow-dp";

/** η = 1: each unit of utility halves the probability. */
export const ETA = eta(1, 1, 1);
/** The same for base e. */
const EPSILON = 2 * Math.LN2;

/** Utilities of as many outcomes, with their public bounds. */
export interface Problem {
  readonly utilities: readonly number[];
  readonly utilityMax: number;
}

export function optimised({ utilities, utilityMax }: Problem): unknown {
  return draw(utilities, utilityMax, "optimised");
}

export function constantWork({ utilities, utilityMax }: Problem): unknown {
  return draw(utilities, utilityMax, "constant-work");
}

function draw(
  utilities: readonly number[],
  utilityMax: number,
  mode: "optimised" | "constant-work",
): unknown {
  const range = { utilityMin: 0, utilityMax, maxOutcomes: utilities.length };
  return base2Exponential(utilities, (utility) => utility, { eta: ETA, mode, ...range });
}

export function naive({ utilities }: Problem): unknown {
  return naiveExponentialMechanism(utilities, EPSILON, systemEntropy());
}

/** As published, with as many digits as one of its rules asks for; fractions are rounded by a coin first. */
export function published({ utilities, utilityMax }: Problem, rule: "analytic" | "empirical"): unknown {
  const precision = Number(digitsBy(rule, utilities.length, utilityMax));
  const bits = systemEntropy();
  const rounded = utilities.map((utility) => {
    const floor = Math.floor(utility);
    return utility === floor ? utility : floor + (bits.bits(30) < (utility - floor) * 2 ** 30 ? 1 : 0);
  });
  const outcome = fixedPrecisionBase2(rounded, { eta: ETA, precision });
  if ("error" in outcome) throw new Error(outcome.error);
  return outcome;
}

export function digitsBy(
  rule: "analytic" | "empirical" | "corrected",
  maxOutcomes: number,
  utilityMax: number,
): bigint {
  return precisionRules({ eta: ETA, utilityMin: 0, utilityMax, maxOutcomes })[rule]!.floor();
}
