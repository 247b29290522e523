/**
 * What a replay finds: where a run on a neighbouring input does what its proof does not allow. Violations name steps and sizes,
 * never a value of the input.
 * @module
 */

/**
 * A place where a run on a neighbouring input does what the proof does not allow. It names steps and sizes, never a
 * value of the input.
 */
export interface Violation {
  /**
   * `steps`: another step, one more or one less. `parameters`: a public parameter depends on the data. `sensitivity`: the input
   * of a step moves too far. `release`: the answer depends on more than the answers of the steps.
   */
  readonly kind: "steps" | "parameters" | "sensitivity" | "release";
  /** Which of the neighbours, from 0. */
  readonly neighbour: number;
  /** The step, or `"release"`. */
  readonly step: string;
  /** The same in words. */
  readonly message: string;
}
