/**
 * The law of "who has the largest noisy score" for the four kinds of noise of `reportNoisyMax`. With exponential noise it is
 * permute-and-flip and with Gumbel noise the exponential mechanism, for any number of candidates; for two of them the
 * difference of two Laplace variates exceeds z ≥ 0 scales with probability e^−z·(2 + z)/4, and that of two normal ones is
 * normal with twice the variance.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { normalCdfEnclosure } from "../exact/normal-cdf.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { exactScores } from "./exact-scores.js";
import { exponentialMechanismRound } from "./exponential-mechanism-round.js";
import type { Law } from "./law.js";
import type { Round } from "./peeled-law.js";
import { permuteAndFlipRound } from "./permute-and-flip-round.js";

const PRECISION = 192;

/** Of two candidates, the first wins with the probability that the noise makes up for a lead. */
function ofTwo(winsWith: (lead: Rational, size: Rational, precision: number) => Interval): Round {
  return (scores, size, precision) => {
    if (scores.length !== 2) throw invalidParameter("scores", "a list of 2 for this noise", scores.length);
    const lead = scores[0].minus(scores[1]);
    return [lead, lead.negated()].map((by) => winsWith(by, size, precision));
  };
}

const laplaceRound = ofTwo((lead, scale, precision) => {
  const z = lead.dividedBy(scale);
  if (z.numerator > 0n) return loses(z, precision).negated().plus(1n);
  return loses(z.negated(), precision);
});

/** e^−z·(2 + z)/4. */
function loses(z: Rational, precision: number): Interval {
  return Interval.from(z.negated(), precision).exp().times(z.plus(2n).dividedBy(4n));
}

const gaussianRound = ofTwo((lead, variance, precision) => {
  const deviation = Interval.from(variance.times(2n), precision).sqrt();
  return normalCdfEnclosure(Interval.from(lead, precision).dividedBy(deviation));
});

const ROUNDS = {
  exponential: permuteAndFlipRound,
  gumbel: exponentialMechanismRound,
  laplace: laplaceRound,
  gaussian: gaussianRound,
};

/**
 * P(this candidate wins), by index, for noise of a scale, or of a variance if it is Gaussian.
 *
 * @param scores The scores of all candidates; two for Laplace and Gaussian noise.
 * @param noise The law of the noise.
 * @param size Its scale, or its variance.
 */
export function noisyMaxLaw(
  scores: readonly RationalLike[],
  noise: keyof typeof ROUNDS,
  size: RationalLike,
): Law {
  const chances = ROUNDS[noise](exactScores(scores), rational(size, "size"), PRECISION);
  return new Map(chances.map((chance, index) => [String(index), chance]));
}
