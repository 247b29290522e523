/**
 * Fast exact draws from a log-quadratic law f(x) = e^(−(linear·x + quadratic·x²)) on the integers x ≥ 0, or on all
 * integers by |x| with a fair sign. Serves `Geometric`, `DiscreteLaplace` and `DiscreteGaussian`.
 *
 * The integers are cut into at most 1,024 strips of 2^b. A strip is chosen with probability proportional to f at
 * its first integer: one uniform U against certified cumulative weights. An integer of the strip is chosen uniformly
 * and accepted with probability f(x)/f(first), by a second uniform V; the smallest such probability of the strip is
 * tabulated and accepts nearly always. Small scales have b = 0: one integer a strip, always accepted.
 *
 * The first 12 bits of U are its bucket. Most buckets are within one strip; then the rest of the word is free to be
 * the offset in the strip and the first bits of V, and one word makes a draw. In the other buckets U takes the whole
 * word. What a word cannot decide is decided by more digits of the same U or V in BigInt; the tail beyond the strips
 * is drawn under a geometric envelope. No step rounds, so the law is exact.
 *
 * Cost: 32 bits where b = 0 (Laplace scales to 44, σ to 150), 34 to 39 to a Laplace scale of 2.9·10⁶ or a σ of
 * 9.8·10⁶, 64 to 67 to 10¹⁰, and 101 beyond 10¹¹, where an offset fills a word. The tables take about a millisecond
 * and 20 kB. Proof: strip-sampler.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
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
const TABLE_PRECISION = 128;
/** With fewer bits of V in the first word, more of them would be needed so often that two words are faster. */
const FEWEST_ACCEPTANCE_BITS = 3;
/** Sentinel: a draw from one word is never this negative. */
const OPEN = -0x80000000;

interface StripSamplerOptions {
  /** Whether draws have a fair sign. */
  readonly signed: boolean;
  /** Lowered in tests only, where few strips make the bit tree small. */
  readonly mostStrips?: number;
  /** There are 2^guideBits buckets. Lowered in tests only, where words are short. */
  readonly guideBits?: number;
}

export class StripSampler {
  readonly #strips: Strips;
  readonly #weights: StripWeights;
  readonly #offsetBits: number;
  readonly #width: number;
  readonly #guideBits: number;
  readonly #linear: number;
  readonly #quadratic: number;
  /** 1 if the last bit of a word is the sign, 0 if there are no negative draws. */
  readonly #signBit: 0 | 1;
  /** U < C_j for the cumulative probability C_j of strips 0 … j is certain below `below[j]`·2^−31 … */
  readonly #below: Int32Array;
  /** … and U ≥ C_(j−1) is in doubt up to `doubt[j]`·2^−31. */
  readonly #doubt: Int32Array;
  /** j ≥ 0 for a bucket that is certainly within strip j; else ~j < 0 where no U of it is in a strip before j. */
  readonly #guide: Int16Array;
  /** V < `accept[j]`·2^−32 accepts every integer of strip j. */
  readonly #accept: Uint32Array;
  /** What a word alone may decide on: with several integers a strip, zero is drawn apart for its sign. */
  readonly #least: 0 | 1;

  constructor(law: LogQuadratic, { signed, mostStrips = 1024, guideBits = 12 }: StripSamplerOptions) {
    this.#strips = layOut(law, signed, mostStrips);
    this.#weights = new StripWeights(this.#strips, TABLE_PRECISION);
    this.#offsetBits = this.#strips.offsetBits;
    this.#width = Number(1n << BigInt(this.#offsetBits));
    this.#guideBits = guideBits;
    this.#linear = law.linear.toNumber();
    this.#quadratic = law.quadratic.toNumber();
    this.#signBit = signed ? 1 : 0;
    this.#below = endsBelow(this.#weights);
    this.#doubt = startsInDoubt(this.#weights);
    this.#accept = acceptances(this.#strips, this.#weights);
    this.#least = this.#offsetBits === 0 ? 0 : 1;
    this.#guide = guideTo(this.#below, this.#doubt, guideBits);
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
    const word = entropy.word();
    const x = this.#decide(word, entropy.wordBits);
    return x === OPEN ? this.#attemptFrom(word | 0, entropy) : x;
  }

