/**
 * The laws of one selection, "who has the largest noisy score", and of k rounds of it, each among the candidates that
 * haven't won yet: the product of the rounds' probabilities. With rounds of the exponential mechanism this is the law
 * of `topK` with rho, with rounds of permute-and-flip that of `topK` with the method "peel".
 *
 * - Exponential noise is permute-and-flip [MS20]. Let every candidate flip its coin, of bias e^(−(largest −
 *   score)/scale), at a uniform time; the first heads wins. A candidate of bias p wins if it shows heads at a time u
 *   at which no one else has: p·∫ ∏ (1 − p_j·u) du over [0, 1]. Cost: n³ products.
 * - Gumbel noise is the exponential mechanism: probabilities are proportional to e^(score/scale). k rounds without
 *   earlier winners are the ordered top k with Gumbel noise.
 * - Laplace and Gaussian noise: two candidates only. The difference of two Laplace variates exceeds z ≥ 0 scales with
 *   probability e^−z·(2 + z)/4, and that of two normal variates is normal with twice the variance.
 *
 * Proof: likelihood-ratio.proof.md.
 * @module
 */
import { Interval, invalidParameter, type Rational, type RationalLike, rational } from "winnow-dp";
import { normalCdfEnclosure } from "winnow-dp/testing";
import { Exponentials } from "./integrands.js";
import { exactScores, type Law, type LawOptions, lawSetting } from "./law.js";

/**
 * One selection: the probability of each candidate to win it.
 *
 * @inline
 */
export type Round = (scores: readonly Rational[], scale: Rational, precision: number) => Interval[];

/**
 * P(these k win in this order), by outcomes such as `"2,0"`, for k rounds of a selection without the winners before.
 *
 * @param round One selection.
 * @param scores The scores of all candidates.
 * @param options How many rounds, and the scale of the noise.
 *
 * @example
 * ```ts
 * import { peeledLaw, permuteAndFlipRound } from "winnow-audit";
 *
 * const law = peeledLaw(permuteAndFlipRound, [1, 0], { k: 1, scale: 1 });
 * law.get("0")?.isAbove("0.816"); // → true
 * ```
 */
export function peeledLaw(round: Round, scores: readonly RationalLike[], options: LawOptions): Law {
  const { scores: exact, k, scale, precision } = lawSetting(scores, options);
  const law = new Map<string, Interval>();
  const peel = (winners: readonly number[], probability: Interval) => {
    if (winners.length === k) return law.set(String(winners), probability);
    const left = [...exact.keys()].filter((candidate) => !winners.includes(candidate));
    const chances = round(
      left.map((candidate) => exact[candidate]),
      scale,
      precision,
    );
    for (const [place, candidate] of left.entries())
      peel([...winners, candidate], probability.times(chances[place]));
    return law;
  };
  return peel([], Interval.from(1, precision));
}

/**
 * The probabilities by candidate; also those of the largest score with exponential noise.
 *
 * @example
 * ```ts
 * import { permuteAndFlipRound } from "winnow-audit";
 * import { rational } from "winnow-dp";
 *
 * const [first] = permuteAndFlipRound([rational(1), rational(0)], rational(1), 64);
 * first.isAbove("0.816"); // → true
 * ```
 */
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

/**
 * The probability of each candidate under the exponential mechanism: proportional to e^(score/scale). Also that of the
 * largest score with Gumbel noise.
 *
 * @example
 * ```ts
 * import { exponentialMechanismRound } from "winnow-audit";
 * import { rational } from "winnow-dp";
 *
 * const [first] = exponentialMechanismRound([rational(1), rational(0)], rational(1), 64);
 * first.isAbove("0.731") && first.isBelow("0.732"); // → true
 * ```
 */
export const exponentialMechanismRound: Round = (scores, scale, precision) => {
  const largest = scores.reduce((a, b) => (a.compare(b) < 0 ? b : a));
  const exponentials = new Exponentials(scale, precision);
  const weights = scores.map((score) => exponentials.of(score.minus(largest)));
  const total = weights.reduce((sum, weight) => sum.plus(weight));
  return weights.map((weight) => weight.dividedBy(total));
};

const NOISY_MAX_PRECISION = 192;

/** Between two candidates, the first wins with the probability that the noise makes up for a lead. */
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
 *
 * @example
 * ```ts
 * import { noisyMaxLaw } from "winnow-audit";
 *
 * noisyMaxLaw([1, 0], "gumbel", 1).get("0")?.isBelow("0.732"); // → true
 * ```
 */
export function noisyMaxLaw(
  scores: readonly RationalLike[],
  noise: keyof typeof ROUNDS,
  size: RationalLike,
): Law {
  const chances = ROUNDS[noise](exactScores(scores), rational(size, "size"), NOISY_MAX_PRECISION);
  return new Map(chances.map((chance, index) => [String(index), chance]));
}
