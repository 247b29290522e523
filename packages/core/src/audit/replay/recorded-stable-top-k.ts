/**
 * `stableTopK` as it is, with its two private steps going through a recorder: the choice of k, into which the gaps go, and the
 * test, into which goes the gap after the k-th. The code around them is the production code.
 * @module
 */
import { Entropy } from "../../entropy/entropy.js";
import { GAPS, GapChoice, type GapOptions, gapAfter } from "../../select/adaptive/gap-choice.js";
import { gapSensitivity } from "../../select/adaptive/gap-sensitivity.js";
import type { Histogram } from "../../select/adaptive/largest-counts.js";
import {
  type FailureOptions,
  StabilityTest,
  type TestBudget,
  THRESHOLD,
} from "../../select/adaptive/stability-test.js";
import { STEPS, type StableRelease, StableTopKMeasurement } from "../../select/adaptive/stable-top-k.js";
import type { NoisyMaxBudget } from "../../select/noisy-max-noise.js";
import { integer, readOptions } from "../../validate.js";
import type { Recorder } from "./recorder.js";

/** Among which k to choose, and the noise of each step or a budget for it. */
export interface RecordedStableOptions extends GapOptions, FailureOptions {
  /** The noise on the gaps, or a budget for it. */
  readonly choose: NoisyMaxBudget;
  /** The noise of the test, or a budget for it. */
  readonly test: TestBudget;
}

/** A set of candidates or nothing, each step recorded. */
export function recordedStableTopK(
  histogram: Histogram,
  options: RecordedStableOptions,
  recorder: Recorder,
): StableRelease {
  const read = readOptions(options, { maxK: integer, ...STEPS }, { ...GAPS, ...THRESHOLD });
  const choice = new RecordedChoice(read, recorder);
  return new StableTopKMeasurement(choice, new RecordedTest(read, recorder)).invoke(histogram, NO_BITS);
}

/** All randomness is in the steps. */
const NO_BITS = new Entropy({
  fill() {
    throw new Error("bits were drawn outside the recorded steps");
  },
});

class RecordedChoice extends GapChoice {
  readonly #recorder: Recorder;
  readonly #sensitivity: bigint;

  constructor(options: RecordedStableOptions, recorder: Recorder) {
    super(options, options.choose);
    this.#recorder = recorder;
    this.#sensitivity = gapSensitivity(options);
  }

  override choose(counts: readonly (number | bigint)[]): number {
    const gaps = Array.from({ length: this.maxK }, (_, index) => gapAfter(counts, index + 1));
    const step = {
      name: "choice of k",
      parameters: { maxK: this.maxK, loss: this.loss.zcdp },
      input: gaps,
      sensitivity: this.#sensitivity,
    };
    return this.#recorder.step(step, (entropy) => super.choose(counts, entropy));
  }
}

class RecordedTest extends StabilityTest {
  readonly #recorder: Recorder;
  readonly #sensitivity: bigint;

  constructor(options: RecordedStableOptions, recorder: Recorder) {
    const sensitivity = gapSensitivity(options);
    super(sensitivity, options.test, options);
    this.#recorder = recorder;
    this.#sensitivity = sensitivity;
  }

  override passes(gap: number | bigint): boolean {
    const step = {
      name: "stability test",
      parameters: { threshold: this.threshold, loss: this.loss.zcdp },
      input: [gap],
      sensitivity: this.#sensitivity,
    };
    return this.#recorder.step(step, (entropy) => super.passes(gap, entropy));
  }
}
