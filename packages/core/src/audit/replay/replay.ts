/**
 * `replay`: runs a mechanism on an input, and again on each of its neighbours with the same answers of its private steps, and
 * compares everything on the way with what the proof allows [Ceb26]. A mechanism is made of *steps* whose privacy is
 * proven (noise added to scores, a selection) and of everything around them. It has the composed loss of its steps if, given
 * the answers of the steps before,
 *
 *   1. the next step is the same on neighbouring inputs, with the same public parameters,
 *   2. what goes into it differs by no more than the sensitivity that its loss was computed for,
 *   3. and what is released in the end follows from the answers alone.
 *
 * So the mechanism is written, or wrapped, such that every private step is taken through a `Recorder`. In the first run steps are
 * taken and recorded; in the others they answer as recorded, so that whatever differs was not paid for. One replay looks at
 * one path: use many neighbours and several runs. Proof: docs/proofs/replay.md.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { anEntropy, withEntropy } from "../../entropy/system-entropy.js";
import { object, readOptions } from "../../validate.js";
import { type Recorder, Recording, replayOn } from "./recorder.js";
import type { Violation } from "./violation.js";

/**
 * A mechanism whose private steps go through the recorder. What it returns is what it releases.
 *
 * @typeParam Input The private data.
 */
export type RecordedMechanism<Input> = (input: Input, recorder: Recorder) => unknown;

/**
 * An input, and those to compare it with.
 *
 * @typeParam Input The private data.
 */
export interface ReplayOptions<Input> {
  /** The input of the run that is recorded. */
  readonly input: Input;
  /** The inputs on which it is replayed, each of which differs by one individual. */
  readonly neighbours: Iterable<Input>;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** What a replay found. */
export interface Replay {
  /** The steps of the recorded run, in their order. */
  readonly steps: readonly string[];
  /** How many neighbours were tried. */
  readonly neighbours: number;
  /** What the proof does not allow; none if all is well. */
  readonly violations: readonly Violation[];
}

/**
 * Compares a run with its replays on neighbouring inputs, step by step, with what the proof allows.
 *
 * The mechanism runs on an input, and again on each of its neighbours with the same answers of its private steps:
 * whatever differs was not paid for [Ceb26]. Proof: docs/proofs/replay.md.
 */
export function replay<Input>(mechanism: RecordedMechanism<Input>, options: ReplayOptions<Input>): Replay {
  const {
    input,
    neighbours: others,
    entropy: given,
  } = readOptions(
    options,
    { input: (_field: string, value: Input) => value, neighbours: object },
    { entropy: anEntropy },
  );
  const { steps, released } = withEntropy(given, (entropy) => {
    const recording = new Recording(entropy);
    return { released: mechanism(input, recording), steps: recording.steps };
  });
  const violations: Violation[] = [];
  let neighbours = 0;
  for (const neighbour of others) {
    const run = (recorder: Recorder) => mechanism(neighbour, recorder);
    violations.push(...replayOn(run, steps, released, neighbours++));
  }
  return { steps: steps.map(({ name }) => name), neighbours, violations };
}
