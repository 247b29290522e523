/**
 * What the races between samplers share: how many draws make a run, and when draws are right.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { type Contender, contender } from "./race.js";

/** Draws in a run, one by one or in a batch: about half a millisecond. */
export const DRAWS = 32_768;

/** The scales and standard deviations at which samplers race, as rationals and as doubles. */
export const SCALES = [
  { scale: "1/2", double: 0.5 },
  { scale: "10", double: 10 },
  { scale: "1000", double: 1e3 },
  { scale: "1000000", double: 1e6 },
] as const;

interface BatchSampler {
  fill(target: Float64Array, entropy: Entropy): unknown;
}

/** A contender that fills an array. The loop is in `fill`, so contenders can share this caller. */
export function batch(
  name: string,
  sampler: BatchSampler,
  entropy: Entropy,
  isRight: (mean: number) => boolean,
  goal?: number,
): Contender {
  const target = new Float64Array(DRAWS);
  return contender(
    name,
    () => {
      sampler.fill(target, entropy);
      return target;
    },
    (draws) => isRight(draws.reduce((sum, draw) => sum + Math.abs(draw), 0) / DRAWS),
    goal,
  );
}

/**
 * Whether a mean magnitude fits the continuous law's. A law on the integers has a smaller one, by half at scale
 * 1/2; chance alone moves it by 1 %.
 */
export function isNear(continuous: number): (mean: number) => boolean {
  return (mean) => mean > 0.45 * continuous && mean < 1.15 * continuous;
}
