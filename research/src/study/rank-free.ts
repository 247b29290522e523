/**
 * Top k with gaps by integers alone, from an array or in one pass.
 *
 * Exponential noise is a geometric number of steps plus a rest below one step. The rests are independent of the steps
 * and of each other, and matter only by their order: which of two tied candidates is above the other, and whether a
 * difference of steps is one too large for the gap. So one random ranking of the pool stands for all of them, and
 * nothing is ever refined. Cost: a geometric variate for every candidate (15 random bits at a step of a tenth of the
 * scale, 25 at a thousandth), and a shuffle.
 *
 * `GridStream` needs O(k) memory: its state is the pool and its cut. A candidate of score q below the cut has a noisy
 * score of at least the cut with probability e^(−(cut − q)·s/t), and then exceeds it by a fresh geometric variate,
 * because geometric noise has no memory. Ranks are drawn once, at the end. The grid is subdivided until a step is at
 * most 1/(k + 1) of the scale, so that few candidates tie with the cut. The state holds noise: it doesn't show, and is
 * used once. Cost: about 4 random bits per candidate where most are far below the cut; `rankFree` takes 20 to 30.
 *
 * Law: that of `topKWithGap`, for a stream with candidates in any order and streams merged in any way, if each
 * candidate is pushed once. These are oracles to `topKWithGap` and `TopKStream`. Proof: rank-free.proof.md.
 * @module
 */

import { Reference } from "winnow-audit";
import {
  invalidParameter,
  Rational,
  type RationalLike,
  rational,
  readOptions,
  systemEntropy,
  type Winner,
  WinnowError,
} from "winnow-dp";

import { exactScore, exactScores } from "./exact-scores.js";
import { byValueDescending, cutOf, GRID, Grid, type GridOptions, type Noisy, poolOf } from "./grid.js";

/**
 * The k largest noisy scores with their gaps, best first.
 */
export function rankFree(
  scores: readonly RationalLike[],
  options: GridOptions,
  reference = new Reference(systemEntropy()),
): Required<Winner>[] {
  const grid = new Grid(options);
  grid.check(scores.length);
  const steps = exactScores(scores).map((score) => grid.steps(score));
  const noisy = steps.map((step, id) => ({ id, value: step + reference.geometric(grid.s, grid.t) }));
  return rankPool(poolOf(noisy, grid.k), grid, reference);
}

/** Orders a pool by values and then by random ranks, which stand for the order of the rests. */
function rankPool<Id>(pool: readonly Noisy<Id>[], grid: Grid, reference: Reference): Required<Winner<Id>>[] {
  const ranks = reference.shuffle([...pool.keys()]);
  const order = pool
    .map((noisy, place) => ({ ...noisy, rank: ranks[place] }))
    .sort((a, b) => byValueDescending(a, b) || b.rank - a.rank);
  return order.slice(0, grid.k).map(({ id, value, rank }, place) => {
    const next = order[place + 1];
    const borrowed = rank < next.rank ? 1n : 0n; // the smaller rest borrows a step
    return { candidate: id, gap: grid.gap(value - next.value - borrowed) };
  });
}

/**
 * Top k with gaps in one pass and O(k) memory, by integers alone: an oracle to `TopKStream`.
 *
 * It has the same law for candidates in any order and streams merged in any way, if each candidate is pushed once.
 *
 * @typeParam Id What candidates are named by.
 */
export class GridStream<Id = number> {
  readonly #grid: Grid;
  readonly #reference: Reference;
  /** Undefined once the stream is used up. */
  #pool: Noisy<Id>[] | undefined = [];
  #cut: bigint | undefined;

  /** A stream without candidates, which draws by this reference. */
  constructor(options: GridOptions, reference = new Reference(systemEntropy())) {
    this.#grid = new Grid(options, subdivisionFor(options));
    this.#reference = reference;
  }

  /** One candidate with its final score. */
  push(id: Id, score: RationalLike): this {
    const pool = this.#open();
    const value = this.#valueNotBelowCut(this.#grid.steps(exactScore(score)));
    if (value !== undefined) this.#keep([...pool, { id, value }]);
    return this;
  }

  /** The score with noise, or undefined if that is below the cut. */
  #valueNotBelowCut(score: bigint): bigint | undefined {
    const { s, t } = this.#grid;
    const cut = this.#cut;
    if (cut === undefined || score >= cut) return score + this.#reference.geometric(s, t);
    return this.#reference.bernoulliExp((cut - score) * s, t)
      ? cut + this.#reference.geometric(s, t)
      : undefined;
  }

  #keep(candidates: Noisy<Id>[]): void {
    this.#pool = poolOf(candidates, this.#grid.k);
    this.#cut = cutOf(this.#pool, this.#grid.k);
  }

  /** Takes over the candidates of another stream with the same parameters, which can't be used afterwards. */
  merge(other: GridStream<Id>): this {
    const [own, theirs] = [this.#open(), other.#open()];
    if (other === this) throw invalidParameter("other", "another stream", other);
    if (!this.#grid.equals(other.#grid))
      throw invalidParameter("other", "a stream with the same parameters", other);
    other.#pool = undefined;
    this.#keep([...own, ...theirs]);
    return this;
  }

  /** The answer; the stream can't be used afterwards. */
  finish(): Required<Winner<Id>>[] {
    const pool = this.#open();
    this.#grid.check(pool.length);
    this.#pool = undefined;
    return rankPool(pool, this.#grid, this.#reference);
  }

  #open(): Noisy<Id>[] {
    if (this.#pool !== undefined) return this.#pool;
    throw new WinnowError(
      "stream-finished",
      "this stream is used up: its answer was taken, or it was merged into another",
    );
  }
}

/** The least m for which a step of 1/(b·m) is at most 1/(k + 1) of the scale. */
function subdivisionFor(options: GridOptions): bigint {
  const { k, scale, resolution } = readOptions(options, GRID, {});
  const step = Rational.of(1n, rational(resolution).denominator);
  const steps = step.times(k + 1).dividedBy(scale);
  return steps.ceil();
}
