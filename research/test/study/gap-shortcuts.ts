/**
 * Three ways to save work in a top k with gaps that look right and give another law. The tests of the right ways must
 * notice them.
 * @module
 */

import { exactScores } from "../../../packages/audit/src/laws/law.js";
import type { Reference } from "../../../packages/audit/src/reference-samplers.js";
import type { GapCase } from "../../../packages/audit/test/laws/gap-outcomes.js";
import { floorDiv } from "../../../packages/core/src/exact/integers.js";
import { byValueDescending, Grid, type Noisy, poolOf } from "../../src/study/grid.js";
import { type GapOracle, optionsOf } from "./gap-oracles.js";

/**
 * Ends the refinement of the published algorithm when the first k + 1 are distinct, though others may be tied with the last
 * of them. That one's rest is then taken for any one, and it is the largest of several.
 */
export const stoppingEarly: GapOracle = (of, reference) => {
  const grid = new Grid(optionsOf(of));
  const { k, s, t } = grid;
  let pool = noisyPool(of, grid, reference);
  for (let finer = 1n; ; pool = poolOf(pool, k)) {
    const leaders = [...pool].sort(byValueDescending).slice(0, k + 1);
    if (areDistinct(leaders)) {
      const ranks = reference.shuffle([...leaders.keys()]);
      return leaders.slice(0, k).map(({ id, value }, i) => {
        const steps = value - leaders[i + 1].value - (ranks[i] < ranks[i + 1] ? 1n : 0n);
        return { candidate: id, gap: grid.gap(floorDiv(steps, finer)) };
      });
    }
    finer *= 2n;
    const digit = () => reference.truncatedGeometric(s, t * finer, 2n);
    pool = pool.map(({ id, value }) => ({ id, value: 2n * value + digit() }));
  }
};

/**
 * Ranks the rests of all for the gaps and only then breaks ties by further digits, which order tied candidates in any way.
 * Whoever wins a tie has the larger rest, which its rank knows nothing of.
 */
export const rankingFirst: GapOracle = (of, reference) => {
  const grid = new Grid(optionsOf(of));
  const pool = noisyPool(of, grid, reference);
  const ranks = reference.shuffle([...pool.keys()]);
  const byDigits = reference.shuffle([...pool.keys()]);
  const order = [...pool.keys()].sort(
    (a, b) => byValueDescending(pool[a], pool[b]) || byDigits[b] - byDigits[a],
  );
  return order.slice(0, grid.k).map((place, i) => {
    const next = order[i + 1];
    const difference = pool[place].value - pool[next].value;
    const isOneLess = difference > 0n && ranks[place] < ranks[next];
    return { candidate: pool[place].id, gap: grid.gap(isOneLess ? difference - 1n : difference) };
  });
};

/**
 * Geometric noise throughout, ties broken at random, and gaps as differences of integers [Ding23, §4.2, Option 1]. The rests
 * of the noise are missing from the gaps: a tie has the gap 0, which is more often one less in truth.
 */
export const geometricThroughout: GapOracle = (of, reference) => {
  const grid = new Grid(optionsOf(of));
  const pool = noisyPool(of, grid, reference);
  const ranks = reference.shuffle([...pool.keys()]);
  const order = [...pool.keys()].sort((a, b) => byValueDescending(pool[a], pool[b]) || ranks[b] - ranks[a]);
  return order.slice(0, grid.k).map((place, i) => {
    const difference = pool[place].value - pool[order[i + 1]].value;
    return { candidate: pool[place].id, gap: grid.gap(difference) };
  });
};

function noisyPool({ scores }: GapCase, grid: Grid, reference: Reference): Noisy[] {
  const steps = exactScores(scores).map((score) => grid.steps(score));
  const noisy = steps.map((step, id) => ({ id, value: step + reference.geometric(grid.s, grid.t) }));
  return poolOf(noisy, grid.k);
}

function areDistinct(candidates: readonly Noisy[]): boolean {
  return new Set(candidates.map(({ value }) => value)).size === candidates.length;
}
