/**
 * `stableTopKFixed` with its private steps going through a recorder: the choice of j, the test, and the rounds of the exponential
 * mechanism that make k of j. Which rounds are taken, and among whom, must follow from the answers before: from private
 * counts it would be a leak. Equal bits give the answer of the production code.
 * @module
 */
import { rational } from "../../exact/rational.js";
import { COUNTS } from "../../select/adaptive/gap-sensitivity.js";
import type { Histogram } from "../../select/adaptive/largest-counts.js";
import { type RoundsBudget, roundsBudget, SharedRounds } from "../../select/adaptive/shared-rounds.js";
import { THRESHOLD } from "../../select/adaptive/stability-test.js";
import { STEPS } from "../../select/adaptive/stable-top-k.js";
import { bigInteger, integer, oneOf, readOptions } from "../../validate.js";
import { type RecordedStableOptions, recordedStableTopK } from "./recorded-stable-top-k.js";
import type { PrivateStep, Recorder } from "./recorder.js";

/** How many candidates, whether their domain is public, and the noise of each step or a budget for it. */
export interface RecordedFixedOptions extends Omit<RecordedStableOptions, "regulariser" | "maxK"> {
  /** How many candidates are wanted. */
  readonly k: number;
  /** Whether the histogram lists every candidate of a public domain, or only those that the data happen to mention. */
  readonly domain: "public" | "unknown";
  /** The largest j. */
  readonly maxK: number;
  /** What a step of j away from k counts against the width of the gap. */
  readonly penalty: number;
  /** The noise of all rounds of the exponential mechanism, or a budget for them together. */
  readonly rounds: RoundsBudget;
}

const FIXED = {
  ...STEPS,
  k: integer,
  domain: oneOf("public", "unknown"),
  maxK: integer,
  penalty: (field: string, value: number) => integer(field, value, 0),
  rounds: roundsBudget,
};

/** Positions in the histogram, ascending: k of them, or at most k of an unknown domain. */
export function recordedStableTopKFixed(
  histogram: Histogram,
  options: RecordedFixedOptions,
  recorder: Recorder,
): readonly number[] {
  const read = readOptions(options, FIXED, { ...COUNTS, ...THRESHOLD, cap: bigInteger });
  const { k, domain, penalty, rounds: _, ...others } = read;
  const regulariser = (j: number) => rational(-penalty * Math.abs(j - k));
  const stable = recordedStableTopK(histogram, { ...others, regulariser }, recorder);
  const released = stable.released ? [...stable.indices] : [];
  const missing = k - released.length;
  if (missing === 0 || (missing > 0 && domain === "unknown")) return released;
  const rounds = new RecordedRounds(histogram, read, recorder);
  const indices =
    missing < 0 ? rounds.pickFrom(released, k) : [...released, ...rounds.pickBeside(released, missing)];
  return indices.sort((a, b) => a - b);
}

/** Rounds among candidates that are public by now. */
class RecordedRounds {
  readonly #histogram: Histogram;
  readonly #options: RecordedFixedOptions;
  readonly #recorder: Recorder;
  readonly #shared: SharedRounds;

  constructor(histogram: Histogram, options: RecordedFixedOptions, recorder: Recorder) {
    this.#histogram = histogram;
    this.#options = options;
    this.#recorder = recorder;
    this.#shared = new SharedRounds(options.rounds, options);
  }

  pickFrom(candidates: readonly number[], count: number): number[] {
    const input = candidates.map((index) => this.#histogram[index]);
    return this.#recorder.step(this.#step("rounds among", candidates, count, input), (entropy) =>
      this.#shared.pickFrom(candidates, this.#histogram, count, entropy),
    );
  }

  pickBeside(excluded: readonly number[], count: number): number[] {
    const input = Array.from(this.#histogram);
    return this.#recorder.step(this.#step("rounds beside", excluded, count, input), (entropy) =>
      this.#shared.pickBeside(excluded, this.#histogram, count, entropy),
    );
  }

  #step(name: string, candidates: readonly number[], count: number, input: (number | bigint)[]): PrivateStep {
    const { sensitivity = 1, monotone } = this.#options;
    return { name, parameters: { candidates, count }, input, sensitivity, monotone };
  }
}
