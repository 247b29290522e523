/**
 * Top k with gaps in one pass and O(k) memory, by integers alone. The state is the pool of `rankFree`, and its cut. A
 * candidate of score q below the cut has a noisy score of at least the cut with probability e^(−(cut − q)·s/t), and then
 * exceeds it by a fresh geometric variate, as geometric noise has no memory. Ranks are drawn once, at the end.
 *
 * The grid is subdivided until a step is at most 1/(k + 1) of the scale, so that few candidates tie with the cut.
 *
 * Law: that of `topKWithGap` on floored scores, for candidates in any order and streams merged in any way, if each
 * candidate is pushed once.
 * The state holds noise: it does not show, and is used once. An oracle to `TopKStream`.
 * Cost: about 4 random bits a candidate where most are far below the cut; `rankFree` takes 20 to 30.
 * Proof: docs/proofs/rank-free.md.
 * @module
 */

import { systemEntropy } from "../entropy/system-entropy.js";
import { invalidParameter, WinnowError } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { Reference } from "../sample/reference.js";
import type { Winner } from "../select/winners.js";
import { readOptions } from "../validate.js";
import { exactScore } from "./exact-scores.js";
import { type GapOptions, GRID, Grid } from "./grid.js";
import { cutOf, type Noisy, poolOf } from "./pool.js";
import { rankPool } from "./rank-free.js";

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
  constructor(options: GapOptions, reference = new Reference(systemEntropy())) {
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

  /** Takes over the candidates of another stream with the same parameters, which is used up by that. */
  merge(other: GridStream<Id>): this {
    const [own, theirs] = [this.#open(), other.#open()];
    if (other === this) throw invalidParameter("other", "another stream", other);
    if (!this.#grid.equals(other.#grid))
      throw invalidParameter("other", "a stream with the same parameters", other);
    other.#pool = undefined;
    this.#keep([...own, ...theirs]);
    return this;
  }

  /** The answer; the stream is used up by that. */
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
function subdivisionFor(options: GapOptions): bigint {
  const { k, scale, resolution } = readOptions(options, GRID, {});
  const step = Rational.of(1n, rational(resolution).denominator);
  const steps = step.times(k + 1).dividedBy(scale);
  return steps.ceil();
}
