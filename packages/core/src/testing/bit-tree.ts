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
import { Entropy } from "../entropy/entropy.js";
import { Rational } from "../exact/rational.js";
import { callable, integer, readOptions } from "../validate.js";
import { everyPath, NotDeterministic } from "./every-path.js";
import { OutOfBits } from "./replay-entropy.js";

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
  const run = (ask: (branches: number) => number) => runOnBits(ask, sample, { depth, wordBits, key });

  const units = new Map<string | undefined, bigint>(); // of 2^−depth
  let leaves = 0;
  for (const { label, answers } of everyPath(run)) {
    const unit = 1n << BigInt(depth - answers.length * wordBits);
    units.set(label, (units.get(label) ?? 0n) + unit);
    leaves++;
  }
  const mass = new Map<string, Rational>();
  for (const [label, count] of units) if (label !== undefined) mass.set(label, dyadic(count, depth));
  return { mass, undecided: dyadic(units.get(undefined) ?? 0n, depth), leaves };
}

/** One run: the outcome's name, or undefined when the bits did not suffice. */
function runOnBits<T>(
  ask: (branches: number) => number,
  sample: (entropy: Entropy) => T,
  { depth, wordBits, key }: { depth: number; wordBits: number; key: (outcome: T) => string },
): string | undefined {
  const given: number[] = [];
  let exhausted = false;
  const fill = (words: Uint32Array) => {
    exhausted ||= (given.length + 1) * wordBits > depth;
    if (exhausted) throw new OutOfBits(depth);
    words[0] = ask(Number(1n << BigInt(wordBits)));
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
