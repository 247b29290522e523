/**
 * The top k without noise, for a scale of 0: the largest scores, the earlier index first where they are equal. It
 * protects nobody; measurements have it because a map must be defined at scale 0, where it says so.
 * @module
 */
import { Rational, rational } from "../exact/rational.js";
import type { ExactScores } from "./scores.js";
import type { Winner } from "./winners.js";

/** The first `places` of `size` candidates, of which those beyond the scores have score 0. */
export function exactTopK(
  scores: ExactScores,
  size: number,
  places: number,
  resolution?: Rational,
): Winner[] {
  const listed = Array.from({ length: scores.length }, (_, index) => ({
    index,
    score: checkedScore(scores, index),
  }));
  const zeros = Array.from({ length: Math.min(size - scores.length, places) }, (_, i) => ({
    index: scores.length + i,
    score: Rational.ZERO,
  }));
  const order = [...listed, ...zeros]
    .sort((a, b) => b.score.compare(a.score) || a.index - b.index)
    .slice(0, places);
  if (resolution === undefined) return order.map(({ index }) => ({ index }));
  return order.slice(0, -1).map(({ index, score }, place) => {
    const steps = score
      .minus(order[place + 1].score)
      .dividedBy(resolution)
      .floor();
    return { index, gap: resolution.times(steps) };
  });
}

function checkedScore(scores: ExactScores, index: number): Rational {
  scores.at(index); // refuses what is not finite
  return rational(scores.exact(index));
}
