/**
 * The private steps of the selections that find their own size, and who takes them: the bits of a run, or an audit that looks
 * at what goes into each step.
 * @module
 */
import { Entropy } from "../entropy.js";
import type { RationalLike } from "../exact/rational.js";

/**
 * A step whose privacy is proven, as it is announced to a `Recorder`.
 */
export interface PrivateStep {
  /** Which mechanism it is. */
  readonly name: string;
  /** What it depends on besides its input: scales, thresholds, sizes. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The private numbers that go in. */
  readonly input: readonly RationalLike[];
  /** How far one individual may move each of them: what the loss of the step was computed for. */
  readonly sensitivity: RationalLike;
  /** Whether an individual moves all of them the same way. Default false. */
  readonly monotone?: boolean | undefined;
}

/** What a mechanism takes its private steps through, so that an audit sees them. */
export interface Recorder {
  /** Takes a step, or answers as it was answered before. `draw` must use these bits and nothing else. */
  step<Answer>(step: PrivateStep, draw: (entropy: Entropy) => Answer): Answer;
}

/** Who takes the steps of a run: its bits, or a recorder. */
export type Taker = Entropy | Recorder;

/** Takes a step. Only a recorder is told which one it is. */
export function takeStep<Answer>(
  by: Taker,
  announced: () => PrivateStep,
  draw: (entropy: Entropy) => Answer,
): Answer {
  return by instanceof Entropy ? draw(by) : by.step(announced(), draw);
}
