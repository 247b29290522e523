/**
 * A suite: races with names, each prepared (its data made, its samplers built) only when it is run.
 * @module
 */
import type { Race } from "./race.js";

export interface Work {
  /** What is done, as the report says it. */
  readonly name: string;
  prepare(): Race;
}

export interface Suite {
  readonly name: string;
  readonly works: readonly Work[];
}
