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