  /** Fills the array with independent draws. */
  fill<A extends Int32Array | Float64Array>(target: A, entropy: Entropy): A {
    for (let index = 0; index < target.length; index++) {
      const word = entropy.word();
      const x = this.#decide(word, entropy.wordBits);
      if (x === OPEN) target[index] = this.#sampleInto(target, word | 0, entropy);
      else target[index] = x; // apart from the other, which would make a double of x
    }
    return target;
  }

  /**
   * The draw that a word decides alone, or `OPEN`. Its first bits are the bucket. If that is within one strip, U
   * needs no more: the bits that follow are the offset and the first of V. The last bit is the sign.
   */
  #decide(word: number, wordBits: number): number {
    const offsetBits = this.#offsetBits;
    const known = wordBits - this.#guideBits - 1 - offsetBits;
    if (known < FEWEST_ACCEPTANCE_BITS) return OPEN;
    const strip = this.#guide[word >>> (wordBits - this.#guideBits)];
    const rest = word >>> 1;
    // Below 2^30, as the strip and the offset had room in a word; negative if the bucket is not within one strip.
    const x = (strip << offsetBits) | ((rest >>> known) & ((1 << offsetBits) - 1));
    const v = rest & ((1 << known) - 1);
    if (x < this.#least || v >= this.#bound(strip, known)) return OPEN;
    const negative = word & this.#signBit;
    return (x ^ -negative) + negative; // x or −x without a branch, which would be mispredicted
  }

  /**
   * A round that its first word does not decide alone. The word is given as a signed integer, which V8 passes
   * without allocating.
   */
  #attemptFrom(word: number, entropy: Entropy): number {
    const { wordBits } = entropy;
    const sign = 1 - 2 * (word & this.#signBit);
    const room = wordBits - this.#guideBits - 1;
    if (room - this.#offsetBits >= FEWEST_ACCEPTANCE_BITS && this.#offsetBits > 0) {
      const strip = this.#guide[word >>> (wordBits - this.#guideBits)];
      if (strip >= 0) return this.#finish(strip, (word >>> 1) & ((1 << room) - 1), room, sign, entropy);
    }
    const strip = this.#search(word, entropy);
    if (this.#offsetBits === 0) return strip * sign + 0; // + 0 turns −0 into 0
    if (wordBits > this.#offsetBits) return this.#finish(strip, entropy.word(), wordBits, sign, entropy);
    const x = strip * this.#width + entropy.bits(this.#offsetBits);
    return this.#judge(strip, x, entropy.word(), wordBits, sign, entropy);
  }

  /** The draw that begins with a word; throws, and leaves zeros, if the array cannot hold it. */
  #sampleInto(target: Int32Array | Float64Array, word: number, entropy: Entropy): number {
    let x = this.#attemptFrom(word, entropy);
    if (Number.isNaN(x)) x = this.sample(entropy);
    if (target instanceof Int32Array && (x | 0) !== x) {
      target.fill(0);
      throw outOfRange("a draw does not fit the array; use a Float64Array or a smaller scale");
    }
    return x;
  }

  /** The strip of U. */
  #search(word: number, entropy: Entropy): number {
    const below = this.#below;
    const { wordBits } = entropy;
    // The 31 bits of U; those that a short word lacks are not drawn yet, so U is from `first` to `last`.
    const first = (word >>> 1) << (32 - wordBits);
    const last = first | (LARGEST_UNIT >>> (wordBits - 1));
    const guide = this.#guide[first >>> (UNIT_BITS - this.#guideBits)];
    if (guide >= 0 && wordBits > this.#guideBits) return guide;
    let strip = guide < 0 ? ~guide : guide;
    while (strip < below.length && below[strip] <= last) strip++;
    return strip < below.length && first > this.#doubt[strip] ? strip : this.#locate(word, entropy);
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

  /** The rest of a round, where the offset and the first bits of V are the lowest `count` bits of a word. */
  #finish(strip: number, bits: number, count: number, sign: number, entropy: Entropy): number {
    const known = count - this.#offsetBits;
    const x = strip * this.#width + (bits >>> known);
    const v = bits & (LARGEST_UNIT >>> (31 - known));
    return this.#judge(strip, x, v, known, sign, entropy);
  }

  /** x with its sign if V ∈ [v, v + 1)·2^−known accepts it, else NaN. */
  #judge(strip: number, x: number, v: number, known: number, sign: number, entropy: Entropy): number {
    if (x === 0) return sign === 1 ? 0 : Number.NaN; // any V accepts it, but −0 would give it twice its share
    if (v < this.#bound(strip, known)) return x * sign; // nearly always; `accepts` is too large to be inlined
    return this.#accepts(strip, x, v, known, entropy) ? x * sign : Number.NaN;
  }

  /** A V of `bits` bits below this accepts every integer of the strip; 0 in the tail, where accept[strip] is undefined. */
  #bound(strip: number, bits: number): number {
    return this.#accept[strip] >>> (32 - bits);
  }

