/**
 * The reference samplers: every distribution of Winnow drawn by the shortest exact algorithm known, in BigInt, one
 * fair bit at a time. They are slow and they are the oracle: the production samplers must have the same laws.
 *
 * Methods take integers that were validated before; a rational parameter comes as numerator and denominator. All
 * randomness is `bit()`, and each method reaches the others through `this`, so a test can replace a primitive, once
 * its own law is proven, by an enumerated choice. Cost: the mean number of random bits is given with each method and
 * holds within 5 %. The number of bits has a geometric tail, whatever the parameters.
 *
 * A lazy real is a random number of which only the leading bits exist. It knows an enclosure of itself and can always
 * reveal more bits; nothing is ever rounded away. A decision about lazy reals (which is larger, how many whole steps
 * lie between them) is a function of revealed bits only: it is taken when the enclosures leave one answer, and
 * otherwise more bits are revealed. So every decision is the one that the ideal real numbers would give, and the bits
 * not yet revealed stay fair and independent of all that was decided. Cost: one random bit for each binary place
 * revealed and, on average, 11.5 bits for each of two exponentials that are drawn and compared, 12 for two Gumbels.
 *
 * Each method names its proof.
 * @module
 */
import { type Entropy, Interval, type RationalLike, rational } from "winnow-dp";
import { integerSqrt } from "./integer-sqrt.js";

/**
 * The reference samplers: every distribution of Winnow by the shortest exact algorithm known, one fair bit at a time.
 *
 * They are slow and they are the oracle: the other samplers must have the same laws. Methods take integers that were
 * validated before; a rational parameter comes as numerator and denominator.
 *
 * @example
 * ```ts
 * import { Reference } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const samplers = new Reference(seededEntropy("winnow"));
 * samplers.uniformBelow(6n) < 6n; // → true
 * ```
 */
export class Reference {
  readonly #entropy: Entropy;

  /** Takes all randomness from this. */
  constructor(entropy: Entropy) {
    this.#entropy = entropy;
  }

  /** A fair bit: all randomness comes from here. */
  bit(): 0 | 1 {
    return this.#entropy.bit();
  }

  /**
   * Uniform on 0 … n − 1, for n ≥ 1, by the fast dice roller [Lum13].
   * Proof: packages/core/src/sample/uniform-below.proof.md.
   * Bits: at most log₂ n + 2; none for n = 1, 4.6 for n = 10, 20.3 for n = 1,000,003.
   */
  uniformBelow(n: bigint): bigint {
    let v = 1n;
    let c = 0n; // always uniform on 0 … v − 1
    for (;;) {
      if (v >= n) {
        if (c < n) return c;
        v -= n;
        c -= n;
      }
      v = 2n * v;
      c = 2n * c + BigInt(this.bit());
    }
  }

  /**
   * True with probability p/q, for 0 ≤ p ≤ q and q ≥ 1: U < p/q for a uniform U whose binary digits are drawn
   * until one differs from that of p/q. Proof: packages/core/src/sample/bernoulli.proof.md.
   * Bits: 2, whatever the size of q; fewer where p/q is a short binary fraction, 1 for 1/2, none for 0 and 1.
   */
  bernoulli(p: bigint, q: bigint): boolean {
    if (p >= q) return true;
    let r = p; // p/q without the digits compared so far
    while (r > 0n) {
      r = 2n * r;
      const digit = r >= q ? 1 : 0;
      if (digit === 1) r -= q;
      const u = this.bit();
      if (u !== digit) return u < digit;
    }
    return false; // all further digits of p/q are 0, so U ≥ p/q
  }

  /**
   * True with probability e^(−p/q), for p ≥ 0 and q ≥ 1 [CKS20, Alg 1]. Proof: packages/core/src/sample/bernoulli-exp.proof.md.
   * Bits for γ = p/q: none for 0, 2.2 for 1/10, 2.4 for 1, 3.6 for 7/3, 3.7 for 50 and all that is larger.
   */
  bernoulliExp(p: bigint, q: bigint): boolean {
    for (let k = p / q; k > 0n; k--) {
      if (!this.bernoulliExpUpToOne(1n, 1n)) return false; // B ← Bernoulli(e^(−1)); if B = 0 return 0
    }
    return this.bernoulliExpUpToOne(p % q, q); // C ← Bernoulli(e^(⌊γ⌋−γ)); return C
  }

  /** True with probability e^(−p/q), for p ≤ q. */
  bernoulliExpUpToOne(p: bigint, q: bigint): boolean {
    let K = 1n; // K ← 1
    while (this.bernoulli(p, q * K)) K++; // A ← Bernoulli(γ/K); if A = 1 then K ← K + 1, else leave the loop
    return K % 2n === 1n; // return 1 if K is odd, 0 if it is even
  }

