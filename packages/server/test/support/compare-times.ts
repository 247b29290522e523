/**
 * Whether two worlds can be told apart by a stopwatch. Times are measured in both, one at a time and in random order, so
 * that other work on the machine affects both alike. They are compared by the largest distance between their distribution
 * functions (Kolmogorov and Smirnov), which sees a shift, a spread or a second peak. How unusual a distance is under the claim
 * that the worlds are alike is found by shuffling the labels, so nothing is assumed about the times.
 *
 * Shuffles and orders are seeded; the times themselves are not, so the level is small, and a test repeats what it doubts.
 * @module
 */

import { shuffle } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";

const SHUFFLES = 3999;

export interface TimeComparison {
  /** The largest distance between the two distribution functions, from 0 to 1. */
  readonly distance: number;
  /** The share of shuffles, this one included, in which it is as large. */
  readonly share: number;
}

/** Compares the times of two worlds. */
export function compareTimes(a: readonly number[], b: readonly number[], seed: string): TimeComparison {
  const entropy = seededEntropy(seed);
  const times = [...a, ...b].sort((x, y) => x - y);
  const isFirst = labelled(times, a);
  const distance = distanceOf(times, isFirst, a.length);
  let asLarge = 1;
  for (let shuffled = 0; shuffled < SHUFFLES; shuffled++) {
    shuffle(isFirst, entropy);
    if (distanceOf(times, isFirst, a.length) >= distance - 1e-12) asLarge++;
  }
  return { distance, share: asLarge / (SHUFFLES + 1) };
}

/** Which of the sorted times are of the first world; of equal times any are, because only the counts matter. */
function labelled(times: readonly number[], first: readonly number[]): boolean[] {
  const left = new Map<number, number>();
  for (const time of first) left.set(time, (left.get(time) ?? 0) + 1);
  return times.map((time) => {
    const count = left.get(time) ?? 0;
    left.set(time, count - 1);
    return count > 0;
  });
}

function distanceOf(times: readonly number[], isFirst: readonly boolean[], firsts: number): number {
  const others = times.length - firsts;
  let [ofFirst, ofOthers, distance] = [0, 0, 0];
  for (const [at, time] of times.entries()) {
    if (isFirst[at]) ofFirst++;
    else ofOthers++;
    if (times[at + 1] !== time) distance = Math.max(distance, Math.abs(ofFirst / firsts - ofOthers / others));
  }
  return distance;
}

/** Measures each world so often, in a seeded order, and gives the times by world. */
export async function timesOf(
  measure: (world: 0 | 1, run: number) => Promise<number>,
  runs: number,
  seed: string,
): Promise<[number[], number[]]> {
  const order = Array.from({ length: 2 * runs }, (_, run) => (run % 2) as 0 | 1);
  shuffle(order, seededEntropy(seed));
  const times: [number[], number[]] = [[], []];
  for (const [run, world] of order.entries()) times[world].push(await measure(world, run));
  return times;
}
