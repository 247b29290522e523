/**
 * Fast exact draws from a log-quadratic law f(x) = e^(−(linear·x + quadratic·x²)) on the integers x ≥ 0, or on all
 * integers by |x| with a fair sign. Serves `Geometric`, `DiscreteLaplace` and `DiscreteGaussian`.
 *
 * The integers are cut into at most 1,024 strips of 2^b. A strip is chosen with probability proportional to f at
 * its first integer: one uniform U against certified cumulative weights, found through a guide table. An integer
 * of the strip is chosen uniformly and accepted with probability f(x)/f(first); the smallest such probability of
 * the strip is tabulated and accepts nearly always. Small scales have b = 0: one integer a strip, always accepted.
 * What a word cannot decide is decided by more digits of the same U in BigInt; the tail beyond the strips is drawn
 * under a geometric envelope. No step rounds, so the law is exact.
 *
 * Cost: 32 bits where b = 0 (Laplace scales to 44, σ to 150), else 65 with the rejections; 91 to 101 where an
 * offset leaves no room in its word (Laplace scales from 7.5·10⁸, σ from 2.5·10⁹). The tables take about a
 * millisecond and 20 kB. Proof: docs/proofs/strip-sampler.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { WinnowError } from "../errors.js";
import { ceilDiv } from "../exact/integers.js";
import { Rational } from "../exact/rational.js";
import { BELOW, compareWithExp, drawBernoulliExp, isBelowExp, UNDECIDED } from "./bernoulli-exp.js";
import { drawGeometric } from "./geometric.js";
import { PartialUniform } from "./partial-uniform.js";
import { LOST_DIGITS, StripWeights } from "./strip-weights.js";
import { type LogQuadratic, layOut, type Strips, stepExponent } from "./strips.js";

/** U is compared in 31 bits, so that every number in the hot loop is a small integer; the 32nd is the sign. */
const UNIT_BITS = 31;
const LARGEST_UNIT = 0x7fffffff;
const GUIDE_BITS = 12;
const GUIDE_SHIFT = UNIT_BITS - GUIDE_BITS;
const TABLE_PRECISION = 128;

export interface StripSamplerOptions {
  /** Whether draws have a fair sign. */
  readonly signed: boolean;
  /** Lowered in tests only, where few strips make the bit tree small. */
  readonly mostStrips?: number;
  /**
   * The fewest bits of a word left beside an offset to accept by; with fewer, acceptance gets its own word.
   * Lowered in tests only, where words are short.
   */
  readonly fewestAcceptanceBits?: number;
}

export class StripSampler {
  readonly #strips: Strips;
  readonly #weights: StripWeights;
  readonly #offsetBits: number;
  readonly #width: number;
  readonly #fewestAcceptanceBits: number;
  readonly #linear: number;
  readonly #quadratic: number;
  /** 1 if the last bit of a word is the sign, 0 if there are no negative draws. */
  readonly #signBit: 0 | 1;
  /** U < C_j for the cumulative probability C_j of strips 0 … j is certain below `below[j]`·2^−31 … */
  readonly #below: Int32Array;
  /** … and U ≥ C_(j−1) is in doubt up to `doubt[j]`·2^−31. */
  readonly #doubt: Int32Array;
  /** A strip at or before that of every U of the bucket. */
  readonly #guide: Uint16Array;
  /** V < `accept[j]`·2^−32 accepts every integer of strip j. */
  readonly #accept: Uint32Array;

