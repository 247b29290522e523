/**
 * Scores as they come in: any array of numbers or bigints, integers or not, negated or not. The race wants a double to
 * scan by and the exact value where that double is rounded. Where gaps are released, scores that are no integers
 * are floored to the grid 1/`perUnit` and counted in its steps: integers are on that grid already, so which of them is
 * a fraction decides nothing.
 *
 * A number is the decimal that it prints as. One that is not finite is refused, without a word on which.
 * @module
 */
import { WinnowError } from "../errors.js";
import { type Rational, rational } from "../exact/rational.js";

export type Scores = ArrayLike<number | bigint>;

/** How many scores are read at once: 32 KiB of doubles, so that they stay in the first cache. */
export const BLOCK = 4096;

export class ScoreReader {
  readonly length: number;
  /** Steps of the grid in one unit of the scores. */
  readonly perUnit: bigint;
  readonly #scores: Scores;
  readonly #negate: boolean;
  readonly #scratch: Float64Array;

  constructor(scores: Scores, { negate = false, perUnit = 1n }: { negate?: boolean; perUnit?: bigint } = {}) {
    this.length = scores.length;
    this.perUnit = perUnit;
    this.#scores = scores;
    this.#negate = negate;
    this.#scratch = new Float64Array(isPlainDoubles(scores, negate) ? 0 : BLOCK);
  }

  /** The scores from `start` on, at most BLOCK of them, to the nearest double; valid until the next call. */
  block(start: number): Float64Array {
    const scores = this.#scores;
    const end = Math.min(start + BLOCK, this.length);
    if (isPlainDoubles(scores, this.#negate)) return scores.subarray(start, end);
    const block = this.#scratch.subarray(0, end - start);
    if (isNumeric(scores)) block.set(scores.subarray(start, end));
    else for (let index = start; index < end; index++) block[index - start] = toDouble(scores[index]);
    if (this.#negate) for (let index = 0; index < block.length; index++) block[index] = -block[index];
    return block;
  }

  /** One score to the nearest double, as `block` has it. */
  at(index: number): number {
    const value = toDouble(this.#scores[index]);
    return this.#negate ? -value : value;
  }

  /** One score exactly, in steps of the grid. */
  exact(index: number): number | Rational {
    const score = this.#scores[index];
    return inSteps(this.#negate ? -score : score, this.perUnit);
  }
}

/** A score exactly, in steps of the grid 1/perUnit, to which it is floored unless perUnit is 1. */
export function inSteps(score: number | bigint, perUnit: bigint): number | Rational {
  if (typeof score === "bigint") return asNumber(score * perUnit);
  if (perUnit === 1n) return score;
  const steps = score * Number(perUnit);
  if (Number.isInteger(score) && Number.isSafeInteger(steps)) return steps;
  return asNumber(rational(score).times(perUnit).floor());
}

function asNumber(integer: bigint): number | Rational {
  const nearest = Number(integer);
  return Number.isSafeInteger(nearest) ? nearest : rational(integer);
}

/** The refusal of a score, which says nothing about it: scores are private. */
export function invalidScore(): WinnowError {
  return new WinnowError("invalid-score", '"scores" expected finite numbers or bigints throughout', {
    field: "scores",
    expected: "finite numbers or bigints throughout",
  });
}

function isPlainDoubles(scores: Scores, negate: boolean): scores is Float64Array {
  return scores instanceof Float64Array && !negate;
}

type NumericArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

function isNumeric(scores: Scores): scores is NumericArray {
  return ArrayBuffer.isView(scores) && !(scores instanceof BigInt64Array || scores instanceof BigUint64Array);
}

function toDouble(score: unknown): number {
  if (typeof score !== "number" && typeof score !== "bigint") throw invalidScore();
  const value = Number(score);
  if (value - value !== 0) throw invalidScore(); // not finite
  return value;
}
