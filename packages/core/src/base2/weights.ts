/**
 * The weights of the base-2 exponential mechanism, b^d with b = (x/2^y)^z for an outcome whose utility is d above the
 * least. They aren't needed as numbers: an outcome is proposed with a probability proportional to 2^−octave, for an
 * octave ≤ d·η of which 2^−octave ≥ b^d is certain, and then kept with probability b^d·2^octave, exactly.
 *
 * A coin reveals one uniform U a word at a time. The first word is compared with an estimate in IEEE × whose error is
 * bounded; what that leaves open, 1 coin in some millions, goes to BigInt enclosures of the same power.
 * Proof: base2-exponential.proof.md.
 * @module
 */

import { type Base2Parameter, eta } from "../accounting/base2-parameter.js";
import type { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { bitLength, TWO_TO } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { drawBelow } from "../sample/uniform-below.js";
import type { Levels } from "./levels.js";

/** The estimate is of use for exponents z·d below 2^30 and octaves up to 62. */
const LARGEST_EXPONENT = 0x4000_0000;
/** 2^−50 for each factor of the power: more than twice the error, so that there is room for the comparison's own. */
const ERROR_OF_FACTOR = 1 / 0x4_0000_0000_0000;
/** More than what underflow can hide. */
const SMALLEST = 1e-280;
/** η as it is reported is at most 1 + 10⁻¹⁴ times too large; this makes it too small, the rounding of d·rate included. */
const DOWN = 1 - 1 / 0x100_0000_0000;
/** Below the weight of the last word, 2^−32, with room for rounding. */
const NEXT_TO_NOTHING = 1 / 0x100_0000_0000; // 2^−40
/** Digits of the enclosure beyond those that U has. */
const GUARD = 32;

export class Base2Weights {
  /** As `eta` made it: what is reported is what is computed with. */
  readonly parameter: Base2Parameter;
  /** Octaves for each unit of utility: η, or slightly less where η isn't an integer. ⌊d·rate⌋ ≤ d·η in IEEE arithmetic. */
  readonly rate: number;
  /** x/2^y, exactly and to the nearest double. */
  readonly #ratio: Rational;
  readonly #estimate: number;
  readonly #power: number;
  /** η or a little more. */
  readonly #size: number;
  readonly #isPowerOfTwo: boolean;

  constructor({ x, y, z }: Base2Parameter) {
    this.parameter = eta(x, y, z);
    this.#ratio = Rational.of(x, 1n << y);
    this.#estimate = this.#ratio.toNumber();
    this.#power = Number(z);
    this.#isPowerOfTwo = this.#ratio.numerator === 1n;
    this.#size = this.parameter.eta.toNumber("up");
    const size = this.parameter.eta.toNumber("down");
    this.rate = size < SMALLEST ? 0 : this.#isPowerOfTwo ? size : size * DOWN;
  }

  /** True with probability b^distance·2^octave, which must be at most 1. */
  keeps(distance: number | bigint, octave: number, entropy: Entropy): boolean {
    const units = Math.min(Number(distance), Number.MAX_VALUE);
    if (this.#isCertain(units, octave)) return true;
    const word = entropy.word();
    const { wordBits } = entropy;
    // b^distance ≤ 2^−(distance·rate): a weight so small loses against every word but 0.
    if (word > 0 && units * this.rate - octave >= wordBits) return false;
    const exponent = this.#power * units;
    if (exponent < LARGEST_EXPONENT && octave < 63) {
      const estimate = powerOf(this.#estimate, exponent) * TWO_TO[octave];
      const error = estimate * (exponent * ERROR_OF_FACTOR) + SMALLEST;
      const scale = TWO_TO[wordBits];
      if (word + 1 <= (estimate - error) * scale) return true;
      if (word >= (estimate + error) * scale) return false;
    }
    // b^distance > 1 − distance·η, because ln 2 < 1: a weight so near to 1 wins against every word but the last.
    const isNearOne = octave === 0 && units < Number.MAX_VALUE && units * this.#size < NEXT_TO_NOTHING;
    if (isNearOne && word + 1 < TWO_TO[wordBits]) return true;
    const u = new PartialUniform(entropy, BigInt(word), wordBits);
    return this.#isBelow(u, this.parameter.z * BigInt(distance), octave);
  }

  /** Whether b^distance = 2^−octave without a doubt: at distance 0, and in every octave where x is a power of two. */
  #isCertain(distance: number, octave: number): boolean {
    return distance === 0 || (this.#isPowerOfTwo && distance * this.rate === octave);
  }

  /** Whether U < (x/2^y)^exponent·2^octave, revealing as much of U as that takes. */
  #isBelow(u: PartialUniform, exponent: bigint, octave: number): boolean {
    const shift = BigInt(GUARD);
    for (;;) {
      const precision = u.bits + octave + GUARD;
      const ratio = Interval.from(this.#ratio, precision + bitLength(exponent)); // its error grows with the exponent
      const { lo, hi } = ratio.power(exponent).withPrecision(precision);
      // Both sides in units of 2^−(bits + GUARD).
      if ((u.numerator + 1n) << shift <= lo) return true;
      if (u.numerator << shift >= hi) return false;
      u.reveal();
    }
  }
}

/** ratio^exponent for an integer 1 ≤ exponent < 2^30, with one rounding for each multiplication that unfolds. */
function powerOf(ratio: number, exponent: number): number {
  let product = 1;
  let square = ratio;
  for (let rest = exponent; ; square *= square) {
    if ((rest & 1) === 1) product *= square;
    rest >>= 1;
    if (rest === 0) return product;
  }
}

const prepared = new WeakMap<Base2Parameter, Base2Weights>();

/** The reader of a parameter, which `Base2Weights` checks in full. */
export function madeByEta(field: string, value: Base2Parameter | undefined): Base2Parameter {
  if (typeof value !== "object" || value === null)
    throw invalidParameter(field, "a parameter made by eta() or etaAtMost()", value);
  return value;
}

/** The weights of a parameter, derived once for each. */
export function weightsOf(given: Base2Parameter | undefined): Base2Weights {
  const parameter = madeByEta("eta", given);
  let weights = prepared.get(parameter);
  if (weights === undefined) {
    weights = new Base2Weights(parameter);
    prepared.set(parameter, weights);
  }
  return weights;
}

/*
 * An envelope over the weights b^d made of powers of two. An outcome at distance d from the least level is in octave
 * ⌊d·rate⌋, and those that are far share the deepest one. An outcome is proposed with probability proportional to
 * 2^−octave: integers choose, and nothing is summed that could round. As 2^−octave ≥ b^d, keeping a proposal with
 * probability b^d·2^octave gives the weights, and about half of all proposals or more are kept. The utilities of near
 * outcomes are rounded here; a far one's can wait.
 *
 * Cost: one pass of 1 ns an outcome to list the near ones; a proposal goes through that list.
 * Proof: base2-exponential.proof.md.
 */

/** Outcomes 2^30 times less likely than the best are hardly ever proposed, and so need no octaves of their own. */
const DEEPEST = 30;
/** The total, number of outcomes·2^deepest at the most, stays below 2^52. */
const LARGEST_TOTAL_BITS = 52;

interface Proposal {
  readonly index: number;
  readonly octave: number;
}

export class OctaveEnvelope {
  /** Where the far outcomes are. */
  readonly #deepest: number;
  /** The indices, ascending, and the octaves of the others. */
  readonly #near: Uint32Array;
  readonly #octaves: Uint8Array;
  /** How many outcomes are in each octave, up to the last that has any. */
  readonly #counts: Float64Array;
  /** Σ count·2^−octave in units of the last octave's weight. */
  readonly #total: number;

  constructor(levels: Levels, rate: number, entropy: Entropy) {
    const { length } = levels.values;
    this.#deepest = Math.min(DEEPEST, LARGEST_TOTAL_BITS - 32 + Math.clz32(length));
    // The least level is at most origin + 1, and the levels from here on are at least deepest/rate above that.
    this.#near = indicesBelow(levels.values, levels.origin + 1 + Math.ceil(this.#deepest / rate));
    levels.settle(this.#near, entropy);
    this.#octaves = new Uint8Array(this.#near.length);
    const counts = new Float64Array(this.#deepest + 1);
    for (let i = 0; i < this.#near.length; i++) {
      const distance = Number(levels.drawDistance(this.#near[i], entropy));
      this.#octaves[i] = Math.min(distance * rate, this.#deepest - 1);
      counts[this.#octaves[i]]++;
    }
    counts[this.#deepest] = length - this.#near.length;
    const last = counts.findLastIndex((count) => count > 0);
    this.#counts = counts.subarray(0, last + 1);
    this.#total = this.#counts.reduce((sum, count, octave) => sum + count * TWO_TO[last - octave], 0);
  }

  /** An outcome, with probability proportional to 2^−octave. */
  propose(entropy: Entropy): Proposal {
    const counts = this.#counts;
    let rest = drawBelow(this.#total, entropy);
    let octave = 0;
    let weight = TWO_TO[counts.length - 1];
    for (; rest >= counts[octave] * weight; weight /= 2) rest -= counts[octave++] * weight;
    const rank = Math.floor(rest / weight);
    return { index: octave === this.#deepest ? this.#far(rank) : this.#member(octave, rank), octave };
  }

  /** The outcome that comes after `rank` others of its octave. */
  #member(octave: number, rank: number): number {
    let i = 0;
    let left = rank;
    while (this.#octaves[i] !== octave || left-- > 0) i++;
    return this.#near[i];
  }

  /** The outcome that comes after `rank` others that are not near. */
  #far(rank: number): number {
    let index = rank;
    for (let i = 0; i < this.#near.length && this.#near[i] <= index; i++) index++;
    return index;
  }
}

function indicesBelow(values: Float64Array, threshold: number): Uint32Array {
  let indices = new Uint32Array(Math.min(values.length, FEW));
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] >= threshold) continue;
    if (count === indices.length) indices = withTwiceTheRoom(indices);
    indices[count++] = i;
  }
  return indices.subarray(0, count);
}

const FEW = 256;

function withTwiceTheRoom(indices: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * indices.length);
  larger.set(indices);
  return larger;
}

/*
 * Memory for private numbers during one call: wiped at its end, whatever happens, and kept for the next call. Fresh memory
 * would cost more than all of the arithmetic: a selection among 75,000 outcomes takes half as long with this.
 */

/** More than this, a mebibyte, is not kept. */
const MOST_KEPT = 131_072;

let kept: Float64Array | undefined;

/** Runs `use` on an array of `length` numbers, whatever they are, and wipes it. */
export function withScratch<T>(length: number, use: (numbers: Float64Array) => T): T {
  const memory = kept !== undefined && kept.length >= length ? kept : new Float64Array(length);
  kept = undefined; // a call within this one, by a utility that selects in turn, takes other memory
  const numbers = memory.subarray(0, length);
  try {
    return use(numbers);
  } finally {
    numbers.fill(0);
    if (memory.length <= MOST_KEPT) kept = memory;
  }
}
