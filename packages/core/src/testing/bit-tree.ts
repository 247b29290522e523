/**
 * The exact law of a sampler by exhaustion. A sampler is a deterministic function of its bits; `bitTree` runs
 * it on every bit string that it can ask for, up to `depth` bits. A run that ends after m bits has probability
 * 2^−m exactly, so for every outcome
 *
 *     mass ≤ P(outcome) ≤ mass + undecided,      and all masses and `undecided` sum to 1.
 *
 * Bits come in words of `wordBits`; a word that would cross `depth` is not given and its branch is undecided.
 * The cost is one run for each leaf, plus one that repeats the first leaf to find samplers with a memory.
 * @module
 */

import { Entropy } from "../entropy.js";
import { Rational } from "../exact/rational.js";
import { callable, integer, readOptions } from "../options.js";
import { OutOfBits } from "./replay-entropy.js";
import { everyPath, NotDeterministic } from "./tree-walk.js";

/**
 * How deep to walk, and how outcomes are named.
 *
 * @typeParam T What the sampler returns.
 */
export interface BitTreeOptions<T> {
  /** The most bits given to a run. */
  readonly depth: number;
  /** Bits in a word of the entropy; each word asked for has 2^wordBits branches. Default 1. */
  readonly wordBits?: number | undefined;
  /** The name of an outcome in the result. Default `String`. */
  readonly key?: ((outcome: T) => string) | undefined;
}

/** What a walk over all bit strings found out: mass ≤ P(outcome) ≤ mass + undecided. */
export interface BitTree {
  /** The probability, exact and dyadic, that the outcome is reached within `depth` bits. */
  readonly mass: Map<string, Rational>;
  /** The probability that a run wants more bits than that. */
  readonly undecided: Rational;
  /** How many bit strings were run to their end or to the depth. */
  readonly leaves: number;
}

/**
 * The exact law of a sampler by exhaustion: it is run on every bit string that it can ask for, up to `depth` bits.
 *
 * All masses and `undecided` sum to 1.
 *
 * @param sample The sampler, a deterministic function of its bits.
 * @param options How deep to walk, and how outcomes are named.
 *
 * @example
 * ```ts
 * import { bernoulli } from "winnow-dp/sample";
 * import { bitTree } from "winnow-dp/testing";
 *
 * const { mass, undecided } = bitTree((bits) => bernoulli("1/3", bits), { depth: 8 });
 * mass.get("true"); // → 0.33203125
 * undecided; // → 0.00390625
 * ```
 */
export function bitTree<T>(sample: (entropy: Entropy) => T, options: BitTreeOptions<T>): BitTree {
  callable("sample", sample);
  const {
    depth,
    wordBits = 1,
    key = String,
  } = readOptions(
    options,
    { depth: (field: string, value: number) => integer(field, value, 0) },
    { wordBits: integer, key: callable },
  );
  const branches = Number(1n << BigInt(wordBits));
  const outOfBits = new OutOfBits(depth); // one for all leaves: the trace of the stack takes longer than most runs
  const run = (ask: (branches: number) => number) =>
    runOnBits(ask, sample, { depth, wordBits, branches, key, outOfBits });

  const units = new Map<string | undefined, bigint>(); // of 2^−depth
  const unit = Array.from(
    { length: Math.floor(depth / wordBits) + 1 },
    (_, words) => 1n << BigInt(depth - words * wordBits),
  );
  let leaves = 0;
  for (const { label, answers } of everyPath(run)) {
    units.set(label, (units.get(label) ?? 0n) + unit[answers.length]);
    leaves++;
  }
  const mass = new Map<string, Rational>();
  for (const [label, count] of units) if (label !== undefined) mass.set(label, dyadic(count, depth));
  return { mass, undecided: dyadic(units.get(undefined) ?? 0n, depth), leaves };
}

/** What all runs of a tree share. */
interface Walk<T> {
  readonly depth: number;
  readonly wordBits: number;
  /** 2^wordBits */
  readonly branches: number;
  readonly key: (outcome: T) => string;
  readonly outOfBits: OutOfBits;
}

/** One run: the outcome's name, or undefined when the bits did not suffice. */
function runOnBits<T>(
  ask: (branches: number) => number,
  sample: (entropy: Entropy) => T,
  { depth, wordBits, branches, key, outOfBits }: Walk<T>,
): string | undefined {
  const given: number[] = [];
  let exhausted = false;
  const fill = (words: Uint32Array) => {
    exhausted ||= (given.length + 1) * wordBits > depth;
    if (exhausted) throw outOfBits;
    words[0] = ask(branches);
    given.push(words[0]);
  };
  const entropy = new Entropy({ fill, wordBits, poolWords: 1 });
  try {
    const outcome = sample(entropy);
    return exhausted ? undefined : key(outcome); // undecided even if the sampler swallowed the exception
  } catch (cause) {
    if (exhausted) return undefined;
    if (cause instanceof NotDeterministic) throw cause;
    const bits = given.map((word) => word.toString(2).padStart(wordBits, "0")).join("");
    throw new Error(`the sampler failed on the bits "${bits}": ${String(cause)}`, { cause });
  }
}

function dyadic(units: bigint, depth: number): Rational {
  return Rational.of(units, 1n << BigInt(depth));
}
