/**
 * Certified cumulative weights of a log-quadratic law cut into strips, for `StripSampler`.
 *
 * The law on x = 0, 1, 2, … is f(x) = e^(−(linear·x + quadratic·x²)): geometric and Laplace have quadratic = 0,
 * the Gaussian has linear = 0. Strip j holds the 2^b integers from j·2^b on; its weight is f at its first
 * integer, the largest. This file sums those weights in fixed point at any precision, with an error that is
 * counted along.
 * @module
 */
import { Interval } from "../exact/interval.js";
import type { Rational } from "../exact/rational.js";

/** f(x) = e^(−(linear·x + quadratic·x²)) for x ≥ 0, with non-negative coefficients that are not both 0. */
export interface LogQuadratic {
  readonly linear: Rational;
  readonly quadratic: Rational;
}

/** The strips of a law: how wide they are and how many are listed; the others are the tail. */
export interface Strips {
  readonly law: LogQuadratic;
  readonly offsetBits: number;
  readonly count: number;
  /** Whether the first strip counts half: with one integer a strip, zero has no sign to choose. */
  readonly halfFirst: boolean;
}

/** −ln of f(first of strip j + 1)/f(first of strip j). It grows by `2·quadratic·4^b` from strip to strip. */
export function stepExponent({ law, offsetBits }: Strips, strip: bigint): Rational {
  const width = 1n << BigInt(offsetBits);
  return law.linear.times(width).plus(law.quadratic.times(width * width * (2n * strip + 1n)));
}

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
   * at most a and b units low is at most a + b + 1 units low.
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
}

/**
 * The sum of all weights from one on, whose ratio to the next is given: a geometric series if all ratios are
 * equal, at most that if they fall.
 */
function tail(weight: Interval, ratio: Interval, law: LogQuadratic): Interval {
  const series = weight.dividedBy(Interval.from(1n, weight.precision).minus(ratio));
  return law.quadratic.numerator === 0n ? series : new Interval(0n, series.hi, weight.precision);
}
