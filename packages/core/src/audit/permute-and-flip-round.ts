/**
 * The probability of each candidate to win a round of permute-and-flip [MS20], in closed form. Let every candidate flip
 * its coin, of bias e^(−(largest − score)/scale), at a uniform time; the first heads wins. A candidate of bias p wins if
 * it shows heads at a time u at which nobody else has: p·∫ ∏ (1 − p_j·u) du over [0, 1].
 *
 * Cost: n³ products. Proof: docs/proofs/likelihood-ratio.md.
 * @module
 */
import { Interval } from "../exact/interval.js";
import type { Rational } from "../exact/rational.js";
import { Exponentials } from "./exponentials.js";
import type { Round } from "./peeled-law.js";

/** The probabilities by candidate; also those of the largest score with exponential noise. */
export const permuteAndFlipRound: Round = (scores, scale, precision) => {
  const largest = scores.reduce((a, b) => (a.compare(b) < 0 ? b : a));
  const exponentials = new Exponentials(scale, precision);
  const below = (score: Rational) => exponentials.below(score.minus(largest));
  return scores.map((winner, index) => {
    const others = scores.filter((_, other) => other !== index);
    const heads = exponentials.constant(winner.minus(largest));
    const first = others.reduce((product, score) => product.times(below(score)), heads);
    return first.integrated().at(Interval.from(1, precision));
  });
};
