/**
 * The probability of each candidate under the exponential mechanism: proportional to e^(score/scale). It is also that of
 * the largest score with Gumbel noise, and k rounds of it without the winners before are the ordered top k with
 * Gumbel noise. Proof: docs/proofs/likelihood-ratio.md.
 * @module
 */
import { Exponentials } from "./exponentials.js";
import type { Round } from "./peeled-law.js";

/**
 * The probability of each candidate under the exponential mechanism: proportional to e^(score/scale). Also that of the
 * largest score with Gumbel noise.
 */
export const exponentialMechanismRound: Round = (scores, scale, precision) => {
  const largest = scores.reduce((a, b) => (a.compare(b) < 0 ? b : a));
  const exponentials = new Exponentials(scale, precision);
  const weights = scores.map((score) => exponentials.of(score.minus(largest)));
  const total = weights.reduce((sum, weight) => sum.plus(weight));
  return weights.map((weight) => weight.dividedBy(total));
};
