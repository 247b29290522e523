/**
 * A running stream of sparse vector: queries are pushed one by one or as a list, and answered until `count` of them are above. It
 * is used once. A query after the end is refused; so is everything after a value that isn't finite, which closes the stream
 * without saying where it was: the loss is spent in any case.
 *
 * Queries far below the threshold share one draw of how many of them pass, so a list of them takes the time of a scan.
 * Proof: above-threshold.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { WinnowError } from "../errors.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { rationalDatum } from "../options.js";
import { heldStill, isNumeric, NUMBERS, type Scores, toDouble } from "../race/scores.js";
import { Skips } from "../sample/skips.js";
import { Turn } from "../select/stream-rules.js";
import { type Above, type Comparison, ZEROS } from "./comparison.js";

/**
 * An answer to one query: `above` tells which of the two it is.
 *
 * @inline
 */
export type ThresholdAnswer = AboveAnswer | BelowAnswer;

/**
 * An answer below, of which nothing else is told.
 *
 * @inline
 */
export type BelowAnswer = {
  /** The noisy value is below the noisy threshold. */
  readonly above: false;
};

/**
 * An answer above.
 *
 * @inline
 */
export type AboveAnswer = {
  /** The noisy value is at least the noisy threshold. */
  readonly above: true;
  /** By how much, rounded down to the resolution; only with a resolution. With levels it counts from the margin. */
  readonly gap?: Rational;
  /** Which of the levels it reached, from 0; only with levels. */
  readonly level?: number;
};

/**
 * An answer above, of a list.
 *
 * @inline
 */
export type ListedAnswer = AboveAnswer & {
  /** Which of the values, from 0. */
  readonly index: number;
};

/**
 * Answers to a list of values, as far as the stream went.
 *
 * @inline
 */
export type ThresholdRun = {
  /** Those above, in their order. */
  readonly above: readonly ListedAnswer[];
  /** How many values were answered, from the first; those that are not listed are below. */
  readonly answered: number;
};

/** What a stream is made of. */
export interface StreamParts {
  readonly comparison: Comparison;
  readonly entropy: Entropy;
  /** Whether the bits were fetched for this stream, which then wipes what is left of them at its end. */
  readonly ownsEntropy: boolean;
  /** The threshold of queries that don't bring their own. */
  readonly threshold: Rational;
  /** How many full answers there are. */
  readonly maxAbove: number;
  /** What an answer at each level costs, as a share of a full one. */
  readonly shares: readonly Rational[];
}

const BELOW: BelowAnswer = /* @__PURE__ */ Object.freeze({ above: false });

/** How many far queries pass before one whose U starts with the zeros that it needs. */
let skips: Skips | undefined;

/** Eight comparisons at once take half the time of eight turns of a loop. */
const STRIDE = 8;

/** Where the values from `start` on stop to be finite and below `far`, at `end` at the latest. */
function endOfFar(values: ArrayLike<number>, start: number, end: number, far: number): number {
  let i = start;
  for (const last = end - STRIDE; i <= last; i += STRIDE) {
    const isFar =
      values[i] < far &&
      values[i + 1] < far &&
      values[i + 2] < far &&
      values[i + 3] < far &&
      values[i + 4] < far &&
      values[i + 5] < far &&
      values[i + 6] < far &&
      values[i + 7] < far;
    if (!isFar) break;
    // Among values below a finite one only −∞ isn't finite, and it makes a sum −∞. Large ones may too, and are then looked at one by one.
    const first = values[i] + values[i + 1] + (values[i + 2] + values[i + 3]);
    const second = values[i + 4] + values[i + 5] + (values[i + 6] + values[i + 7]);
    if (first + second === -Infinity) break;
  }
  while (i < end && values[i] < far && values[i] > -Infinity) i++;
  return i;
}

/** A stream that was started; `AboveThreshold` is one. */
export class ThresholdStream {
  readonly #parts: StreamParts;
  /** The budget left for answers, in full ones; undefined once the stream has ended. */
  #left: Rational | undefined;
  #hasFailed = false;
  readonly #turn = new Turn();
  /** The threshold of the last query, as it was given and exactly, and the value below which one is far from it. */
  #given: RationalLike | undefined;
  #threshold: Rational;
  #far: number;
  /** How many far queries still pass; negative if that is not drawn yet. */
  #passes = -1;

