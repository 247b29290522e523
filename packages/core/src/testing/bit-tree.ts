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
import { invalidParameter } from "../errors.js";
import { Rational } from "../exact/rational.js";
import { callable, integer, readOptions } from "../validate.js";

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

/*
 * The walk beneath `bitTree` and `choiceTree`: runs a function that asks for choices once for every sequence
 * of answers it can get. A run that asks for more than was decided so far gets option 0 and the tree grows
 * there, so each leaf costs one run, inner nodes nothing, and only questions that were really asked have
 * branches.
 */

interface Path {
  /** What the run returned at this leaf. */
  readonly label: string | undefined;
  /** The answers that led to it. Reused by the next path: read it before asking for that. */
  readonly answers: readonly number[];
}

/**
 * Thrown when the same answers lead to different behaviour: the tree of such a function means nothing.
 *
 * @example
 * ```ts
 * import { bitTree, NotDeterministic } from "winnow-dp/testing";
 *
 * let runs = 0;
 * try {
 *   bitTree((bits) => (runs++ % 2 === 0 ? bits.bit() : bits.bits(2)), { depth: 4 });
 * } catch (error) {
 *   console.log(error instanceof NotDeterministic);
 * }
 * ```
 */
export class NotDeterministic extends Error {
  /** Always `"NotDeterministic"`. */
  override readonly name = "NotDeterministic";

  /** An error that says so. */
  constructor() {
    super("the same answers led to different behaviour: the walked function keeps state between its runs");
  }
}

/** Every leaf of the tree, depth first. `ask(n)` answers with an option from 0 to n − 1. */
export function* everyPath(
  run: (ask: (options: number) => number) => string | undefined,
): Generator<Path, void> {
  const options: number[] = [];
  const answers: number[] = [];
  const follow = () => {
    let step = 0;
    const label = run((count) => {
      if (step === answers.length) {
        options.push(count);
        answers.push(0);
      }
      if (options[step] !== count) throw new NotDeterministic();
      return answers[step++];
    });
    if (step < answers.length) throw new NotDeterministic();
    return label;
  };

  const first = follow();
  yield { label: first, answers };
  while (advance(answers, options)) yield { label: follow(), answers };
  if (follow() !== first) throw new NotDeterministic(); // a spare kept from another run shows here at last
}

/** To the next branch in depth-first order; false, with no answers left, when that was the last. */
function advance(answers: number[], options: number[]): boolean {
  while (answers.length > 0) {
    const last = answers.length - 1;
    if (++answers[last] < options[last]) return true;
    answers.pop();
    options.pop();
  }
  return false;
}

/*
 * An entropy that replays given bits and then throws: it pins a sampler to one path through its bit tree. How
 * many bits were used is its `bitsUsed`.
 */

/**
 * Thrown instead of a word when too few of the given bits are left.
 *
 * @example
 * ```ts
 * import { OutOfBits, replayEntropy } from "winnow-dp/testing";
 *
 * try {
 *   replayEntropy("01").bits(3);
 * } catch (error) {
 *   console.log(error instanceof OutOfBits);
 * }
 * ```
 */
export class OutOfBits extends Error {
  /** Always `"OutOfBits"`. */
  override readonly name = "OutOfBits";
  /** How many bits there were in all. */
  readonly available: number;

  /** An error that says how many there were. */
  constructor(available: number) {
    super(`more bits were asked for than the ${available} available`);
    this.available = available;
  }
}

/**
 * An entropy that replays a text of 0s and 1s, the first character first, and then throws `OutOfBits`.
 *
 * @param bits The text.
 * @param options How the bits are handed out.
 * @param options.wordBits The bits in a word, the first of them on top. Default 1.
 *
 * @example
 * ```ts
 * import { replayEntropy } from "winnow-dp/testing";
 *
 * replayEntropy("1011").bits(4); // → 11
 * ```
 */
export function replayEntropy(bits: string, options: { wordBits?: number | undefined } = {}): Entropy {
  const { wordBits = 1 } = readOptions(options, {}, { wordBits: integer });
  if (typeof bits !== "string" || !/^[01]*$/.test(bits))
    throw invalidParameter("bits", "a text of 0s and 1s", bits);
  let next = 0;
  const fill = (words: Uint32Array) => {
    if (next + wordBits > bits.length) throw new OutOfBits(bits.length);
    words[0] = Number.parseInt(bits.slice(next, next + wordBits), 2);
    next += wordBits;
  };
  return new Entropy({ fill, wordBits, poolWords: 1 }); // one word at a time: what is not asked for is not taken
}
