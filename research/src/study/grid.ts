/**
 * Top k with gaps on a grid, where it is a matter of integers. For a resolution a/b the scores are floored to
 * multiples of 1/b, so integers stay as they are; noise of the given scale, rounded down to steps of the grid, is
 * geometric. Gaps are counted in steps and rounded down to whole resolutions at the end. A grid may be subdivided:
 * with more steps in 1/b there are fewer ties, and the law is the same.
 *
 * The pool holds the candidates that can still matter for the top k and its gaps: all whose noisy score on the grid
 * isn't below the (k + 1)-th largest. It contains all k + 1 leaders, because each of them has a gap to give or to end,
 * and everyone tied with the last of them, who may yet turn out to be above it.
 * @module
 */

import { invalidParameter, Rational, type RationalLike, rational, readers, readOptions } from "winnow-dp";

/** How many winners, the noise, and the step of the gaps. */
export interface GridOptions {
  /** How many winners. */
  readonly k: number;
  /** The scale of the exponential noise, in units of the scores. */
  readonly scale: RationalLike;
  /** Gaps are multiples of this. */
  readonly resolution: RationalLike;
}

/** The readers of these. */
export const GRID = {
  k: readers.integer,
  scale: readers.positiveRational,
  resolution: readers.positiveRational,
};

export class Grid {
  readonly k: number;
  readonly resolution: Rational;
  /** Noise in steps is geometric with e^(−s/t): s/t is a step in scales. */
  readonly s: bigint;
  readonly t: bigint;
  readonly #subdivision: bigint;
  /** Steps in a resolution. */
  readonly #unit: bigint;

  constructor(options: GridOptions, subdivision = 1n) {
    const { k, scale, resolution } = readOptions(options, GRID, {});
    this.k = k;
    this.resolution = rational(resolution);
    this.#subdivision = subdivision;
    this.#unit = this.resolution.numerator * subdivision;
    const step = Rational.of(1n, this.resolution.denominator * subdivision);
    const perScale = step.dividedBy(scale);
    this.s = perScale.numerator;
    this.t = perScale.denominator;
  }

  /** The score, floored to a multiple of 1/b, in steps. */
  steps(score: Rational): bigint {
    return score.times(this.resolution.denominator).floor() * this.#subdivision;
  }

  /** A gap of that many steps, rounded down to a multiple of the resolution. */
  gap(steps: bigint): Rational {
    return this.resolution.times(Rational.of(steps, this.#unit).floor());
  }

  /** Whether values on the two grids mean the same. */
  equals(other: Grid): boolean {
    return (
      this.k === other.k &&
      this.resolution.equals(other.resolution) &&
      this.#subdivision === other.#subdivision &&
      this.s === other.s &&
      this.t === other.t
    );
  }

  /** Refuses a number of candidates that leaves no runner-up for the last winner. */
  check(candidates: number): void {
    if (candidates <= this.k)
      throw invalidParameter("k", "an integer below the number of candidates", this.k);
  }
}

/** A candidate and its score with noise, in steps of the grid. */
export interface Noisy<Id = number> {
  readonly id: Id;
  readonly value: bigint;
}

/** The candidates not below the (k + 1)-th largest value, in the order in which they came; all if there aren't more. */
export function poolOf<Id>(noisy: readonly Noisy<Id>[], k: number): Noisy<Id>[] {
  const cut = cutOf(noisy, k);
  return noisy.filter(({ value }) => cut === undefined || value >= cut);
}

/** The (k + 1)-th largest value; undefined if there are fewer. */
export function cutOf(noisy: readonly Noisy<unknown>[], k: number): bigint | undefined {
  return [...noisy].sort(byValueDescending)[k]?.value;
}

export function byValueDescending(a: Noisy<unknown>, b: Noisy<unknown>): number {
  return a.value > b.value ? -1 : a.value < b.value ? 1 : 0;
}
