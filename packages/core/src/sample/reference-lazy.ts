/**
 * Real random numbers of which only the leading bits exist. A lazy real knows an enclosure of itself and can
 * always reveal more bits; nothing is ever rounded away. A decision about lazy reals (which is larger, how many
 * whole steps lie between them) is a function of revealed bits only: it is taken when the enclosures leave one
 * answer, and else more bits are revealed. So every decision is the one that the ideal real numbers would give,
 * and the bits not yet revealed stay fair and independent of all that was decided.
 *
 * These are the reference forms; `Reference` draws them. Cost: one random bit for each binary place revealed
 * and, on average, 11.5 bits for each of two exponentials that are drawn and compared, 12 for two Gumbels.
 * Proofs: docs/proofs/lazy-exponential.md, docs/proofs/lazy-gumbel.md.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { type RationalLike, rational } from "../exact/rational.js";

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

/** score + scale · noise. */
export function noisyScore(score: RationalLike, scale: RationalLike, noise: LazyReal): LazyReal {
  const [shift, factor] = [rational(score, "score"), rational(scale, "scale")];
  return { enclosure: (places) => noise.enclosure(places).times(factor).plus(shift) };
}

/** Whether the first is the larger one. Independent continuous variates are equal with probability 0. */
export function isAbove(first: LazyReal, second: LazyReal): boolean {
  for (let places = STEP; ; places += STEP) {
    const [one, other] = [first.enclosure(places), second.enclosure(places)];
    if (one.lo >= other.hi) return true;
    if (other.lo >= one.hi) return false;
  }
}

/** ⌊(first − second)/resolution⌋ for a resolution > 0: the gap in whole steps, rounded towards −∞. */
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
