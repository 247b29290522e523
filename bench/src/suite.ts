/**
 * A suite: races with names, each prepared (its data made, its samplers built) only when it is run; or works that measure
 * themselves, where a race in one process is not what is asked.
 * @module
 */
import type { Outcome, Race } from "./race.js";

export interface RacedWork {
  /** The work's name in the report. */
  readonly name: string;
  prepare(): Race;
}

export interface MeasuredWork {
  readonly name: string;
  measure(isQuick: boolean): Promise<Outcome>;
}

export type Work = RacedWork | MeasuredWork;

export interface Suite {
  readonly name: string;
  readonly works: readonly Work[];
}
