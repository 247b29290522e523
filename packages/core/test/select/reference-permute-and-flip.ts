/**
 * Permute-and-flip as it is published [MS20, Alg 1], on the reference samplers: the oracle of `permuteAndFlip`.
 * @module
 */

import type { Reference } from "../../../audit/src/reference-samplers.js";
import { type Rational, rational } from "../../src/exact/rational.js";

/** Candidates in an order that is drawn as far as it is needed; the first whose coin shows heads wins. */
export function referencePermuteAndFlip(
  reference: Reference,
  scores: readonly number[],
  scale: Rational,
): number {
  const best = rational(Math.max(...scores));
  const left = scores.map((_, index) => index);
  for (;;) {
    const drawn = Number(reference.uniformBelow(BigInt(left.length)));
    const [index] = left.splice(drawn, 1);
    const { numerator, denominator } = best.minus(scores[index]).dividedBy(scale);
    if (reference.bernoulliExp(numerator, denominator)) return index; // always for the best one
  }
}
