/**
 * Top k with gaps on ideal real numbers, as [Ding23, Alg 2] has it: every candidate gets real exponential noise, of which
 * only the digits exist that some decision needed. No grid and no tie: the shortest way to the law of `topKWithGap`, for
 * scores that are any rationals.
 *
 * Cost: 9.3 random bits a candidate and one for each further digit, about 20 in all where thousands are ordered.
 * Proof: docs/proofs/lazy-exponential.md.
 * @module
 */

import { systemEntropy } from "../entropy/system-entropy.js";
import type { RationalLike } from "../exact/rational.js";
import { Reference } from "../sample/reference.js";
import { gapFloor, isAbove, noisyScore } from "../sample/reference-lazy.js";

import type { Winner } from "../select/winners.js";
import { positiveRational } from "../validate.js";
import { exactScores } from "./exact-scores.js";
import { type GapOptions, Grid } from "./grid.js";

/** The k largest noisy scores with their gaps, best first. */
export function lazyRealTopKWithGap(
  scores: readonly RationalLike[],
  options: GapOptions,
  reference = new Reference(systemEntropy()),
): Required<Winner>[] {
  const grid = new Grid(options);
  grid.check(scores.length);
  const scale = positiveRational("scale", options.scale);
  const order = exactScores(scores)
    .map((score, index) => ({ index, noisy: noisyScore(score, scale, reference.lazyExponential()) })) // 2–4
    .sort((a, b) => (isAbove(a.noisy, b.noisy) ? -1 : 1)); // 5
  return order.slice(0, grid.k).map(({ index, noisy }, place) => {
    const whole = gapFloor(noisy, order[place + 1].noisy, grid.resolution); // 6, 7
    return { index, gap: grid.resolution.times(whole) };
  }); // 8
}
