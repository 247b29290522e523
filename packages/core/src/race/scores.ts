/**
 * Scores as they come in: any array of numbers or bigints, integers or not, negated or not. The race wants a double to
 * scan by and the exact value where that double is rounded. A number is the decimal that it prints as; it is never
 * floored. One that is not finite is refused, and the error says neither which nor what.
 *
 * Scores are read more than once, so they must not change on the way. A typed array is used where it is. Shared memory,
 * which another thread may write, is copied first, and so is everything else: elements of an array may be getters.
 * A race that takes care reads shared memory where it is (`SharedScores`).
 * @module
 */
import { invalidData, type WinnowError } from "../errors.js";
import { type Rational, rational } from "../exact/rational.js";
import { kindOf, lengthOf } from "../options.js";

/**
 * The scores of all candidates, higher is better: any array of finite numbers or bigints. Typed arrays are the fastest;
 * others are copied.
 */
export type Scores = ArrayLike<number | bigint>;

/** How many scores are converted at once: 32 KiB of doubles, so that they stay in the first cache. */
const BLOCK = 4096;
/** How many are read at once where they are doubles already. */
const LARGE_BLOCK = 131_072;

/** Scores by index: to the nearest double, which refuses what is not finite, and exactly. */
export interface ExactScores {
  readonly length: number;
  at(index: number): number;
  exact(index: number): number | Rational;
}

export class ScoreReader implements ExactScores {
  readonly length: number;
  readonly #scores: Scores;
  readonly #negate: boolean;
  readonly #origin: Origin | undefined;
  readonly #scratch: Float64Array;

  /** With an `origin`, doubles are of scores less that one; exact scores stay as they are. */
  constructor(
    scores: Scores,
    { negate = false, origin }: { negate?: boolean; origin?: Origin | undefined } = {},
    hold = heldStill,
  ) {
    this.#scores = hold(scores, "scores", invalidScore);
    this.length = this.#scores.length;
    this.#negate = negate;
    this.#origin = origin;
    this.#scratch = scratchFor(this.#scores, negate || origin !== undefined);
  }

