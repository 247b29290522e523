/**
 * The laws of the ordered top k under one shot of exponential noise, without and with gaps, in closed form. Without
 * gaps it is the law of `topK` with epsilon or scale, and with k = 1 that of permute-and-flip.
 *
 * In y = e^(−v/scale) for a level v, the probability that the winners so far are above v and in order is a polynomial
 * between any two scores: a winner of score c adds the factor e^(c/scale)dy for y up to e^(−c/scale), and nothing
 * beyond. The last winner must also be above everyone else, each of whom is below v with probability 1 −
 * e^(score/scale)·y.
 *
 * With gaps, the event that every gap is at least m_i resolutions is an order of shifted scores:
 *
 *     P(winners J, gap i ≥ m_i·γ for all i) = P(order J for scores q_(j_i) − γ·(m_i + … + m_k), the others unchanged),
 *
 * and differences of these in each m_i give the probability of every combination of gaps.
 *
 * Cost: about k·n² products for each of the n!/(n − k)! outcomes, and with gaps (largestGap + 1)^k times that. Proof:
 * likelihood-ratio.proof.md.
 * @module
 */
import { Interval, Rational, type RationalLike, rational, readers, readOptions } from "winnow-dp";

import { Exponentials, Polynomial } from "./integrands.js";
import { type Law, type LawOptions, lawSetting } from "./law.js";

/**
 * P(these k win in this order), by outcomes such as `"2,0"`, for `topK` with `epsilon` or `scale`.
 *
 * @param scores The scores of all candidates.
 * @param options How many winners, and the scale of the noise.
 *
 * @example
 * ```ts
 * import { exponentialTopKLaw } from "winnow-audit";
 *
 * const law = exponentialTopKLaw([1, 0], { k: 1, scale: 1 });
 * law.get("0")?.isAbove("0.816") && law.get("0")?.isBelow("0.817"); // → true
 * ```
 */
export function exponentialTopKLaw(scores: readonly RationalLike[], options: LawOptions): Law {
  const { scores: exact, k, scale, precision } = lawSetting(scores, options);
  const exponentials = new Exponentials(scale, precision + placesLost(exact, scale));
  const probability = (order: readonly number[]) =>
    orderProbability(exact, order, exponentials).withPrecision(precision);
  return new Map([...ordersOf(exact.keys(), k)].map((order) => [String(order), probability(order)]));
}

/**
 * The binary places that `orderProbability` loses: it evaluates polynomials with coefficients up to e^(spread/scale) where y is
 * e^(−spread/scale), known to one part in 2^precision of the unit. 3/2 is above 1/ln 2.
 */
function placesLost(scores: readonly Rational[], scale: Rational): number {
  const most = scores.reduce(larger);
  const least = scores.reduce((a, b) => (a.compare(b) < 0 ? a : b));
  return Number(most.minus(least).dividedBy(scale).times("3/2").ceil());
}

/** P(score + noise falls from each of these candidates to the next and from the last to all others). */
function orderProbability(
  scores: readonly Rational[],
  order: readonly number[],
  exponentials: Exponentials,
): Interval {
  const winners = order.map((index) => scores[index]);
  const last = winners[winners.length - 1];
  const others = scores.filter((_, index) => !order.includes(index));
  // The last winner's noisy score is never below this level, which is taken as 0.
  const level = [last, ...others].reduce(larger);
  const above = winners.map((score) => score.minus(level));
  const ranges = new Ranges(above, exponentials);

  let inOrder = ranges.everywhere(new Polynomial(Interval.from(1, exponentials.precision)));
  for (const score of above.slice(0, -1)) {
    inOrder = ranges.integrated(inOrder, exponentials.constant(score), score);
  }
  const isLast = others.reduce(
    (product, score) => product.times(exponentials.below(score.minus(level))),
    exponentials.constant(last.minus(level)),
  );
  const [whole] = ranges.integrated(inOrder, isLast, Rational.ZERO).slice(-1);
  return whole.at(ranges.ends[ranges.ends.length - 1]);
}

/** The levels from +∞ down to 0 in y = e^(−level/scale), from 0 up to 1, cut at the scores that are above 0. */
class Ranges {
  /** The score at the lower end of each range, falling to 0. */
  readonly #scores: readonly Rational[];
  /** The ends of the ranges in y, rising to 1. */
  readonly ends: readonly Interval[];
  readonly #begin: Interval;

  constructor(scores: readonly Rational[], exponentials: Exponentials) {
    const positive = scores.filter((score) => score.numerator > 0n).sort((a, b) => b.compare(a));
    this.#scores = [...positive, Rational.ZERO];
    this.ends = this.#scores.map((score) => exponentials.of(score.negated()));
    this.#begin = Interval.from(0, exponentials.precision);
  }