  constructor(
    law: LogQuadratic,
    { signed, mostStrips = 1024, fewestAcceptanceBits = 8 }: StripSamplerOptions,
  ) {
    this.#strips = layOut(law, signed, mostStrips);
    this.#weights = new StripWeights(this.#strips, TABLE_PRECISION);
    this.#offsetBits = this.#strips.offsetBits;
    this.#width = Number(1n << BigInt(this.#offsetBits));
    this.#fewestAcceptanceBits = fewestAcceptanceBits;
    this.#linear = law.linear.toNumber();
    this.#quadratic = law.quadratic.toNumber();
    this.#signBit = signed ? 1 : 0;
    this.#below = endsBelow(this.#weights);
    this.#doubt = startsInDoubt(this.#weights);
    this.#accept = Uint32Array.from(this.#weights.ratios, (ratio) =>
      Number(ratio >> BigInt(TABLE_PRECISION - 32)),
    );
    this.#guide = guideTo(this.#below);
  }

  /** One draw. */
  sample(entropy: Entropy): number {
    for (;;) {
      const x = this.attempt(entropy);
      if (!Number.isNaN(x)) return x;
    }
  }

  /** One round of rejection: a draw, or NaN if it was rejected. With one integer a strip none is. */
  attempt(entropy: Entropy): number {
    const below = this.#below;
    const wordBits = entropy.wordBits;
    const word = entropy.word();
    // The 31 bits of U; those that a short word lacks are not drawn yet, so U is from `first` to `last`.
    const first = (word >>> 1) << (32 - wordBits);
    const last = first | (LARGEST_UNIT >>> (wordBits - 1));
    let strip = this.#guide[first >>> GUIDE_SHIFT];
    while (strip < below.length && below[strip] <= last) strip++;
    if (strip === below.length || first <= this.#doubt[strip]) strip = this.#locate(word, entropy);
    const sign = 1 - 2 * (word & this.#signBit); // a factor, not a branch: it would be mispredicted
    const offsetBits = this.#offsetBits;
    if (offsetBits === 0) return strip * sign + 0; // + 0 turns −0 into 0
    if (wordBits - offsetBits < this.#fewestAcceptanceBits) return this.#drawWide(strip, sign, entropy);
    const known = wordBits - offsetBits;
    const second = entropy.word();
    const v = second & (LARGEST_UNIT >>> (31 - known));
    const x = strip * this.#width + (second >>> known);
    // In the tail, accept[strip] is undefined, shifts to 0 and accepts nothing.
    if (v < this.#accept[strip] >>> (32 - known) && x > 0) return x * sign;
    return this.#accepts(strip, x, v, known, entropy) ? withSign(x, sign) : Number.NaN;
  }

  /** Fills the array with independent draws. */
  fill<A extends Int32Array | Float64Array>(target: A, entropy: Entropy): A {
    for (let index = 0; index < target.length; index++) {
      const x = this.sample(entropy);
      target[index] = x;
      if (target[index] !== x) {
        target.fill(0);
        throw outOfRange("a draw does not fit the array; use a Float64Array or a smaller scale");
      }
    }
    return target;
  }

  /** The strip of U where the word alone does not tell. */
  #locate(word: number, entropy: Entropy): number {
    const u = new PartialUniform(entropy, BigInt(word >>> 1), entropy.wordBits - 1);
    let weights = this.#weights;
    for (;;) {
      const strip = weights.stripOf(u);
      if (strip === this.#strips.count) return strip + this.#drawTail(entropy);
      if (strip !== undefined) return strip;
      u.reveal();
      if (u.bits > weights.precision - LOST_DIGITS)
        weights = new StripWeights(this.#strips, 2 * weights.precision);
    }
  }

  /** How many strips beyond the first of the tail: geometric at the rate of its first step, then thinned. */
  #drawTail(entropy: Entropy): number {
    const { law, offsetBits, count } = this.#strips;
    const envelope = Rational.ONE.dividedBy(stepExponent(this.#strips, BigInt(count)));
    const bend = law.quadratic.times(1n << BigInt(2 * offsetBits));
    for (;;) {
      const beyond = drawGeometric(envelope, entropy);
      if (!drawBernoulliExp(bend.times(beyond * (beyond - 1n)), entropy)) continue;
      if ((BigInt(count + 1) + beyond) << BigInt(offsetBits) > Number.MAX_SAFE_INTEGER)
        throw outOfRange("a draw is beyond the safe integers; use a smaller scale");
      return Number(beyond);
    }
  }

  /** The rest of a round where the offset fills a word. */
  #drawWide(strip: number, sign: number, entropy: Entropy): number {
    const x = strip * this.#width + entropy.bits(this.#offsetBits);
    return this.#accepts(strip, x, entropy.word(), entropy.wordBits, entropy)
      ? withSign(x, sign)
      : Number.NaN;
  }

  /** Whether V ∈ [v, v + 1)·2^−known is below f(x)/f(first of the strip). */
  #accepts(strip: number, x: number, v: number, known: number, entropy: Entropy): boolean {
    if (v < this.#accept[strip] >>> (32 - known)) return true;
    const first = strip * this.#width;
    const offset = x - first;
    const exponent = offset * (this.#linear + this.#quadratic * (2 * first + offset)); // relative error ≤ 5·2^−53
    const decided = compareWithExp(v, known, exponent);
    if (decided !== UNDECIDED) return decided === BELOW;
    const { linear, quadratic } = this.#strips.law;
    const exact = linear.plus(quadratic.times(2n * BigInt(first) + BigInt(offset))).times(BigInt(offset));
    return isBelowExp(new PartialUniform(entropy, BigInt(v), known), exact);
  }
}

/** x with its sign, or NaN for −0, which would give zero twice its share. */
function withSign(x: number, sign: number): number {
  return x > 0 || sign === 1 ? x * sign : Number.NaN;
}

/** For each strip j, ⌊2^31·C_j⌋ or less: less than 2^31, as the total is above every sum of strips. */
function endsBelow({ cumulative, total }: StripWeights): Int32Array {
  return Int32Array.from(cumulative, (sum) => Number((sum << BigInt(UNIT_BITS)) / total.hi));
}

/** For each strip j, ⌈2^31·C_(j−1)⌉ − 1 or more, if there are such units: −1 for the first strip. */
function startsInDoubt({ cumulative, error, total }: StripWeights): Int32Array {
  return Int32Array.from(cumulative, (_, strip) => {
    if (strip === 0) return -1;
    const certain = ceilDiv((cumulative[strip - 1] + error) << BigInt(UNIT_BITS), total.lo);
    return Math.min(Number(certain) - 1, LARGEST_UNIT);
  });
}

/** For each bucket of U, the first strip that reaches beyond its start. */
function guideTo(below: Int32Array): Uint16Array {
  const guide = new Uint16Array(1 << GUIDE_BITS);
  let strip = 0;
  for (let bucket = 0; bucket < guide.length; bucket++) {
    while (strip < below.length && below[strip] <= bucket << GUIDE_SHIFT) strip++;
    guide[bucket] = strip;
  }
  return guide;
}

function outOfRange(message: string): WinnowError {
  return new WinnowError("sample-out-of-range", message);
}