  /**
   * y = 0, 1, 2, … with probability (1 − a)·a^y, where a = e^(−s/t), for s, t ≥ 1 [Ding23, Alg 5; CKS20, Alg 2].
   * Proof: packages/core/src/sample/geometric.proof.md. Bits: 3.7 for s/t = 1, 15.1 for 1/10, 25.2 for 1/1000.
   */
  geometric(s: bigint, t: bigint): bigint {
    let U = this.uniformBelow(t); // 2–4
    while (!this.bernoulliExp(U, t)) U = this.uniformBelow(t); // 5
    let V = 0n; // 6
    while (this.bernoulliExp(1n, 1n)) V++; // 7–12
    const X = U + t * V; // 13: geometric for s = 1
    return X / s; // 14, 15
  }

  /**
   * A geometric variate modulo M, for M ≥ 1: y = 0 … M − 1 with probability proportional to e^(−y·s/t).
   * Proof: packages/core/src/sample/truncated-geometric.proof.md. Bits for s/t = 1/10: 2.2 with M = 2, 4.4 with M = 4.
   */
  truncatedGeometric(s: bigint, t: bigint, M: bigint): bigint {
    if (M * s > t) return this.geometric(s, t) % M; // a uniform candidate would be refused too often
    let d = this.uniformBelow(M);
    while (!this.bernoulliExp(d * s, t)) d = this.uniformBelow(M);
    return d;
  }

  /**
   * x = 0, ±1, ±2, … with probability (1 − a)/(1 + a)·a^|x|, where a = e^(−s/t): scale t/s, for s, t ≥ 1
   * [CKS20, Alg 2]. Proof: packages/core/src/sample/discrete-laplace.proof.md. Bits: 6.9 for scale 1, 13.2 for 3, 26.3 for 1000.
   */
  discreteLaplace(s: bigint, t: bigint): bigint {
    for (;;) {
      const Y = this.geometric(s, t);
      const B = this.bit(); // B ← Bernoulli(1/2)
      if (B === 1 && Y === 0n) continue; // −0: otherwise zero would be drawn twice as often as it should
      return B === 1 ? -Y : Y; // return (1 − 2B)·Y
    }
  }

  /**
   * x = 0, ±1, ±2, … with probability proportional to e^(−x²/2σ²), where σ² = N/D, for N, D ≥ 1
   * [CKS20, Alg 3]. Proof: packages/core/src/sample/discrete-gaussian.proof.md. Bits: 18.7 for σ = 1/2, 21.5 for 1, 30.2 for 50.
   */
  discreteGaussian(N: bigint, D: bigint): bigint {
    const t = integerSqrt(N / D) + 1n; // t ← ⌊σ⌋ + 1
    for (;;) {
      const Y = this.discreteLaplace(1n, t); // Y ← discrete Laplace of scale t
      const d = (Y < 0n ? -Y : Y) * D * t - N; // (|Y| − σ²/t)·Dt
      if (this.bernoulliExp(d * d, 2n * N * D * t * t)) return Y; // C ← Bernoulli(e^(−(|Y|−σ²/t)²/2σ²))
    }
  }

  /**
   * Puts the items into one of their n! orders, each with probability 1/n!, and returns the same array
   * (Fisher–Yates). Proof: packages/core/src/sample/shuffle.proof.md. Bits: 28.6 for 10 items, 9,560 for 1,000.
   */
  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const chosen = Number(this.uniformBelow(BigInt(last + 1)));
      [items[last], items[chosen]] = [items[chosen], items[last]];
    }
    return items;
  }

  /** Uniform on [0, 1), nothing of it revealed yet. Bits: none now, one for each binary place later. */
  lazyUniform(): LazyUniform {
    return new LazyUniform(() => this.bit());
  }

  /**
   * Exponential of mean 1 [vN51]. Proof: packages/core/src/sample/lazy-exponential.proof.md.
   * Bits: 9.3 to create, with which its integer part and about two binary places are known; then one per place.
   */
  lazyExponential(): LazyExponential {
    for (let integer = 0n; ; integer++) {
      const fraction = this.exponentialFraction();
      if (fraction !== undefined) return new LazyExponential(integer, fraction);
    }
  }

  /** One trial for the fraction: a uniform U, kept with probability e^(−U), else undefined. */
  exponentialFraction(): LazyUniform | undefined {
    const U = this.lazyUniform();
    let smallest = U;
    let run = 1; // the length of the falling run U₁ > U₂ > …
    for (let next = this.lazyUniform(); next.isBelow(smallest); next = this.lazyUniform()) {
      smallest = next;
      run++;
    }
    return run % 2 === 1 ? U : undefined;
  }

  /** Standard Gumbel, −ln E. Proof: packages/core/src/sample/lazy-gumbel.proof.md. Bits: as many as its exponential E. */
  lazyGumbel(): LazyGumbel {
    return new LazyGumbel(this.lazyExponential());
  }
}

/** A real number that can be enclosed as closely as wanted. */
export interface LazyReal {
  /** An enclosure from (at least) `places` binary places of the randomness, at precision `places + GUARD`. */
  enclosure(places: number): Interval;
}

