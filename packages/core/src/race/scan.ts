/**
 * The one loop that touches every score of an array: which of them are not far below the cut, and is each finite? It
 * draws nothing, so a bad score is refused before the first random bit. The `places`-th largest score so far raises
 * the threshold on the way, so that the list stays short in any order of the scores.
 * @module
 */

import { nthLargest } from "./nth-largest.js";
import { enlarged } from "./pool.js";
import { invalidScore, type ScoreReader } from "./scores.js";

/**
 * Where the first eight numbers from `from` on start that are not all below the threshold, or the last ones if they are fewer
 * than eight; at the end, the length. Eight are compared at a time, and `<` is false for NaN and +∞. The sum of those passed
 * by is added to `total`: it is −∞ if one of them is, or NaN where they are astronomical.
 */
export function firstNear(block: Float64Array, from: number, threshold: number, total: Float64Array): number {
  let sum = 0;
  let i = from;
  for (const wholes = block.length - 7; i < wholes; i += 8) {
    const a = block[i];
    const b = block[i + 1];
    const c = block[i + 2];
    const d = block[i + 3];
    const e = block[i + 4];
    const f = block[i + 5];
    const g = block[i + 6];
    const h = block[i + 7];
    const fourFar = a < threshold && b < threshold && c < threshold && d < threshold;
    if (!(fourFar && e < threshold && f < threshold && g < threshold && h < threshold)) break;
    sum += a + b + (c + d) + (e + f + (g + h));
  }
  total[0] += sum;
  return i;
}

/** The scores from a threshold on. */
export interface NearScores {
  /** Their indices, ascending, and how many they are. */
  readonly indices: Float64Array;
  readonly count: number;
  /** The scores themselves, as they were read. */
  readonly scores: Float64Array;
  readonly threshold: number;
  /** The `places`-th largest of all scores; −∞ if fewer are listed. */
  readonly level: number;
}

/** The list is shortened when it is longer than LONG × places. */
const LONG = 8;

/** Room at first. */
const ROOM = 2048;

/**
 * Lists the scores from a threshold on, at first this one, later that of the `places`-th largest score so far. Throws if any
 * score is not finite.
 */
export function nearScores(
  reader: ScoreReader,
  places: number,
  first: number,
  thresholdAt: (level: number) => number,
): NearScores {
  const room = Math.min(ROOM, reader.length + 8);
  let [indices, scores] = [new Float64Array(room), new Float64Array(room)];
  let [count, threshold, full] = [0, first, LONG * places];
  const total = new Float64Array(1);

  const nth = (n: number) => (count < n ? -Infinity : nthLargest(scores.slice(0, count), count, n));

  /** Moves the threshold up to what the listed scores allow, and drops those below. */
  const raise = () => {
    // Where scores are sparse, some more may stay: the coins for the others can be rarer then.
    const higher = Math.min(thresholdAt(nth(places)), nth((LONG / 4) * places));
    if (higher > threshold) threshold = higher; // and not if it is not a number
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (scores[i] < threshold) continue;
      scores[kept] = scores[i];
      indices[kept++] = indices[i];
    }
    count = kept;
    full = Math.max(LONG * places, 2 * kept);
  };

  for (let next = 0; next < reader.length; ) {
    const block = reader.block(next);
    total[0] = 0;
    for (let i = 0; ; ) {
      i = firstNear(block, i, threshold, total);
      if (i >= block.length) break;
      if (count + 8 > indices.length) [indices, scores] = [enlarged(indices), enlarged(scores)];
      for (const end = Math.min(i + 8, block.length); i < end; i++) {
        const score = block[i];
        if (score - score !== 0) throw invalidScore(); // not finite
        if (score < threshold) continue;
        scores[count] = score;
        indices[count++] = next + i;
      }
      if (count >= full) raise();
    }
    if (!(total[0] > -Infinity) && !block.every(Number.isFinite)) throw invalidScore();
    next += block.length;
  }
  if (count > LONG * places) raise(); // otherwise not worth it
  return { indices, scores, count, threshold, level: nth(places) };
}
