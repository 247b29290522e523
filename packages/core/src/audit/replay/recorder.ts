/**
 * What a mechanism takes its private steps through. A recording takes them and keeps what went in and what came out; a
 * replaying one answers as recorded and checks what would have gone in.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { Rational, type RationalLike } from "../../exact/rational.js";
import { positiveRational } from "../../validate.js";
import { exactScores } from "../exact-scores.js";
import type { Violation } from "./violation.js";

/** A step whose privacy is proven, as it is announced. */
export interface PrivateStep {
  /** Which mechanism it is. */
  readonly name: string;
  /** What it depends on besides its input: scales, thresholds, sizes. Compared as JSON, bigints and rationals as text. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The private numbers that go in. */
  readonly input: readonly RationalLike[];
  /** How far one individual may move each of them: what the loss of the step was computed for. */
  readonly sensitivity: RationalLike;
  /** Whether an individual moves all of them the same way. Default false. */
  readonly monotone?: boolean | undefined;
}

/** What a mechanism takes its private steps through. */
export interface Recorder {
  /** Takes a step, or answers as it was answered before. `draw` must use these bits and nothing else. */
  step<Answer>(step: PrivateStep, draw: (entropy: Entropy) => Answer): Answer;
}

/** A step that was taken. */
export interface RecordedStep extends PrivateStep {
  readonly exact: readonly Rational[];
  readonly answer: unknown;
}

/** Takes the steps. */
export class Recording implements Recorder {
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
export class Replaying implements Recorder {
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
    const allowed = positiveRational("sensitivity", recorded.sensitivity);
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
export function replayOn(
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
