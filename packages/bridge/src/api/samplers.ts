/**
 * The samplers of `winnow-dp/sample` that return a value, and the source of reproducible bits, described for bindings in other
 * languages.
 * @module
 */
import type * as sample from "winnow-dp/sample";
import type * as testing from "winnow-dp/testing";
import {
  argument,
  BOOLEAN,
  type Described,
  ENTROPY,
  INTEGER,
  list,
  NAME,
  optional,
  RATIONAL,
} from "./describe.js";

type Sampler =
  | "uniformBelow"
  | "bernoulli"
  | "bernoulliExp"
  | "geometric"
  | "truncatedGeometric"
  | "discreteLaplace"
  | "discreteGaussian"
  | "normalizedSample";

const ENTROPY_LAST = optional("entropy", ENTROPY);

export const SAMPLERS: { readonly [Name in Sampler]: Described<(typeof sample)[Name]> } = {
  uniformBelow: { takes: [argument("n", INTEGER), ENTROPY_LAST], gives: INTEGER },
  bernoulli: { takes: [argument("probability", RATIONAL), ENTROPY_LAST], gives: BOOLEAN },
  bernoulliExp: { takes: [argument("gamma", RATIONAL), ENTROPY_LAST], gives: BOOLEAN },
  geometric: { takes: [argument("rate", RATIONAL), ENTROPY_LAST], gives: INTEGER },
  truncatedGeometric: {
    takes: [argument("rate", RATIONAL), argument("modulus", INTEGER), ENTROPY_LAST],
    gives: INTEGER,
  },
  discreteLaplace: { takes: [argument("scale", RATIONAL), ENTROPY_LAST], gives: INTEGER },
  discreteGaussian: { takes: [argument("sigma_squared", RATIONAL), ENTROPY_LAST], gives: INTEGER },
  normalizedSample: { takes: [argument("weights", list(RATIONAL)), ENTROPY_LAST], gives: INTEGER },
};

/** Bits that repeat: never private. */
export const TESTING: {
  readonly [Name in "seededEntropy"]: Described<(typeof testing)[Name]>;
} = {
  seededEntropy: { takes: [argument("seed", NAME)], gives: ENTROPY },
};
