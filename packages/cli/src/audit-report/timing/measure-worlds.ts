/**
 * Times of a mechanism in two neighbouring worlds, one run at a time, the worlds in random turn, so that whatever the machine
 * does meanwhile happens to both.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { type Comparison, welch } from "./welch.js";

/** Something that runs in a world. */
export type TimedRun = (world: 0 | 1) => void;

export interface MeasureOptions {
  /** Of both worlds together. */
  readonly runs: number;
  /** Decides whose turn it is. */
  readonly entropy: Entropy;
  /** In nanoseconds. */
  readonly clock: () => bigint;
  /** Between blocks of runs: the share done. */
  readonly pause: (share: number) => Promise<void>;
}

/** Runs before the first that counts, for the engine to compile what it runs. */
const WARM_UP = 1000;
const BLOCK = 500;

/** Times in nanoseconds, compared. */
export async function measureWorlds(run: TimedRun, options: MeasureOptions): Promise<Comparison> {
  const { runs, entropy, clock, pause } = options;
  const times: [number[], number[]] = [[], []];
  for (let turn = -WARM_UP; turn < runs; turn++) {
    const world = entropy.bit();
    const start = clock();
    run(world);
    const end = clock();
    if (turn >= 0) times[world].push(Number(end - start));
    if (turn % BLOCK === 0) await pause(Math.max(0, turn) / runs);
  }
  return welch(...times);
}