/** Extra digits of an enclosure, so that rounding in its arithmetic matters little beside the hidden bits. */
const GUARD = 8;

/** Decisions reveal this many binary places at a time. */
const STEP = 4;

/** U uniform on [0, 1): after b revealed bits, U ∈ [m, m + 1)/2^b. */
export class LazyUniform {
  readonly #nextBit: () => 0 | 1;
  #m = 0n;
  #b = 0;

  /** Reveals bits of this. */
  constructor(nextBit: () => 0 | 1) {
    this.#nextBit = nextBit;
  }

  /** How many binary places are revealed. */
  get places(): number {
    return this.#b;
  }

  /** ⌊2^places · U⌋, revealing what is missing. */
  floor(places: number): bigint {
    for (; this.#b < places; this.#b++) this.#m = 2n * this.#m + BigInt(this.#nextBit());
    return this.#m >> BigInt(this.#b - places);
  }

  /** Whether this is below the other: bit by bit from the front, until two bits differ. */
  isBelow(other: LazyUniform): boolean {
    for (let places = 1; ; places++) {
      const [own, others] = [this.floor(places), other.floor(places)];
      if (own !== others) return own < others;
    }
  }
}

/** E = integer + fraction, exponential of mean 1. */
export class LazyExponential implements LazyReal {
  /** The digits before the point. */
  readonly integer: bigint;
  /** Those after it. */
  readonly fraction: LazyUniform;

  /** Made by `Reference.lazyExponential`. */
  constructor(integer: bigint, fraction: LazyUniform) {
    this.integer = integer;
    this.fraction = fraction;
  }

  /** ⌊2^places · E⌋. */
  floor(places: number): bigint {
    return (this.integer << BigInt(places)) + this.fraction.floor(places);
  }

  /** [f, f + 1]/2^places for f = ⌊2^places · E⌋, without rounding. */
  enclosure(places: number): Interval {
    const floor = this.floor(places);
    return new Interval(floor << BigInt(GUARD), (floor + 1n) << BigInt(GUARD), places + GUARD);
  }
}

/** −ln E for an exponential E: a standard Gumbel variate. */
export class LazyGumbel implements LazyReal {
  /** E. */
  readonly exponential: LazyExponential;

  /** Made by `Reference.lazyGumbel`. */
  constructor(exponential: LazyExponential) {
    this.exponential = exponential;
  }

  /** An enclosure at precision `places` + 8, from as many binary places of E as that takes. */
  enclosure(places: number): Interval {
    let enough = places;
    while (this.exponential.floor(enough) === 0n) enough += STEP; // while E may be 0, −ln E has no upper bound
    return this.exponential
      .enclosure(enough)
      .ln()
      .negated()
      .withPrecision(places + GUARD);
  }
}

/**
 * score + scale · noise.
 *
 * @example
 * ```ts
 * import { noisyScore, Reference } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const reference = new Reference(seededEntropy("lazy"));
 * const noisy = noisyScore(5, 2, reference.lazyExponential());
 * noisy.enclosure(10).isAbove(5); // → true
 * ```
 */
export function noisyScore(score: RationalLike, scale: RationalLike, noise: LazyReal): LazyReal {
  const [shift, factor] = [rational(score, "score"), rational(scale, "scale")];
  return { enclosure: (places) => noise.enclosure(places).times(factor).plus(shift) };
}

/**
 * Whether the first is the larger one. Independent continuous variates are equal with probability 0.
 *
 * @example
 * ```ts
 * import { isAbove, noisyScore, Reference } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const reference = new Reference(seededEntropy("lazy"));
 * const [high, low] = [900, 3].map((score) => noisyScore(score, 1, reference.lazyExponential()));
 * isAbove(high, low); // → true
 * ```
 */
export function isAbove(first: LazyReal, second: LazyReal): boolean {
  for (let places = STEP; ; places += STEP) {
    const [one, other] = [first.enclosure(places), second.enclosure(places)];
    if (one.lo >= other.hi) return true;
    if (other.lo >= one.hi) return false;
  }
}

/**
 * ⌊(first − second)/resolution⌋ for a resolution > 0: the gap in whole steps, rounded towards −∞.
 *
 * @example
 * ```ts
 * import { gapFloor, noisyScore, Reference } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const reference = new Reference(seededEntropy("lazy"));
 * const [high, low] = [900, 3].map((score) => noisyScore(score, 1, reference.lazyExponential()));
 * gapFloor(high, low, 1000); // → 0n
 * ```
 */
export function gapFloor(first: LazyReal, second: LazyReal, resolution: RationalLike): bigint {
  for (let places = STEP; ; places += STEP) {
    const gap = first.enclosure(places).minus(second.enclosure(places));
    const steps = gap.lower().dividedBy(resolution).floor();
    if (
      gap
        .upper()
        .dividedBy(resolution)
        .compare(steps + 1n) <= 0
    )
      return steps;
  }
}
