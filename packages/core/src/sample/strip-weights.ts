/**
 * Certified cumulative weights of strips, for `StripSampler`: fixed point at any precision, with an error that is
 * counted along, and the strip in which a partly revealed uniform lies.
 *
 * Cost: two BigInt products a strip. Proof: strip-sampler.proof.md.
 * @module
 */

import { Interval } from "../exact/interval.js";
import type { PartialUniform } from "./partial-uniform.js";
import { type LogQuadratic, type Strips, stepExponent } from "./strips.js";

/** At precision p, up to 2^19, cumulative probabilities are known to within 2^(LOST_DIGITS − p). */
export const LOST_DIGITS = 60;

export class StripWeights {
  /** All weights are in units of 2^−precision. */
  readonly precision: number;
  /** Lower ends of the sum of the weights of strips 0 … j; the true sum is at most `error` units above. */
  readonly cumulative: readonly bigint[];
  readonly error: bigint;
  /** Lower ends of f(first of strip j + 1)/f(first of strip j), the smallest acceptance in strip j. */
  readonly ratios: readonly bigint[];
  /** All strips together, the tail included. */
  readonly total: Interval;

  /**
   * Each ratio is the one before times e^(−2·quadratic·4^b), each weight the one before times a ratio, all in
   * [0, 1] and floored, so every number here is a lower bound. A floored product of two lower bounds that are
   * at most a and b units low is at most a + b + 1 units low. An enclosure of e^x, x ≤ 0, has at most 5 units,
   * so ratio j is at most 5 + 6j low, weight j at most 3j² + 3j, and a sum of n weights less than n³.
   *
   * n ≤ 1,024, and for the Gaussian, whose tail has no closed form, n < 1,024·√(precision/33) + 2: there weights
   * are below the error. Past the strips a ratio is below 1 − 1/46, so the tail leaves less than 2^6·n³ units
   * open. The total is at least 2^(precision − 1) units.
   */
  constructor(strips: Strips, precision: number) {
    const { law, offsetBits, count, halfFirst } = strips;
    const shift = BigInt(precision);
    const one = 1n << shift;
    const first = Interval.from(stepExponent(strips, 0n).negated(), precision).exp();
    const bend = law.quadratic.times(-2n << BigInt(2 * offsetBits));
    const decline = Interval.from(bend, precision).exp();

    let ratio = first.lo;
    let ratioError = first.hi - first.lo;
    let weight = one;
    let weightError = 0n;
    let sum = halfFirst ? -(one >> 1n) : 0n;
    let sumError = 0n;
    const cumulative: bigint[] = [];
    const ratios: bigint[] = [];
    const isTailNegligible = () => law.quadratic.numerator === 0n || weight <= sumError;
    for (let strip = 0; strip < count || !isTailNegligible(); strip++) {
      sum += weight;
      sumError += weightError;
      if (strip < count) {
        cumulative.push(sum);
        ratios.push(ratio);
      }
      weight = (weight * ratio) >> shift;
      weightError += ratioError + 1n;
      ratio = (ratio * decline.lo) >> shift;
      ratioError += decline.hi - decline.lo + 1n;
    }
    this.precision = precision;
    this.cumulative = cumulative;
    this.error = sumError;
    this.ratios = ratios;
    const rest = new Interval(weight, weight + weightError, precision);
    const lastRatio = new Interval(ratio, ratio + ratioError, precision);
    this.total = new Interval(sum, sum + sumError, precision).plus(tail(rest, lastRatio, law));
  }

  /**
   * The strip j with C_(j−1) ≤ U < C_j for the cumulative probabilities C_j, or the number of strips if U is in
   * the tail; undefined if that is not certain.
   */
  stripOf(u: PartialUniform): number | undefined {
    const { cumulative, error, total } = this;
    const shift = BigInt(u.bits);
    const cellEnd = (u.numerator + 1n) * total.hi;
    let [strip, end] = [0, cumulative.length];
    while (strip < end) {
      const middle = (strip + end) >> 1;
      if (cellEnd <= cumulative[middle] << shift) end = middle;
      else strip = middle + 1;
    }
    const isFrom = strip === 0 || u.numerator * total.lo >= (cumulative[strip - 1] + error) << shift;
    return isFrom ? strip : undefined;
  }
}

/**
 * The sum of all weights from one on, whose ratio to the next is given: a geometric series if all ratios are
 * equal, at most that if they fall.
 */
function tail(weight: Interval, ratio: Interval, law: LogQuadratic): Interval {
  const series = weight.dividedBy(Interval.from(1n, weight.precision).minus(ratio));
  return law.quadratic.numerator === 0n ? series : new Interval(0n, series.hi, weight.precision);
}
