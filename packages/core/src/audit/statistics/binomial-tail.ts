/**
 * P(at least so many hits in n runs), for a probability of a hit that is rational, as a certified enclosure. Terms are
 * followed from the most likely number of hits outwards, each from the one before by an exact ratio, rounded outward, and
 * divided by the sum of all. What is below the last place is bounded by it, as terms only fall on the way.
 *
 * Cost: some ten standard deviations of the number of hits, on both sides. Proof: docs/proofs/clopper-pearson.md.
 * @module
 */
import { Interval } from "../../exact/interval.js";
import type { Rational } from "../../exact/rational.js";

/** Binary places of a term beside the largest. */
const PRECISION = 96;

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
  sums.addRest(last.count + 1, n);
  const first = follow(largest, 0, sums, ({ count }) => [
    BigInt(count) * forMiss,
    BigInt(n - count + 1) * forHit,
  ]);
  sums.addRest(0, first.count - 1);
  return sums.share();
}

/** The enclosed weight of a number of hits, beside that of the most likely number. */
interface Term {
  readonly count: number;
  readonly lo: bigint;
  readonly hi: bigint;
}

/** Adds one term after the other until the last place is reached or `end` is; the last one. */
function follow(from: Term, end: number, sums: Sums, ratio: (term: Term) => [bigint, bigint]): Term {
  const step = Math.sign(end - from.count);
  let term = from;
  while (term.count !== end && term.hi > 1n) {
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

  /** Terms from one number of hits to another, each of them from 0 to the last place. */
  addRest(from: number, to: number): void {
    this.#all.hi += BigInt(Math.max(0, to - from + 1));
    this.#enough.hi += BigInt(Math.max(0, to - Math.max(from, this.#hits) + 1));
  }

  share(): Interval {
    const [enough, all] = [this.#enough, this.#all].map(({ lo, hi }) => new Interval(lo, hi, PRECISION));
    return enough.dividedBy(all);
  }
}
