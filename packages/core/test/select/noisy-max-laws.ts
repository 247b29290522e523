/**
 * Closed forms of "who has the largest noisy score", as enclosures: oracles for the laws of report noisy max and for its
 * exact likelihood ratios.
 * @module
 */
import { Interval } from "../../src/exact/interval.js";
import { normalCdfEnclosure } from "../../src/exact/normal-cdf.js";
import { type Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import type { Law } from "../support/law.js";

const PRECISION = 192;

/** The probability that each candidate wins, for noise of a given size. */
export type NoisyMaxLaw = (scores: readonly RationalLike[], size: RationalLike) => Interval[];

/** e^x. */
function exp(x: Rational): Interval {
  return Interval.from(x, PRECISION).exp();
}

/** By how many scales each score is below the largest. */
function deficits(scores: readonly RationalLike[], scale: RationalLike): Rational[] {
  const exact = scores.map((score) => rational(score));
  const best = exact.reduce((a, b) => (a.compare(b) > 0 ? a : b));
  return exact.map((score) => best.minus(score).dividedBy(scale));
}

/**
 * Permute-and-flip: number i wins if its coin shows heads and it comes first among the heads. With a_j = e^−deficit,
 * P(i) = a_i·E[1/(1 + other heads)] = a_i·∫₀¹ ∏_{j≠i} (1 − a_j + a_j·t) dt.
 */
export const exponentialLaw: NoisyMaxLaw = (scores, scale) => {
  const heads = deficits(scores, scale).map((deficit) => exp(deficit.negated()));
  return heads.map((own, i) => {
    let polynomial = [Interval.from(1, PRECISION)]; // its coefficients, the constant first
    for (const other of heads.toSpliced(i, 1)) polynomial = timesCoin(polynomial, other);
    const integrals = polynomial.map((coefficient, power) => coefficient.dividedBy(power + 1));
    return integrals.reduce((sum, integral) => sum.plus(integral)).times(own);
  });
};

/** A polynomial times 1 − a + a·t. */
function timesCoin(polynomial: readonly Interval[], a: Interval): Interval[] {
  const tails = a.negated().plus(1);
  const zero = Interval.from(0, PRECISION);
  return [...polynomial, zero].map((coefficient, power) =>
    coefficient.times(tails).plus((polynomial[power - 1] ?? zero).times(a)),
  );
}

/** The exponential mechanism. */
export const gumbelLaw: NoisyMaxLaw = (scores, scale) => {
  const weights = deficits(scores, scale).map((deficit) => exp(deficit.negated()));
  const total = weights.reduce((sum, weight) => sum.plus(weight));
  return weights.map((weight) => weight.dividedBy(total));
};

/** Two candidates: the difference of two Laplace variates exceeds z ≥ 0 scales with probability e^−z·(2 + z)/4. */
export const laplaceLaw: NoisyMaxLaw = (scores, scale) => {
  const behind = deficits(ofTwo(scores), scale);
  const z = behind[0].plus(behind[1]); // one of them is 0
  const loser = exp(z.negated()).times(z.plus(2).dividedBy(4));
  return behind.map((deficit) => (deficit.numerator > 0n || z.numerator === 0n ? loser : complement(loser)));
};

/** Two candidates: the difference of two normal variates has twice the variance. Far behind it takes more precision. */
export function gaussianLaw(
  scores: readonly RationalLike[],
  variance: RationalLike,
  precision = PRECISION,
): Interval[] {
  const [first, second] = ofTwo(scores);
  const sigma = Interval.from(rational(variance).times(2), precision).sqrt();
  const lead = Interval.from(rational(first).minus(second), precision).dividedBy(sigma);
  return [normalCdfEnclosure(lead), normalCdfEnclosure(lead.negated())];
}

function ofTwo(scores: readonly RationalLike[]): readonly RationalLike[] {
  if (scores.length !== 2) throw new Error("this closed form is for two candidates");
  return scores;
}

function complement(probability: Interval): Interval {
  return probability.negated().plus(1);
}

/** Enclosures as a law over the names "0", "1", … */
export function lawOf(probabilities: readonly Interval[]): Law {
  return Object.fromEntries(probabilities.map((p, index) => [String(index), String(p.lower())]));
}
