/**
 * The exponential mechanism in the configurations of [Ilv20, Table 1]. The paper has four in each of two languages; here
 * they are in one: naive in floating point, as published with the precision of the formula (its "Ther"), as published with
 * the precision of the search ("Emp"), and as published with sampling that stops early ("Opt"). Beside them stand Winnow's
 * own two modes, and the paper's sampler bit by bit (Algorithm 4), which it describes and doesn't time.
 * @module
 */
import { ArithmeticConfig, fixedPrecisionMechanism, naiveExponentialMechanism } from "winnow-audit";
import { base2Exponential, eta, precisionRules, systemEntropy } from "winnow-dp";
import { sampleBitByBit } from "../study/bitwise-sampling.js";

/** η = 1: each unit of utility halves the probability. */
export const ETA = eta(1, 1, 1);
/** ε that halves the probability in base e: 2 ln 2. */
const EPSILON = 2 * Math.LN2;

/** Utilities of as many outcomes, with their public bounds. */
export interface Problem {
  readonly utilities: readonly number[];
  readonly upper: number;
}

export function optimised({ utilities, upper }: Problem): unknown {
  return draw(utilities, upper, "optimised");
}

export function constantWork({ utilities, upper }: Problem): unknown {
  return draw(utilities, upper, "constant-work");
}

function draw(utilities: readonly number[], upper: number, mode: "optimised" | "constant-work"): unknown {
  const range = { lower: 0, upper, maxCandidates: utilities.length };
  return base2Exponential(utilities, (utility) => utility, { eta: ETA, mode, ...range });
}

export function naive({ utilities }: Problem): unknown {
  return naiveExponentialMechanism(utilities, EPSILON, systemEntropy());
}

/** How the published algorithm is configured. */
export interface Configuration {
  /** Whether its precision is searched for, instead of computed by the formula. */
  readonly empiricalPrecision?: boolean;
  /** Whether its scan of the weights stops at the answer. */
  readonly optimise?: boolean;
}

/** As published, from the parameters to the answer: the precision is found, by formula or by search, in every run. */
export function published({ utilities, upper }: Problem, configuration: Configuration = {}): unknown {
  const outcome = fixedPrecisionMechanism({
    ...boundsOf(utilities.length, upper),
    ...configuration,
  }).draw(utilities);
  if ("error" in outcome) throw new Error(outcome.error);
  return outcome;
}

/** The search for the precision alone [Ilv20, Algorithm 1]. */
export function search({ utilities, upper }: Problem): number {
  const setting = {
    ...boundsOf(utilities.length, upper),
    empiricalPrecision: true,
    startingPrecision: 1,
  };
  return ArithmeticConfig.forExponential(setting).precision;
}

function boundsOf(maxCandidates: number, upper: number) {
  return { eta: ETA, lower: 0, upper, maxCandidates };
}

/** Bit by bit [Ilv20, Algorithm 4], for integer utilities: weights are powers of two. */
export function bitByBit({ utilities, upper }: Problem): unknown {
  return sampleBitByBit(utilities.map((utility) => 1n << BigInt(upper - utility)));
}

export function digitsBy(
  rule: "analytic" | "empirical" | "corrected",
  maxCandidates: number,
  upper: number,
): bigint {
  return precisionRules(boundsOf(maxCandidates, upper))[rule]!.floor();
}
