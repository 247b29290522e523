/**
 * `lazyGaussian`: a standard normal variate N, a real number that is revealed as far as a decision needs [Kar16].
 *
 * |N| is (j + x)·w, at the fraction x of the strip of width w that starts at jw:
 *   1. j with probability proportional to e^(−(jw)²/2), the largest density of its strip
 *   2. a fair sign and a uniform x, of which leading digits are drawn
 *   3. accept with probability e^(−x(2j + x)w²/2), that is if a uniform V is below; else start again
 * The product of 1 and 3 is e^(−((j + x)w)²/2). Each decision is taken on digits that are drawn: in doubles where a
 * certified bound tells, else with more digits in BigInt. The digits of x that are not drawn stay fair. Karney's
 * algorithm has w = 1; narrow strips accept nearly always.
 *
 * Cost: three words of 32 bits, 2.5 % more on average; a table takes 2 ms, once. Proof: lazy-gaussian.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { TWO_TO } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { BELOW, compareWithExp, NOT_BELOW } from "./bernoulli-exp.js";
import { PartialUniform } from "./partial-uniform.js";
import { StripSampler } from "./strip-sampler.js";

/** Strips of 1/16. */
const WIDTH_BITS = 4;
let prepared: GaussianStrips | undefined;

/**
 * Standard normal, P(N ≤ x) = Φ(x).
 *
 * @example
 * ```ts
 * import { lazyGaussian } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const variate = lazyGaussian(seededEntropy("winnow"));
 * variate.refine(); // another binary place, only if a decision needs it
 * variate.enclosure().isBelow(100); // → true
 * ```
 */
export function lazyGaussian(entropy: Entropy): LazyGaussian {
  prepared ??= new GaussianStrips(WIDTH_BITS);
  return prepared.draw(entropy);
}

/** The leading digits of a fraction, x ∈ [word, word + 1)·2^−bits. */
interface Digits {
  readonly entropy: Entropy;
  readonly word: number;
  readonly bits: number;
}

/**
 * A standard normal variate that is revealed as far as a decision needs, made by `lazyGaussian`.
 *
 * It is ±(strip + fraction)·2^−widthBits, of which the leading digits of the fraction are drawn.
 */
export class LazyGaussian {
  private readonly isNegative: boolean;
  private readonly strip: number;
  private readonly widthBits: number;
  private readonly digits: Digits;
  /** The fraction in BigInt, made when a decision first needs more digits. */
  private fraction: PartialUniform | undefined;

  /**
   * Made by `lazyGaussian`.
   *
   * @internal
   */
  constructor(isNegative: boolean, strip: number, widthBits: number, digits: Digits) {
    this.isNegative = isNegative;
    this.strip = strip;
    this.widthBits = widthBits;
    this.digits = digits;
    this.fraction = undefined;
  }

  /** The least that the first word of digits leaves, wrong by at most 2^−52 of it; exact if |N| < 2^17. */
  get lower(): number {
    return this.isNegative ? -this.magnitude(1) : this.magnitude(0);
  }

  /** The most, likewise. */
  get upper(): number {
    return this.isNegative ? -this.magnitude(0) : this.magnitude(1);
  }

  /** The least (0) or the most (1) that they leave for |N|. */
  private magnitude(end: 0 | 1): number {
    const { word, bits } = this.digits;
    return (this.strip + (word + end) / TWO_TO[bits]) / TWO_TO[this.widthBits];
  }

  /** The numbers that this may still be. */
  enclosure(): Interval {
    const { lo, hi, precision } = this.revealed().enclosure();
    const start = BigInt(this.strip) << BigInt(precision);
    const magnitude = new Interval(start + lo, start + hi, precision + this.widthBits);
    return this.isNegative ? magnitude.negated() : magnitude;
  }

  /** Draws one more word of digits, with which the enclosure shrinks. */
  refine(): void {
    this.revealed().reveal();
  }

  private revealed(): PartialUniform {
    const { entropy, word, bits } = this.digits;
    this.fraction ??= new PartialUniform(entropy, BigInt(word), bits);
    return this.fraction;
  }
}

/** Draws normal variates by strips of width w = 2^−widthBits; the law is the same for each width. */
export class GaussianStrips {
  private readonly widthBits: number;
  /** w²/2. */
  private readonly halfSquare: number;
  private readonly strips: StripSampler;

  constructor(widthBits: number) {
    const quadratic = Rational.of(1n, 1n << BigInt(2 * widthBits + 1));
    this.widthBits = widthBits;
    this.halfSquare = quadratic.toNumber();
    this.strips = new StripSampler({ linear: Rational.ZERO, quadratic }, { signed: false });
  }

  draw(entropy: Entropy): LazyGaussian {
    for (;;) {
      const variate = this.attempt(entropy);
      if (variate !== undefined) return variate;
    }
  }

  /** One round of rejection. */
  attempt(entropy: Entropy): LazyGaussian | undefined {
    const strip = this.strips.sample(entropy); // 1
    const word = entropy.word(); // 2
    const bits = entropy.wordBits - 1; // the first bit is the sign
    const digits = { entropy, word: word & (0x7fffffff >>> (31 - bits)), bits };
    const variate = new LazyGaussian(word >>> bits === 1, strip, this.widthBits, digits);
    return this.accepts(variate, strip, digits) ? variate : undefined; // 3
  }

  /** Whether V < e^(−γ), where γ = x(2j + x)w²/2 rises in x, so that the ends of what is drawn of x bound it. */
  private accepts(variate: LazyGaussian, strip: number, { entropy, word, bits }: Digits): boolean {
    const v = entropy.word();
    const { wordBits } = entropy;
    const most = this.exponent(strip, (word + 1) / TWO_TO[bits]);
    // V < (v + 1)·2^−wordBits and e^(−γ) ≥ 1 − γ; the unit between is far above all rounding.
    if ((v + 2) / TWO_TO[wordBits] < 1 - most) return true;
    if (compareWithExp(v, wordBits, most) === BELOW) return true;
    const least = this.exponent(strip, word / TWO_TO[bits]);
    if (compareWithExp(v, wordBits, least) === NOT_BELOW) return false;
    return this.acceptsExactly(variate, strip, new PartialUniform(entropy, BigInt(v), wordBits));
  }

  /** x(2j + x)w²/2 with a relative error below 2^−51. */
  private exponent(strip: number, x: number): number {
    return x * (2 * strip + x) * this.halfSquare;
  }

  /** Decides by as many more digits of V and of the variate as it takes; γ = (N² − (jw)²)/2. */
  private acceptsExactly(variate: LazyGaussian, strip: number, v: PartialUniform): boolean {
    const start = Rational.of(BigInt(strip), 1n << BigInt(this.widthBits));
    for (;;) {
      const cell = v.enclosure();
      const n = variate.enclosure().withPrecision(cell.precision);
      const threshold = n.times(n).minus(start.times(start)).dividedBy(-2n).exp();
      if (cell.hi <= threshold.lo) return true; // V < cell.hi
      if (cell.lo >= threshold.hi) return false;
      v.reveal();
      variate.refine();
    }
  }
}
