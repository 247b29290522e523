/**
 * A public list of candidates that is longer than the scores: its size. Candidates that aren't listed have score 0, and the
 * race draws the few of them that matter. Proof: race/implicit-zeros.proof.md.
 * @module
 */

import { integer, readOptions } from "../options.js";

/**
 * Candidates are the integers from 0 below `size`; scores list the first of them, and all others have score 0.
 *
 * @inline
 */
export interface PublicDomain {
  /** How many candidates there are. */
  readonly size: number;
}

/** The reader of a public domain. */
export function publicDomain(field: string, value: PublicDomain): PublicDomain {
  return readOptions(value, { size: integer }, {}, field);
}
