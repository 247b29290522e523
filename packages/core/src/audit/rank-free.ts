/**
 * Top k with gaps by integers alone. Exponential noise is a geometric number of steps plus a rest below one step. The rests
 * are independent of the steps and of each other, and they matter only by their order: which of two tied candidates is
 * above the other, and whether a difference of steps is one too large for the gap. So one random ranking of the
 * pool stands for all of them, and nothing is ever refined.
 *
 * Law: that of `topKWithGap` on scores floored to the grid, to which this is an oracle.
 * Cost: a geometric variate for every candidate (15 random bits at a
 * step of a tenth of the scale, 25 at a thousandth), and a shuffle. Proof: docs/proofs/rank-free.md.
 * @module
 */
import { systemEntropy } from "../entropy/system-entropy.js";
import type { RationalLike } from "../exact/rational.js";
import { Reference } from "../sample/reference.js";
import type { Winner } from "../select/winners.js";
import { exactScores } from "./exact-scores.js";
import { type GapOptions, Grid } from "./grid.js";
import { byValueDescending, type Noisy, poolOf } from "./pool.js";

/** The k largest noisy scores with their gaps, best first. */
export function rankFree(
  scores: readonly RationalLike[],
  options: GapOptions,
  reference = new Reference(systemEntropy()),
): Required<Winner>[] {
  const grid = new Grid(options);
  grid.check(scores.length);
  const steps = exactScores(scores).map((score) => grid.steps(score));
  const noisy = steps.map((step, id) => ({ id, value: step + reference.geometric(grid.s, grid.t) }));
  return rankPool(poolOf(noisy, grid.k), grid, reference);
}

/** Orders a pool by values and then by random ranks, which stand for the order of the rests. */
export function rankPool<Id>(
  pool: readonly Noisy<Id>[],
  grid: Grid,
  reference: Reference,
): Required<Winner<Id>>[] {
  const ranks = reference.shuffle([...pool.keys()]);
  const order = pool
    .map((noisy, place) => ({ ...noisy, rank: ranks[place] }))
    .sort((a, b) => byValueDescending(a, b) || b.rank - a.rank);
  return order.slice(0, grid.k).map(({ id, value, rank }, place) => {
    const next = order[place + 1];
    const borrowed = rank < next.rank ? 1n : 0n; // the smaller rest borrows a step
    return { index: id, gap: grid.gap(value - next.value - borrowed) };
  });
}
