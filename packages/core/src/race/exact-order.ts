/**
 * The top k without noise, for a scale of 0: the largest scores, the earlier index first where they are equal. It
 * protects no one; measurements have it because a map must be defined at scale 0, where it says so.
 * @module
 */

import { Rational, rational } from "../exact/rational.js";
import { plusScore } from "./contender.js";
import type { RankedKey } from "./ranking.js";
import type { ExactScores } from "./scores.js";

/** The first `places` of `size` candidates, of which those beyond the scores have score 0. */
export function exactOrder(scores: ExactScores, size: number, places: number): RankedKey<number>[] {
  return Array.from({ length: Math.min(size, scores.length + places) }, (_, id) => {
    const score = id < scores.length ? checkedScore(scores, id) : Rational.ZERO;
    return {
      id,
      score,
      lower: -Infinity,
      upper: Infinity,
      key: () => plusScore(0n, 0n, 1n, score),
      refine() {},
    };
  })
    .sort((a, b) => b.score.compare(a.score)) // leaves equal ones in their order
    .slice(0, places);
}

function checkedScore(scores: ExactScores, index: number): Rational {
  scores.at(index); // refuses what is not finite
  return rational(scores.exact(index));
}
