/**
 * The law of `topKWithGap`, in closed form. That all gaps are at least m_i resolutions is an order of shifted scores:
 *
 *     P(winners J, gap i ≥ m_i·γ for all i) = P(order J for scores q_(j_i) − γ·(m_i + … + m_k), the others unchanged),
 *
 * and differences of these in each m_i give the probability of every combination of gaps. Scores may be any rationals:
 * they are not floored, as `topKWithGap` does not floor them.
 *
 * Cost: (largestGap + 1)^k times that of `exponentialTopKLaw`. Proof: docs/proofs/likelihood-ratio.md.
 * @module
 */
import type { Interval } from "../exact/interval.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { integer, positiveRational, readOptions } from "../validate.js";
import { orderProbability, ordersOf, placesLost } from "./exponential-top-k-law.js";
import { Exponentials } from "./exponentials.js";
import type { Law } from "./law.js";
import { type LawOptions, lawSetting } from "./law-options.js";

/** An instance of `topKWithGap` whose law is asked for. */
export interface GapLawOptions extends LawOptions {
  /** Gaps are multiples of this. */
  readonly resolution: RationalLike;
  /** Gaps of at least so many resolutions are one outcome, such as `">=4"`. */
  readonly largestGap: number;
}

/**
 * P(these k win in this order with these gaps), by outcomes such as `"2,0 by 3,>=4"`, for `topKWithGap`.
 *
 * @param scores The scores of all candidates.
 * @param options How many winners, the scale of the noise, and the gaps to tell apart.
 */
export function topKWithGapLaw(scores: readonly RationalLike[], options: GapLawOptions): Law {
  const { largestGap, resolution, ...rest } = readOptions(
    options,
    {
      k: integer,
      scale: positiveRational,
      resolution: positiveRational,
      largestGap: (field: string, value: number) => integer(field, value, 0),
    },
    { precision: integer },
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