  /** Whether V is below f(x)/f(first of the strip). */
  #accepts(strip: number, x: number, v: number, known: number, entropy: Entropy): boolean {
    const bound = this.#bound(strip, known);
    if (v < bound) return true;
    // So close to the bound, these bits of V would seldom tell.
    const decided = v === bound ? UNDECIDED : compareWithExp(v, known, this.#exponent(strip, x));
    if (decided !== UNDECIDED) return decided === BELOW;
    const { wordBits } = entropy;
    const missing = Math.min(wordBits, UNIT_BITS) - known;
    if (missing <= 0) return this.#acceptsExactly(strip, x, v, known, entropy);
    const more = entropy.word() >>> (wordBits - missing);
    return this.#accepts(strip, x, (v << missing) | more, known + missing, entropy);
  }

  /** −ln of f(x)/f(first of the strip), with a relative error of at most 5·2^−53. */
  #exponent(strip: number, x: number): number {
    const first = strip * this.#width;
    const offset = x - first;
    return offset * (this.#linear + this.#quadratic * (2 * first + offset));
  }

  #acceptsExactly(strip: number, x: number, v: number, known: number, entropy: Entropy): boolean {
    const { law, offsetBits } = this.#strips;
    const first = BigInt(strip) << BigInt(offsetBits);
    const offset = BigInt(x) - first;
    const exponent = law.linear.plus(law.quadratic.times(2n * first + offset)).times(offset);
    return isBelowExp(new PartialUniform(entropy, BigInt(v), known), exponent);
  }
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

/** For each strip, a lower bound of 2^32·f(x)/f(first) for all its integers: with only one, every V is accepted. */
function acceptances({ offsetBits }: Strips, { ratios }: StripWeights): Uint32Array {
  return Uint32Array.from(ratios, (ratio) =>
    offsetBits === 0 ? 0xffffffff : Number(ratio >> BigInt(TABLE_PRECISION - 32)),
  );
}

/** For each bucket of U, the strip that certainly holds all of it, or ~ of the first that reaches beyond its start. */
function guideTo(below: Int32Array, doubt: Int32Array, guideBits: number): Int16Array {
  const size = 1 << (UNIT_BITS - guideBits);
  let strip = 0;
  return Int16Array.from({ length: 1 << guideBits }, (_, bucket) => {
    const first = bucket * size;
    while (strip < below.length && below[strip] <= first) strip++;
    return first > doubt[strip] && first + size <= below[strip] ? strip : ~strip;
  });
}

function outOfRange(message: string): WinnowError {
  return new WinnowError("sample-out-of-range", message);
}
