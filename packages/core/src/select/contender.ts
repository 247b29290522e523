/**
 * A candidate still in the race. Its key, score + scale·noise, is a real number of which only as much is known as
 * the digits of its uniform U drawn so far tell. Comparisons and gaps are decided only when that is enough, and
 * otherwise draw more digits of the same U; so each decision is the one that the ideal real keys would give.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import type { Interval } from "../exact/interval.js";
import { type Rational, rational } from "../exact/rational.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import type { Noise } from "./noise.js";

/** What the contenders of a race share. */
export interface Terms {
  readonly noise: Noise;
  readonly scale: Rational;
}

/** The digits of U drawn so far: U ∈ [word, word + 1)·2^−bits. */
export interface Drawn {
  readonly entropy: Entropy;
  readonly word: number;
  readonly bits: number;
}

export class Contender<Id = number> {
  readonly id: Id;
  /** Doubles around the key. */
  readonly lower: number;
  readonly upper: number;
  readonly #score: number | Rational;
  /** Digits in BigInt are made of the word when a decision first needs more of them. */
  #uniform: Drawn | PartialUniform;

  constructor(id: Id, score: number | Rational, drawn: Drawn, lower: number, upper: number) {
    this.id = id;
    this.#score = score;
    this.#uniform = drawn;
    this.lower = lower;
    this.upper = upper;
  }

  /** The numbers that the key may still be. */
  key({ noise, scale }: Terms): Interval {
    return noise.enclose(this.#revealed()).times(scale).plus(rational(this.#score));
  }

  refine(): void {
    this.#revealed().reveal();
  }

  #revealed(): PartialUniform {
    if (this.#uniform instanceof PartialUniform) return this.#uniform;
    const { entropy, word, bits } = this.#uniform;
    this.#uniform = new PartialUniform(entropy, BigInt(word), bits);
    return this.#uniform;
  }
}

/** Negative if the key of `a` is above that of `b`, positive if it is below: the order of winners. */
export function byKeyDescending(terms: Terms, a: Contender<unknown>, b: Contender<unknown>): number {
  if (a.lower > b.upper) return -1;
  if (a.upper < b.lower) return 1;
  for (;;) {
    const [keyOfA, keyOfB] = alike(a.key(terms), b.key(terms));
    if (keyOfB.isBelow(keyOfA)) return -1;
    if (keyOfA.isBelow(keyOfB)) return 1;
    a.refine();
    b.refine();
  }
}

/** ⌊(key of a − key of b)/unit⌋ for a key of `a` above that of `b`; `unitNumber` is the double nearest to the unit. */
export function gapInUnits(
  terms: Terms,
  a: Contender<unknown>,
  b: Contender<unknown>,
  unit: Rational,
  unitNumber: number,
): number | bigint {
  const fast = fastGapInUnits(a, b, unitNumber);
  return fast >= 0 ? fast : exactGapInUnits(terms, a, b, unit);
}

function exactGapInUnits(terms: Terms, a: Contender<unknown>, b: Contender<unknown>, unit: Rational): bigint {
  for (;;) {
    const [keyOfA, keyOfB] = alike(a.key(terms), b.key(terms));
    const gap = keyOfA.minus(keyOfB).dividedBy(unit);
    const most = gap.upper().floor();
    const least = gap.lo <= 0n ? 0n : gap.lower().floor(); // the order is decided: the gap is above 0
    if (least === most) return least;
    a.refine();
    b.refine();
  }
}

/** 1 + 2^−50: more than the rounding of the unit and of two operations. */
const WIDEN = 1.0000000000000009;

/** The same if the doubles tell, else −1. */
function fastGapInUnits(a: Contender<unknown>, b: Contender<unknown>, unit: number): number {
  const most = Math.floor(((a.upper - b.lower) / unit) * WIDEN);
  const least = Math.floor(Math.max(a.lower - b.upper, 0) / unit / WIDEN);
  return least === most && most <= Number.MAX_SAFE_INTEGER ? least : -1;
}

function alike(a: Interval, b: Interval): [Interval, Interval] {
  const precision = Math.max(a.precision, b.precision);
  return [a.withPrecision(precision), b.withPrecision(precision)];
}
