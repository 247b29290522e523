/**
 * Top k with gaps as published: [Ding23, Alg 4], the numbers of its lines at the ends of ours, with early query
 * pruning. Ties are broken by refining the grid M-fold until all that matter are distinct.
 *
 * Where the text is silent or slips:
 *   - The pool keeps all k + 1 leaders and everyone tied with the last, and the loop ends when it has no tie. The (k + 2)-th
 *     candidate serves only to show such a tie, so n = k + 1 needs no other rule; with n ≤ k there is no last gap.
 *   - A tie with the (k + 1)-th must be broken although its place is not released: of m tied rests the largest
 *     ends the last gap.
 *   - A digit, a geometric variate modulo M, is drawn as such, with fewer bits.
 *   - Line 5 counts candidates from 1.
 *
 * Law: that of `topKWithGap` on scores floored to the grid, to which this is an oracle.
 * Cost: as `rankFree`, and k + 1 digits or more for every refinement.
 * Proof: docs/proofs/rank-free.md.
 * @module
 */
import { systemEntropy } from "../entropy/system-entropy.js";
import { floorDiv } from "../exact/integers.js";
import type { RationalLike } from "../exact/rational.js";
import { Reference } from "../sample/reference.js";
import type { Winner } from "../select/winners.js";
import { bigInteger, boolean, readOptions } from "../validate.js";
import { exactScores } from "./exact-scores.js";
import { type GapOptions, GRID, Grid } from "./grid.js";
import { byValueDescending, type Noisy, poolOf } from "./pool.js";

export interface PaperOptions extends GapOptions {
  /** How many times finer the grid becomes when there is a tie: M, at least 2. Default 10. */
  readonly refinement?: bigint | undefined;
  /** Early query pruning: only what can still matter is refined. Without it all candidates are. Default true. */
  readonly prune?: boolean | undefined;
}

function atLeastTwo(field: string, value: bigint): bigint {
  return bigInteger(field, value, 2n);
}

/** The k largest noisy scores with their gaps, best first. */
export function paperTopKWithGap(
  scores: readonly RationalLike[],
  options: PaperOptions,
  reference = new Reference(systemEntropy()),
): Required<Winner>[] {
  const read = readOptions(options, GRID, { refinement: atLeastTwo, prune: boolean });
  const { refinement: M = 10n, prune = true, ...grids } = read;
  const grid = new Grid(grids);
  grid.check(scores.length);
  const { k, s, t } = grid;
  const q = exactScores(scores).map((score) => grid.steps(score));
  let noisy: Noisy[] = q.map((steps, id) => ({ id, value: steps + reference.geometric(s, t) })); // 2–4
  let pool = poolOf(noisy, k); // 5
  let finer = 1n; // 6: γ* = finer·γ_t
  while (hasTie(pool)) {
    finer *= M; // 8
    const digit = () => reference.truncatedGeometric(s, t * finer, M); // 10
    noisy = (prune ? pool : noisy).map(({ id, value }) => ({ id, value: M * value + digit() })); // 9, 11
    pool = poolOf(noisy, k); // 12
  }
  const j = pool.sort(byValueDescending);
  const x = reference.shuffle([...j.keys()]); // 13
  return j.slice(0, k).map(({ id, value }, i) => {
    const difference = value - j[i + 1].value; // 14
    const steps = x[i] < x[i + 1] ? difference - 1n : difference; // 15–18
    return { index: id, gap: grid.gap(floorDiv(steps, finer)) };
  }); // 19
}

/** Line 7 for the pool: it has a tie among its k + 1 leaders, or somebody tied with the last of them. */
function hasTie(pool: readonly Noisy[]): boolean {
  return new Set(pool.map(({ value }) => value)).size < pool.length;
}
