/**
 * What a number of hits in n independent runs proves about the probability of a hit, at a stated confidence and
 * without any approximation [CP34]. The lower end is the largest p for which as many hits, or more, would come with
 * probability at most half of what the confidence leaves; the upper end is the same for misses. Both ends are
 * multiples of 2^−32, found by bisection with certified tails: the interval is never narrower than it should be, and
 * wider by at most 2^−32 at each end.
 *
 * P(at least that many hits in n runs) is a certified enclosure. Terms are followed from the most likely number of hits
 * outwards, each from the one before by an exact ratio, rounded outward, and divided by the sum of all. Terms after
 * one below 2^−112 of the largest are bounded by it, because terms only fall on the way. Cost: some thirteen standard
 * deviations of the number of hits, on both sides.
 *
 * Proof: clopper-pearson.proof.md.
 * @module
 */

import { Interval, Rational, type RationalLike, readers } from "winnow-dp";

/** How often something came. */
export interface Tally {
  /** In how many runs it came. */
  readonly hits: number;
  /** How many runs there were. */
  readonly runs: number;
}

/**
 * Probabilities from one end to the other.
 *
 * @inline
 */
export interface ConfidenceInterval {
  /** The lower end, a multiple of 2^−32. */
  readonly lower: Rational;
  /** The upper end, a multiple of 2^−32. */
  readonly upper: Rational;
}

const RESOLUTION = 1n << 32n;

/**
 * An interval that covers the probability of a hit, whatever it is, in a share of at least `confidence` of all trials
 * [CP34].
 *
 * Proof: clopper-pearson.proof.md.
 *
 * @param tally How many hits came in how many independent runs.
 * @param confidence Above 0 and below 1.
 *
 * @example
 * ```ts
 * import { clopperPearson } from "winnow-audit";
 *
 * const { lower, upper } = clopperPearson({ hits: 90, runs: 100 }, "0.95");
 * [lower, upper].map((bound) => bound.toNumber().toFixed(3)); // → ["0.824", "0.951"]
 * ```
 */
export function clopperPearson({ hits, runs }: Tally, confidence: RationalLike): ConfidenceInterval {
  readers.integer("runs", runs);
  readers.integer("hits", hits, 0, runs);
  const eachSide = Rational.ONE.minus(readers.properProbability("confidence", confidence)).dividedBy(2n);
  return {
    lower: lowerEnd(hits, runs, eachSide),
    upper: Rational.ONE.minus(lowerEnd(runs - hits, runs, eachSide)),
  };
}

/** The largest p on the grid at which `hits` hits, or more, are certainly no more likely than `chance`. */
function lowerEnd(hits: number, runs: number, chance: Rational): Rational {
  let certain = 0n;
  let beyond = Rational.of(BigInt(hits) * RESOLUTION, BigInt(runs)).ceil();
  while (beyond - certain > 1n) {
    const middle = (certain + beyond) >> 1n;
    const tail = binomialTail(hits, runs, Rational.of(middle, RESOLUTION));
    if (tail.upper().compare(chance) <= 0) certain = middle;
    else beyond = middle;
  }
  return Rational.of(certain, RESOLUTION);
}

/** Binary places of a term beside the largest. */
const PRECISION = 128;
/** A term below this is the last that is computed: rounded up, much smaller ones would hardly fall any more. */
const SMALL = 1n << 16n;

/** P(X ≥ hits) for X binomial with n and a probability p, 0 < p < 1. */
export function binomialTail(hits: number, n: number, p: Rational): Interval {
  const sums = new Sums(hits);
  const most = Number((BigInt(n + 1) * p.numerator) / p.denominator); // the most likely number, at most n
  const [forHit, forMiss] = [p.numerator, p.denominator - p.numerator];
  const largest: Term = { count: most, lo: 1n << BigInt(PRECISION), hi: 1n << BigInt(PRECISION) };
  sums.add(largest);
  const last = follow(largest, n, sums, ({ count }) => [
    BigInt(n - count) * forHit,
    BigInt(count + 1) * forMiss,
  ]);
  sums.addRest(last.count + 1, n, last.hi);
  const first = follow(largest, 0, sums, ({ count }) => [
    BigInt(count) * forMiss,
    BigInt(n - count + 1) * forHit,
  ]);
  sums.addRest(0, first.count - 1, first.hi);
  return sums.share();
}

/** The enclosed weight of a number of hits, beside that of the most likely number. */
interface Term {
  readonly count: number;
  readonly lo: bigint;
  readonly hi: bigint;
}

/** Adds one term after the other until one is small or `end` is reached; the last one. */
function follow(from: Term, end: number, sums: Sums, ratio: (term: Term) => [bigint, bigint]): Term {
  const step = Math.sign(end - from.count);
  let term = from;
  while (term.count !== end && term.hi >= SMALL) {
    const [over, under] = ratio(term);
    const hi = term.hi * over;
    term = { count: term.count + step, lo: (term.lo * over) / under, hi: (hi + under - 1n) / under };
    sums.add(term);
  }
  return term;
}

/** The sum of all terms, and of those with enough hits. */
class Sums {
  readonly #hits: number;
  #all = { lo: 0n, hi: 0n };
  #enough = { lo: 0n, hi: 0n };

  constructor(hits: number) {
    this.#hits = hits;
  }

  add({ count, lo, hi }: Term): void {
    this.#all = { lo: this.#all.lo + lo, hi: this.#all.hi + hi };
    if (count >= this.#hits) this.#enough = { lo: this.#enough.lo + lo, hi: this.#enough.hi + hi };
  }

  /** Terms from one number of hits to another, each of them from 0 to `most`. */
  addRest(from: number, to: number, most: bigint): void {
    this.#all.hi += most * BigInt(Math.max(0, to - from + 1));
    this.#enough.hi += most * BigInt(Math.max(0, to - Math.max(from, this.#hits) + 1));
  }

  share(): Interval {
    const [enough, all] = [this.#enough, this.#all].map(({ lo, hi }) => new Interval(lo, hi, PRECISION));
    return enough.dividedBy(all);
  }
}
