/**
 * What is known of k beforehand, as a public term r(k) that is added to the gap at k: a preference for some k, or −∞ for
 * those that are out of the question. All terms are brought to one denominator, so that gaps and terms are integers.
 * @module
 */
import { invalidParameter } from "../../errors.js";
import { gcd } from "../../exact/integers.js";
import { type RationalLike, rational } from "../../exact/rational.js";
import { arrayLike } from "../../validate.js";

/** r(k) as a function of k, or r(1), r(2), … in an array; −Infinity where k is excluded. */
export type Regulariser = ((k: number) => RationalLike) | ArrayLike<RationalLike>;

export interface GapTerms {
  /** The k that are not excluded, ascending. */
  readonly candidates: readonly number[];
  /** r(k)·perUnit for each of them. */
  readonly terms: readonly bigint[];
  /** The common denominator. */
  readonly perUnit: bigint;
}

/** The reader of one; its terms are read when maxK is known. */
export function aRegulariser(field: string, value: Regulariser): Regulariser {
  return typeof value === "function" ? value : arrayLike(field, value);
}

/** The terms for k = 1 … maxK; without a regulariser all are 0. */
export function readRegulariser(regulariser: Regulariser | undefined, maxK: number): GapTerms {
  const all = Array.from({ length: maxK }, (_, i) => i + 1);
  if (regulariser === undefined) return { candidates: all, terms: all.map(() => 0n), perUnit: 1n };
  const termAt = typeof regulariser === "function" ? regulariser : fromArray(regulariser, maxK);
  const candidates = all.filter((k) => termAt(k) !== -Infinity);
  if (candidates.length === 0)
    throw invalidParameter("regulariser", "above -Infinity for at least one k", -Infinity);
  const terms = candidates.map((k) => rational(termAt(k), "regulariser"));
  const perUnit = terms.reduce((common, { denominator }) => leastCommonMultiple(common, denominator), 1n);
  return { candidates, terms: terms.map((term) => term.times(perUnit).numerator), perUnit };
}

function fromArray(terms: ArrayLike<RationalLike>, maxK: number): (k: number) => RationalLike {
  if (terms.length !== maxK)
    throw invalidParameter("regulariser", `a function, or an array of ${maxK} terms`, terms.length);
  return (k) => terms[k - 1];
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / gcd(a, b)) * b;
}
