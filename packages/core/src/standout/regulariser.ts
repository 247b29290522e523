/**
 * Prior knowledge about k, as a public term r(k) that is added to the gap at k: a preference for some k, or −∞ for
 * those that are out of the question. Terms are exact rationals of any size, and so are the sums.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { arrayLike } from "../options.js";

/**
 * r(k) as a function of k, or r(1), r(2), … in an array; −Infinity where k is excluded.
 *
 * @inline
 */
export type Regulariser = ((k: number) => RationalLike) | ArrayLike<RationalLike>;

export interface GapTerms {
  /** The k that are not excluded, ascending. */
  readonly candidates: readonly number[];
  /** r(k) for each of them. */
  readonly terms: readonly Rational[];
}

/** The reader of one; its terms are read when maxK is known. */
export function aRegulariser(field: string, value: Regulariser): Regulariser {
  return typeof value === "function" ? value : arrayLike(field, value);
}

/** The terms for k = 1 … maxK; without a regulariser all are 0. */
export function readRegulariser(regulariser: Regulariser | undefined, maxK: number): GapTerms {
  const termAt = termsOf(regulariser, maxK);
  const candidates: number[] = [];
  const terms: Rational[] = [];
  for (let k = 1; k <= maxK; k++) {
    const term = termAt(k);
    if (term === -Infinity) continue;
    candidates.push(k);
    terms.push(rational(term, "regulariser"));
  }
  if (candidates.length === 0)
    throw invalidParameter("regulariser", "above -Infinity for at least one k", -Infinity);
  return { candidates, terms };
}

function termsOf(terms: Regulariser | undefined, maxK: number): (k: number) => RationalLike {
  if (terms === undefined) return () => Rational.ZERO;
  if (typeof terms === "function") return terms;
  if (terms.length !== maxK)
    throw invalidParameter("regulariser", `a function, or an array of ${maxK} terms`, terms.length);
  return (k) => terms[k - 1];
}
