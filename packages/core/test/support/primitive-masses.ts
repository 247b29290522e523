/**
 * The probabilities of the primitives that samplers are made of, for trees that walk over the outcomes of primitives instead
 * of over bits. Each is proven by the primitive's own bit tree. A tree asks for the same few over and over, so they are kept.
 * @module
 */
import { Interval } from "../../src/exact/interval.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import type { Choose } from "../../src/testing/choice-tree.js";

export const PRECISION = 160;
/** Larger variates, which have probability e^−40, are not followed. */
const SCALES_FOLLOWED = 40n;

/** e^(−γ). */
export const expOfMinus = kept((gamma) => Interval.from(gamma.negated(), PRECISION).exp());

/**
 * Of ⌊scale·E⌋ = 0, 1, 2, … for an exponential E, which is at least y with probability e^(−y/scale). The last mass is that of
 * all that isn't followed.
 */
export const geometricMasses = kept((scale) => {
  const values = Number(scale.times(SCALES_FOLLOWED).ceil());
  const tails = Array.from({ length: values + 1 }, (_, y) => expOfMinus(rational(y).dividedBy(scale)));
  return [...tails.slice(1).map((tail, y) => tails[y].minus(tail)), tails[values]];
});

/**
 * Of x = −m … m with probability (1 − a)/(1 + a)·a^|x|, a = e^(−1/scale). The last mass is that of all that isn't followed.
 */
export const laplaceMasses = kept((scale) => {
  const largest = Number(scale.times(SCALES_FOLLOWED).ceil());
  const a = expOfMinus(rational(1).dividedBy(scale));
  const atZero = complement(a).dividedBy(a.plus(1));
  const values = Array.from({ length: 2 * largest + 1 }, (_, i) => i - largest);
  const masses = values.map((x) => atZero.times(expOfMinus(rational(Math.abs(x)).dividedBy(scale))));
  const beyond = expOfMinus(rational(largest + 1).dividedBy(scale))
    .dividedBy(a.plus(1))
    .times(2);
  return [...masses, beyond];
});

/** The outcome that is chosen, counted from `first`; undefined if it isn't followed. */
export function chooseFollowed(choose: Choose, masses: readonly Interval[], first = 0): bigint | undefined {
  const chosen = choose(masses);
  return chosen === masses.length - 1 ? undefined : BigInt(chosen + first);
}

/** True with that probability. */
export function flip(choose: Choose, probability: Interval): boolean {
  return choose([complement(probability), probability]) === 1;
}

/** 1 − p. */
export function complement(probability: Interval): Interval {
  return probability.negated().plus(1);
}

function kept<T>(compute: (parameter: Rational) => T): (parameter: Rational) => T {
  const known = new Map<string, T>();
  return (parameter) => {
    const key = String(parameter);
    const value = known.get(key) ?? compute(parameter);
    known.set(key, value);
    return value;
  };
}