  /** The same scores with doubles that count from an origin. */
  from(origin: Origin | undefined): ScoreReader {
    return origin === undefined ? this : new ScoreReader(this.#scores, { negate: this.#negate, origin });
  }

  /** Some scores from `start` on, to the nearest double; valid until the next call. */
  block(start: number): Float64Array {
    const block = blockOf(this.#scores, start, this.#scratch);
    if (this.#origin !== undefined)
      for (let index = 0; index < block.length; index++) block[index] = this.at(start + index);
    else if (this.#negate) for (let index = 0; index < block.length; index++) block[index] = -block[index];
    return block;
  }

  /** One score to the nearest double, as in `block`. Clamped to ±MAX_VALUE, because a difference from the origin can overflow. */
  at(index: number): number {
    const value = toDouble(this.#scores[index]);
    if (this.#origin === undefined) return this.#negate ? -value : value;
    return Math.min(Math.max(this.#origin.to(this.exact(index)), -Number.MAX_VALUE), Number.MAX_VALUE);
  }

  /** One score exactly. */
  exact(index: number): number | Rational {
    const score = this.#scores[index];
    return exactScore(this.#negate ? -score : score);
  }

  /** Tells what a scan found. Scores that cannot change are read again. */
  keep(_found: Found): void {}
}

/** Which scores a scan found to be not below a threshold. */
interface Found {
  readonly indices: Float64Array;
  readonly scores: Float64Array;
  readonly count: number;
  readonly threshold: number;
}

/**
 * Numbers in shared memory, read where they are. Another thread may write there: then a candidate has the score that the scan
 * read. Of those below its threshold the scan kept nothing; if such a score is no longer below it, the race must not go on.
 */
export class SharedScores extends ScoreReader {
  readonly #found = new Map<number, number>();
  #threshold = Infinity;

  constructor(scores: Scores, { negate = false }: { negate?: boolean }) {
    super(scores, { negate }, (given) => given);
  }

  override keep({ indices, scores, count, threshold }: Found): void {
    for (let rank = 0; rank < count; rank++) this.#found.set(indices[rank], scores[rank]);
    this.#threshold = threshold;
  }

  override at(index: number): number {
    const score = this.#found.get(index);
    if (score !== undefined) return score;
    const now = super.at(index); // refuses what is not finite
    if (now < this.#threshold) return now;
    throw invalidData("scores", "left as they are while they are read", "invalid-parameter");
  }

  override exact(index: number): number {
    return this.at(index);
  }
}

/** A score exactly. */
export function exactScore(score: number | bigint): number | Rational {
  if (typeof score === "number") return score;
  const nearest = Number(score);
  return Number.isSafeInteger(nearest) ? nearest : rational(score);
}

/** The double nearest to an exact score; ±Infinity if it is beyond them. */
export function nearestDouble(score: number | Rational): number {
  return typeof score === "number" ? score : score.toNumber();
}

/**
 * An exact number to count scores from. Keys are compared with each other, so all of them may be moved alike; scores
 * that are large beside the noise are near each other, and doubles tell them apart only from close by.
 */
export class Origin {
  readonly exact: Rational;
  /** The number as it was given. */
  readonly #given: number | Rational;

  constructor(score: number | Rational) {
    this.exact = rational(score);
    this.#given = score;
  }

  /** The double nearest to score − origin; ±Infinity if it is beyond them. */
  to(score: number | Rational): number {
    if (score === this.#given) return 0;
    if (Number.isSafeInteger(score) && Number.isSafeInteger(this.#given))
      return Number(score) - Number(this.#given);
    return rational(score).minus(this.exact).toNumber();
  }
}

/** What scores and values must be, in words: they are scanned as doubles. */
export const NUMBERS = "finite numbers or bigints (up to 1.79e308) throughout";

/** The refusal of a score, which says nothing about it: scores are private. */
export function invalidScore(): WinnowError {
  return invalidData("scores", NUMBERS);
}

type TypedArray = InstanceType<
  (typeof globalThis)["Float64Array" | "Int32Array" | "BigInt64Array" | "BigUint64Array"]
>;
type NumericArray = Exclude<TypedArray, BigInt64Array | BigUint64Array>;

/** Whether these scores from `heldStill` are numbers in a typed array, which converts a block of them at once. */
export function isNumeric(scores: Scores): scores is NumericArray {
  return ArrayBuffer.isView(scores) && typeof scores[0] === "number";
}

/** Some scores from `heldStill`, from `start` on, to the nearest double: in the scratch array unless they are doubles. */
export function blockOf(scores: Scores, start: number, scratch: Float64Array): Float64Array {
  if (scores instanceof Float64Array && scratch.length === 0)
    return scores.subarray(start, start + LARGE_BLOCK);
  const block = scratch.subarray(0, scores.length - start);
  if (isNumeric(scores)) block.set(scores.subarray(start, start + block.length));
  else for (let index = 0; index < block.length; index++) block[index] = Number(scores[start + index]);
  return block;
}

/** Room for a block of scores: none if they are doubles, which are read where they are unless they will be changed. */
export function scratchFor(scores: Scores, areChanged = false): Float64Array {
  return new Float64Array(scores instanceof Float64Array && !areChanged ? 0 : Math.min(BLOCK, scores.length));
}

/**
 * Scores that do not change while they are read: a plain typed array, or an array of our own. An element that is not a
 * number or a bigint is refused by `refusal`, which says nothing about it.
 */
export function heldStill(scores: Scores, field: string, refusal: () => WinnowError): Scores {
  const Typed = globalThis[kindOf(scores) as "Float64Array"]; // ours, if it is one of another realm
  if (Typed === undefined) return copyOf(scores, lengthOf(field, scores), refusal);
  const typed = scores as Float64Array<ArrayBuffer>;
  if (typed.length === 0) return [];
  // A subclass, or a property of its own, may say another length than the elements have: a copy asks neither.
  const isPlain = Object.getPrototypeOf(typed) === Typed.prototype && !Object.hasOwn(typed, "length");
  return isPlain && !isShared(typed.buffer) ? typed : new Typed(typed);
}

/** By name, as it may come from another realm. */
function isShared(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
}

/** Whether these are doubles or other numbers in shared memory, in a plain typed array. */
export function areShared(scores: unknown): scores is Float64Array<SharedArrayBuffer> {
  const Typed = globalThis[kindOf(scores) as "Float64Array"];
  return (
    Typed !== undefined &&
    Object.getPrototypeOf(scores) === Typed.prototype &&
    isNumeric(scores as Scores) &&
    isShared((scores as Float64Array).buffer)
  );
}

/** Grows as it reads, so a false `length` can't allocate gigabytes. */
function copyOf(scores: Scores, length: number, refusal: () => WinnowError): Scores {
  const copy: (number | bigint)[] = [];
  let areNumbers = true;
  while (copy.length < length) {
    const score = scores[copy.length];
    if (typeof score !== "number") {
      if (typeof score !== "bigint") throw refusal();
      areNumbers = false;
    }
    copy.push(score);
  }
  return areNumbers ? new Float64Array(copy as number[]) : copy;
}

/** A score to the nearest double; what isn't a number or a bigint within the doubles is refused. */
export function toDouble(score: unknown, refusal = invalidScore): number {
  if (typeof score !== "number" && typeof score !== "bigint") throw refusal();
  const value = Number(score);
  if (value - value !== 0) throw refusal(); // not finite
  return value;
}