  /** The same polynomial in every range. */
  everywhere(polynomial: Polynomial): Polynomial[] {
    return this.#scores.map(() => polynomial);
  }

  /** The integrals of pieces × factor from 0 on, where the factor ends at the level of `score`. */
  integrated(pieces: readonly Polynomial[], factor: Polynomial, score: Rational): Polynomial[] {
    let sum = this.#begin;
    return pieces.map((piece, range) => {
      if (this.#scores[range].compare(score) < 0) return new Polynomial(sum);
      const integral = piece.times(factor).integrated();
      const begin = range === 0 ? this.#begin : this.ends[range - 1];
      const continued = integral.plus(sum.minus(integral.at(begin)));
      sum = continued.at(this.ends[range]);
      return continued;
    });
  }
}

function larger(a: Rational, b: Rational): Rational {
  return a.compare(b) < 0 ? b : a;
}

/** Every list of k different candidates. */
export function* ordersOf(candidates: Iterable<number>, k: number): Generator<number[], void> {
  if (k === 0) return yield [];
  const all = [...candidates];
  for (const first of all) {
    const others = all.filter((candidate) => candidate !== first);
    for (const order of ordersOf(others, k - 1)) yield [first, ...order];
  }
}

/**
 * An instance of `topKWithGap` whose law is asked for.
 *
 * @inline
 */
export interface GapLawOptions extends LawOptions {
  /** Gaps are multiples of this. */
  readonly resolution: RationalLike;
  /** Gaps of at least this many resolutions are one outcome, such as `">=4"`. */
  readonly largestGap: number;
}

/**
 * P(these k win in this order with these gaps), by outcomes such as `"2,0 by 3,>=4"`, for `topKWithGap`.
 *
 * @param scores The scores of all candidates.
 * @param options How many winners, the scale of the noise, and the gaps to tell apart.
 *
 * @example
 * ```ts
 * import { topKWithGapLaw } from "winnow-audit";
 *
 * const law = topKWithGapLaw([1, 0], { k: 1, scale: 1, resolution: 1, largestGap: 5 });
 * law.size > 5; // → true
 * ```
 */
export function topKWithGapLaw(scores: readonly RationalLike[], options: GapLawOptions): Law {
  const { largestGap, resolution, ...rest } = readOptions(
    options,
    {
      k: readers.integer,
      scale: readers.positiveRational,
      resolution: readers.positiveRational,
      largestGap: (field: string, value: number) => readers.integer(field, value, 0),
    },
    { precision: readers.integer },
  );
  const { scores: exact, k, scale, precision } = lawSetting(scores, rest, 1);
  const exponentials = new Exponentials(scale, precision + placesLost(exact, scale));
  const law = new Map<string, Interval>();
  for (const order of ordersOf(exact.keys(), k)) {
    const atLeast = (gaps: readonly number[]) =>
      orderProbability(shifted(exact, order, gaps, rational(resolution)), order, exponentials);
    for (const [gaps, probability] of differences(k, largestGap, atLeast))
      law.set(
        `${order} by ${gaps.map((gap) => (gap < largestGap ? gap : `>=${gap}`))}`,
        probability.withPrecision(precision),
      );
  }
  return law;
}

/** Each winner's score less its own gap and those of the winners behind it. */
function shifted(
  scores: readonly Rational[],
  order: readonly number[],
  gaps: readonly number[],
  resolution: Rational,
): Rational[] {
  const result = [...scores];
  let sum = 0;
  for (let place = order.length - 1; place >= 0; place--) {
    sum += gaps[place];
    result[order[place]] = scores[order[place]].minus(resolution.times(sum));
  }
  return result;
}

/** P(gaps = …) from P(gaps ≥ …): for each place, that of a gap less that of a gap one larger; the largest is a tail. */
function* differences(
  k: number,
  largestGap: number,
  atLeast: (gaps: readonly number[]) => Interval,
): Generator<[gaps: number[], probability: Interval], void> {
  const size = largestGap + 1;
  const cells = Array.from({ length: Number(BigInt(size) ** BigInt(k)) }, (_, cell) => digits(cell, size, k));
  const probabilities = cells.map(atLeast);
  for (let place = k - 1, stride = 1; place >= 0; place--, stride *= size) {
    for (const [cell, gaps] of cells.entries())
      if (gaps[place] < largestGap)
        probabilities[cell] = probabilities[cell].minus(probabilities[cell + stride]);
  }
  for (const [cell, gaps] of cells.entries()) yield [gaps, probabilities[cell]];
}

/** `length` digits of a number, the last one first in weight 1. */
function digits(number: number, base: number, length: number): number[] {
  const result: number[] = [];
  for (let rest = number; result.length < length; rest = Math.floor(rest / base)) result.unshift(rest % base);
  return result;
}
