/**
 * The law of the ordered top k under one shot of exponential noise, in closed form. It is that of `topK` with epsilon or
 * scale, and with k = 1 that of permute-and-flip.
 *
 * In y = e^(−v/scale) for a level v, the probability that the winners so far are above v and in order is a polynomial
 * between any two scores: a winner of score c adds the factor e^(c/scale)dy for y up to e^(−c/scale), and nothing beyond.
 * The last winner must also be above everyone else, each of which is below v with probability 1 − e^(score/scale)·y.
 *
 * Cost: about k·n² products for each of the n!/(n − k)! outcomes. Proof: docs/proofs/likelihood-ratio.md.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { Exponentials } from "./exponentials.js";
import type { Law } from "./law.js";
import { type LawOptions, lawSetting } from "./law-options.js";
import { Polynomial } from "./polynomial.js";

/**
 * P(these k win in this order), by outcomes such as `"2,0"`, for `topK` with `epsilon` or `scale`.
 *
 * @param scores The scores of all candidates.
 * @param options How many winners, and the scale of the noise.
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
export function placesLost(scores: readonly Rational[], scale: Rational): number {
  const most = scores.reduce(larger);
  const least = scores.reduce((a, b) => (a.compare(b) < 0 ? a : b));
  return Number(most.minus(least).dividedBy(scale).times("3/2").ceil());
}

/** P(score + noise falls from each of these candidates to the next and from the last to all others). */
export function orderProbability(
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
  /** The same in y, rising to 1. */
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
