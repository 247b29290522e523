/**
 * Replays on neighbouring inputs [Ceb26]. A mechanism is made of *steps* whose privacy is proven (noise added to
 * scores, a selection) and of everything around them. It has the composed loss of its steps if, given the answers of
 * the steps before,
 *
 *   1. the next step is the same on neighbouring inputs, with the same public parameters,
 *   2. its input differs by no more than the sensitivity that its loss was computed for,
 *   3. and what is released in the end follows from the answers alone.
 *
 * So the mechanism is written, or wrapped, so that it takes every private step through a `Recorder`. The first run
 * takes the steps and records what went in and what came out. The other runs, on neighbours, answer as recorded and
 * check what would have gone in, so whatever differs was not paid for. One replay looks at one path: use many
 * neighbours and several runs. Violations name steps and sizes, never a value of the input. Proof:
 * replay.proof.md.
 * @module
 */
import {
  type Entropy,
  type PrivateStep,
  Rational,
  type Recorder,
  readers,
  readOptions,
  withEntropy,
} from "winnow-dp";

import { exactScores } from "../laws/law.js";

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
 *
 * @inline
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
 * whatever differs was not paid for [Ceb26]. Proof: replay.proof.md.
 *
 * @example
 * ```ts
 * import { replay } from "winnow-audit";
 * import { permuteAndFlip } from "winnow-dp";
 *
 * // The largest count itself leaves, although only its index was paid for.
 * const { violations } = replay(
 *   (counts: readonly number[], recorder) => {
 *     const step = { name: "noisy max", parameters: {}, input: counts, sensitivity: 1 };
 *     return counts[recorder.step(step, (entropy) => permuteAndFlip(counts, { epsilon: 1, entropy }).candidate)];
 *   },
 *   { input: [9, 4], neighbours: [[8, 3]] },
 * );
 * violations[0].kind; // → "release"
 * ```
 */
export function replay<Input>(mechanism: RecordedMechanism<Input>, options: ReplayOptions<Input>): Replay {
  const {
    input,
    neighbours: others,
    entropy: given,
  } = readOptions(
    options,
    { input: (_field: string, value: Input) => value, neighbours: readers.object },
    { entropy: readers.entropy },
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

/** A step that was taken. */
interface RecordedStep extends PrivateStep {
  readonly exact: readonly Rational[];
  readonly answer: unknown;
}

/** Takes the steps. */
class Recording implements Recorder {
  readonly steps: RecordedStep[] = [];
  readonly #entropy: Entropy;

  constructor(entropy: Entropy) {
    this.#entropy = entropy;
  }

  step<Answer>(step: PrivateStep, draw: (entropy: Entropy) => Answer): Answer {
    const exact = exactScores(step.input);
    const answer = draw(this.#entropy);
    this.steps.push({ ...step, exact, answer });
    return answer;
  }
}

/** The run cannot go on: it wants a step that was not recorded. */
class OffTheRecord extends Error {}

/** Answers as recorded. */
class Replaying implements Recorder {
  readonly violations: Violation[] = [];
  readonly #steps: readonly RecordedStep[];
  readonly #neighbour: number;
  #next = 0;

  constructor(steps: readonly RecordedStep[], neighbour: number) {
    this.#steps = steps;
    this.#neighbour = neighbour;
  }

  step<Answer>(step: PrivateStep): Answer {
    const recorded = this.#steps[this.#next++];
    if (recorded?.name !== step.name) {
      const before = recorded === undefined ? "nothing" : `"${recorded.name}"`;
      this.#report("steps", step.name, `takes this step where the recorded run takes ${before}`);
      throw new OffTheRecord();
    }
    if (textOf(recorded.parameters) !== textOf(step.parameters))
      this.#report("parameters", step.name, "has public parameters that depend on the data");
    this.#compareInputs(recorded, step);
    return recorded.answer as Answer;
  }

  /** The end of the run: its release must be the recorded one, and all steps taken. */
  finish(released: unknown, recorded: unknown): void {
    const missing = this.#steps[this.#next];
    if (missing !== undefined)
      this.#report("steps", missing.name, "does not take this step, as the recorded run does");
    if (textOf(released) !== textOf(recorded))
      this.#report("release", "release", "differs although every private step answered the same");
  }

  #compareInputs(recorded: RecordedStep, step: PrivateStep): void {
    const input = exactScores(step.input);
    if (input.length !== recorded.exact.length) {
      this.#report(
        "sensitivity",
        step.name,
        "gets another number of scores: their number depends on the data",
      );
      return;
    }
    const allowed = readers.positiveRational("sensitivity", recorded.sensitivity);
    const moves = input.map((score, index) => score.minus(recorded.exact[index]));
    const most = moves.reduce(
      (largest, move) => (size(move).compare(largest) > 0 ? size(move) : largest),
      Rational.ZERO,
    );
    if (most.compare(allowed) > 0)
      this.#report(
        "sensitivity",
        step.name,
        `gets scores that move by ${most}, where its loss allows ${allowed}`,
      );
    if (recorded.monotone === true && moves.some(isUp) && moves.some((move) => isUp(move.negated())))
      this.#report(
        "sensitivity",
        step.name,
        "gets scores that move up and down, where its loss counts on one way",
      );
  }

  #report(kind: Violation["kind"], step: string, message: string): void {
    this.violations.push({ kind, neighbour: this.#neighbour, step, message });
  }
}

/** Runs on a neighbour with the recorded answers. */
function replayOn(
  run: (recorder: Recorder) => unknown,
  steps: readonly RecordedStep[],
  released: unknown,
  neighbour: number,
): readonly Violation[] {
  const replaying = new Replaying(steps, neighbour);
  try {
    replaying.finish(run(replaying), released);
  } catch (cause) {
    if (!(cause instanceof OffTheRecord)) throw cause;
  }
  return replaying.violations;
}

function size(move: Rational): Rational {
  return isUp(move) ? move : move.negated();
}

function isUp(move: Rational): boolean {
  return move.numerator > 0n;
}

/** Canonical text: keys in order, bigints and rationals as decimals, maps and sets as lists, so that nothing is left out. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint" || (typeof part === "number" && !Number.isFinite(part))) return `${part}`;
    if (part instanceof Map || part instanceof Set) return [...part];
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

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
  /** What went wrong, in words. */
  readonly message: string;
}
