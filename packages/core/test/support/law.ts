/**
 * Probability laws as tests write them: outcome → probability. A law may leave outcomes out; they share what is
 * left of 1.
 * @module
 */
import type { Decimal } from "./vectors.js";

/** Probabilities by outcome, as text where every digit counts. */
export type Law = Readonly<Record<string, Decimal | number>>;

/** The law of a variate on 0, 1, … from its probabilities in order. */
export function lawFromZero(pmf: readonly (Decimal | number)[]): Law {
  return Object.fromEntries(pmf.map((p, value) => [String(value), p]));
}

/** The law of a symmetric variate on the integers from its probabilities at 0, 1, … */
export function symmetricLaw(pmfAbs: readonly (Decimal | number)[]): Law {
  return { ...lawFromZero(pmfAbs), ...Object.fromEntries(pmfAbs.slice(1).map((p, i) => [`${-(i + 1)}`, p])) };
}
