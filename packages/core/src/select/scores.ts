/**
 * Scores as they come in: any array of numbers or bigints, integers or not, negated or not. The race wants a double to
 * scan by and the exact value where that double is rounded. Where gaps are released at a resolution a/b, scores are
 * floored to multiples of 1/b; integers are such multiples already, so which of them is a fraction decides nothing.
 *
 * A number is the decimal that it prints as. One that is not finite is refused, without a word on which.
 * @module
 */
import { WinnowError } from "../errors.js";
import { Rational, rational } from "../exact/rational.js";

/**
 * The scores of all candidates, higher is better: any array of finite numbers or bigints. Typed arrays are the fastest.
 */
export type Scores = ArrayLike<number | bigint>;

/** How many scores are converted at once: 32 KiB of doubles, so that they stay in the first cache. */
const BLOCK = 4096;
/** How many are read at once where they are doubles already. */
const LARGE_BLOCK = 131_072;

export class ScoreReader {
  readonly length: number;
  readonly #scores: Scores;
  readonly #negate: boolean;
  readonly #grid: bigint | undefined;
  readonly #scratch: Float64Array;

  /** With a `grid` of b, scores are floored to multiples of 1/b. */
  constructor(
    scores: Scores,
    { negate = false, grid }: { negate?: boolean; grid?: bigint | undefined } = {},
  ) {
    this.length = scores.length;
    this.#scores = scores;
    this.#negate = negate;
    this.#grid = grid;
    this.#scratch = new Float64Array(isPlainDoubles(scores, negate) ? 0 : Math.min(BLOCK, scores.length));
  }

  /** Some scores from `start` on, to the nearest double; valid until the next call. */
  block(start: number): Float64Array {
    const scores = this.#scores;
    if (isPlainDoubles(scores, this.#negate)) return scores.subarray(start, start + LARGE_BLOCK);
    const end = Math.min(start + BLOCK, this.length);
    const block = this.#scratch.subarray(0, end - start);
    if (isNumeric(scores)) block.set(scores.subarray(start, end));
    else for (let index = start; index < end; index++) block[index - start] = toDouble(scores[index]);
    if (this.#negate) for (let index = 0; index < block.length; index++) block[index] = -block[index];
    return block;
  }

  /** One score to the nearest double, as `block` has it: not floored. */
  at(index: number): number {
    const value = toDouble(this.#scores[index]);
    return this.#negate ? -value : value;
  }

  /** By how much a score may be lowered to a multiple of 1/b. */
  get floored(): number {
    return this.#grid === undefined ? 0 : 1 / Number(this.#grid);
  }

  /** One score exactly. */
  exact(index: number): number | Rational {
    const score = this.#scores[index];
    return exactScore(this.#negate ? -score : score, this.#grid);
  }
}

/** A score exactly, floored to a multiple of 1/grid if there is one. */
export function exactScore(score: number | bigint, grid: bigint | undefined): number | Rational {
  if (typeof score === "bigint") {
    const nearest = Number(score);
    return Number.isSafeInteger(nearest) ? nearest : rational(score);
  }
  if (grid === undefined || Number.isInteger(score)) return score;
  return Rational.of(rational(score).times(grid).floor(), grid);
}

/** The double nearest to an exact score. */
export function nearestDouble(score: number | Rational): number {
  return typeof score === "number" ? score : score.toNumber();
}

/** Throws unless every score is a finite number or a bigint that is not astronomical. */
export function refuseBadScores(scores: Scores): void {
  for (let index = 0; index < scores.length; index++) toDouble(scores[index]);
}

/** The refusal of a score, which says nothing about it: scores are private. */
export function invalidScore(): WinnowError {
  return new WinnowError("invalid-score", "scores must be finite numbers or bigints throughout", {
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
  | Uint8Array
  | Uint8ClampedArray;

/** Whether these are numbers in a typed array, which converts a block of them at once. */
export function isNumeric(scores: Scores): scores is NumericArray {
  return ArrayBuffer.isView(scores) && !(scores instanceof BigInt64Array || scores instanceof BigUint64Array);
}

/** A score to the nearest double. */
export function toDouble(score: unknown): number {
  if (typeof score !== "number" && typeof score !== "bigint") throw invalidScore();
  const value = Number(score);
  if (value - value !== 0) throw invalidScore(); // not finite
  return value;
}