  /**
   * Made by `makeAboveThreshold` or `AboveThreshold`.
   *
   * @internal
   */
  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#left = Rational.of(BigInt(parts.maxAbove));
    this.#threshold = parts.threshold;
    this.#far = parts.comparison.farBelow(parts.threshold);
  }

  /** How many answers above it still gives; with levels, how many full ones. 0 once it has ended. */
  get remaining(): number {
    return this.#left === undefined ? 0 : Number(this.#left.floor());
  }

  /**
   * The answer to the next query.
   *
   * @param value The true answer: private, a finite number or a bigint.
   * @param threshold What it is compared with: public. Default: the threshold of the stream.
   */
  push(value: number | bigint, threshold?: RationalLike): ThresholdAnswer {
    if (
      typeof value === "number" &&
      value < this.#far &&
      value > -Infinity &&
      this.#passes > 0 &&
      threshold === this.#given
    ) {
      this.#passes--;
      return BELOW;
    }
    return this.#push(value, threshold);
  }

  /**
   * The answers to the next queries, all with one threshold, until the stream ends.
   *
   * @param values The true answers: private, finite numbers or bigints. A typed array is the fastest.
   * @param threshold What they are compared with: public. Default: the threshold of the stream.
   */
  pushAll(values: Scores, threshold?: RationalLike): ThresholdRun {
    this.#open();
    const held = heldStill(values, "values", () => this.#refusal());
    this.#compareWith(threshold);
    const above: ListedAnswer[] = [];
    let index = 0;
    while (this.#left !== undefined) {
      index += this.#passFar(held, index);
      if (index === held.length) break;
      const answer = this.#push(held[index], threshold);
      if (answer.above) above.push({ index, ...answer });
      index++;
    }
    return { above, answered: index };
  }

  /** How many values from `start` on are far and pass. */
  #passFar(values: Scores, start: number): number {
    if (!isNumeric(values)) return 0;
    const end = Math.min(values.length, start + this.#passes);
    const index = endOfFar(values, start, end, this.#far);
    this.#passes -= index - start;
    return index - start;
  }

  #push(value: number | bigint, threshold: RationalLike | undefined): ThresholdAnswer {
    this.#compareWith(threshold);
    const left = this.#open();
    const double = this.#finite(value);
    const far = this.#far;
    this.#turn.begin();
    this.#far = -Infinity; // what the source of bits asks meanwhile is refused, and doesn't pass as far
    try {
      const answer = this.#decide(value, double < far);
      this.#far = far;
      return answer === undefined ? BELOW : this.#told(answer, left);
    } catch (error) {
      this.#end(true);
      throw error;
    } finally {
      this.#turn.end();
    }
  }

  #decide(value: number | bigint, isFar: boolean): Above | undefined {
    const { comparison, entropy } = this.#parts;
    if (!isFar) return comparison.compare(value, this.#threshold, 0);
    skips ??= new Skips(Rational.of(1n, 1n << BigInt(ZEROS)));
    if (this.#passes < 0) this.#passes = skips.draw(entropy);
    return this.#passes-- > 0 ? undefined : comparison.compare(value, this.#threshold, ZEROS);
  }

  /** An answer above is paid for; the stream ends when a full one could not be. */
  #told({ level, gap }: Above, before: Rational): ThresholdAnswer {
    const { shares } = this.#parts;
    const left = before.minus(shares[level]);
    this.#left = left;
    if (left.compare(1n) < 0) this.#end(false);
    return { above: true, ...(gap && { gap }), ...(shares.length > 1 && { level }) };
  }

  #compareWith(threshold: RationalLike | undefined): void {
    this.#open();
    if (threshold === this.#given) return;
    const exact = threshold === undefined ? this.#parts.threshold : rationalDatum("threshold", threshold);
    this.#open(); // a getter of the threshold's may have asked a query of its own, and ended the stream
    this.#far = this.#parts.comparison.farBelow(exact);
    this.#threshold = exact;
    // A text, a number or a `Rational` stays what it is; another object may hold another threshold next time.
    this.#given = typeof threshold === "object" && threshold !== exact ? Number.NaN : threshold;
  }

  #open(): Rational {
    this.#turn.refuseWhileTaken();
    if (this.#left !== undefined) return this.#left;
    const why = this.#hasFailed ? "a failure closed it" : "all of its answers above were given";
    throw new WinnowError("stream-finished", `the stream has ended: ${why}; start a new one and charge it`);
  }

  /** The double nearest to a value, which must be finite. */
  #finite(value: number | bigint): number {
    return toDouble(value, () => this.#refusal());
  }

  /** A value that is refused closes the stream: going on would tell that the others were not. */
  #refusal(): WinnowError {
    this.#end(true);
    return new WinnowError(
      "invalid-score",
      `values must be ${NUMBERS}; the stream is closed and was charged`,
      {
        field: "values",
        expected: NUMBERS,
      },
    );
  }

  #end(hasFailed: boolean): void {
    this.#left = undefined;
    this.#hasFailed = hasFailed;
    this.#far = -Infinity;
    if (this.#parts.ownsEntropy) this.#parts.entropy.wipe();
  }
}
