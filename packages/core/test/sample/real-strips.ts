/**
 * The strips of a log-quadratic law once more, in decimal floating point with 250 digits: an oracle for the
 * certified sums of `StripWeights` and the decisions of `StripSampler`.
 * @module
 */
import { type Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import { type LogQuadratic, layOut, type Strips } from "../../src/sample/strips.js";
import { Real, real } from "./binary-digits.js";

const ONE = rational(1);
const ZERO = rational(0);

export const geometricLaw = (rate: RationalLike): LogQuadratic => ({
  linear: rational(rate),
  quadratic: ZERO,
});
export const laplaceLaw = (scale: RationalLike): LogQuadratic => geometricLaw(ONE.dividedBy(scale));
export const gaussianLaw = (sigmaSquared: RationalLike): LogQuadratic => ({
  linear: ZERO,
  quadratic: ONE.dividedBy(rational(sigmaSquared).times(2n)),
});

/** The `mostStrips` with which a law gets strips of 2^offsetBits integers. */
export function mostStripsFor(law: LogQuadratic, offsetBits: number): number {
  const { count } = layOut(law, true, Number.MAX_SAFE_INTEGER);
  return ((count - 1) >> offsetBits) + 1;
}

/** f(x). */
export function realWeight(law: LogQuadratic, x: number): Real {
  const { linear, quadratic } = realCoefficients(law);
  return Real.exp(linear.plus(quadratic.times(x)).times(-x));
}

function realCoefficients({ linear, quadratic }: LogQuadratic): { linear: Real; quadratic: Real } {
  const toReal = ({ numerator, denominator }: Rational) => real(`${numerator}/${denominator}`);
  return { linear: toReal(linear), quadratic: toReal(quadratic) };
}

const NEGLIGIBLE = new Real("1e-245");

/** Sums of the weights of strips 0 … j for every listed j, and of all strips. */
export function realSums({ law, offsetBits, count, halfFirst }: Strips): { sums: Real[]; total: Real } {
  const width = new Real(2).pow(offsetBits);
  const { linear, quadratic } = realCoefficients(law);
  const bend = quadratic.times(width).times(width);
  const decline = Real.exp(bend.times(-2));
  let ratio = Real.exp(linear.times(width).plus(bend).neg());
  let weight = new Real(1);
  let sum = new Real(halfFirst ? -0.5 : 0);
  const sums: Real[] = [];
  const isDone = () => quadratic.isZero() || weight.lt(NEGLIGIBLE);
  for (let strip = 0; strip < count || !isDone(); strip++) {
    sum = sum.plus(weight);
    if (strip < count) sums.push(sum);
    weight = weight.times(ratio);
    ratio = ratio.times(decline);
  }
  return { sums, total: sum.plus(weight.div(new Real(1).minus(ratio))) }; // the rest is a geometric series, or nothing
}

/** The cumulative probabilities C_j of the listed strips. */
export function cumulativeProbabilities(strips: Strips): Real[] {
  const { sums, total } = realSums(strips);
  return sums.map((sum) => sum.div(total));
}
