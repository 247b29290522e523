/**
 * UNSAFE, for study only: `floatTopKWithGap` is top k with gaps as everyone would write it first, [Ding23, Alg 1] in
 * doubles, with the paper's line numbers at the ends of lines. The audit attacks it. The noise takes only some of the
 * doubles, and which gaps can come out depends on the private scores: a single gap may tell two data sets apart for
 * certain, whatever ε was promised [Mir12]. Rounding decides here, which no released mechanism allows.
 * @module
 */
import { type Entropy, invalidParameter, readers, readOptions, withEntropy } from "winnow-dp";

/**
 * How many winners, and the noise.
 *
 * @inline
 */
export interface FloatOptions {
  /** How many winners. */
  readonly k: number;
  /** The scale of the exponential noise. */
  readonly scale: number;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * UNSAFE: a winner with its gap in floating point.
 *
 * @inline
 */
export interface FloatWinner {
  /** The candidate. */
  readonly index: number;
  /** UNSAFE: its low-order digits depend on the scores. */
  readonly gap: number;
}

/**
 * UNSAFE: the k largest noisy scores with their gaps, best first.
 *
 * @param scores The scores of all candidates.
 * @param options How many winners, and the noise.
 *
 * @example
 * ```ts
 * import { floatTopKWithGap } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * // Not private: the low-order bits of the gap tell the scores.
 * floatTopKWithGap([900, 1], { k: 1, scale: 1, entropy: seededEntropy("float") })[0].index; // → 0
 * ```
 */
export function floatTopKWithGap(scores: ArrayLike<number>, options: FloatOptions): FloatWinner[] {
  const {
    k,
    scale,
    entropy: given,
  } = readOptions(options, { k: readers.integer, scale: positiveNumber }, { entropy: readers.entropy });
  if (k >= readers.arrayLike("scores", scores).length)
    throw invalidParameter("k", "an integer below the number of candidates", k);
  const noisy = withEntropy(given, (entropy) =>
    Array.from(scores, (score, index) => ({ index, value: score + exponential(scale, entropy) })),
  ); // 2–4
  const order = noisy.sort((a, b) => b.value - a.value); // 5
  return order.slice(0, k).map(({ index, value }, place) => ({
    index,
    gap: value - order[place + 1].value, // 6, 7
  })); // 8
}

/** By the inverse of its distribution function, as libraries do it. */
function exponential(scale: number, entropy: Entropy): number {
  const uniform = entropy.bits(53) / 0x20_0000_0000_0000;
  return -scale * Math.log(1 - uniform);
}

function positiveNumber(field: string, value: number): number {
  if (!(typeof value === "number" && value > 0 && value < Infinity))
    throw invalidParameter(field, "a number > 0", value);
  return value;
}
