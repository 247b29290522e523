/**
 * A candidate still in the race. Its key, score + scale·noise, is a real number of which only as much is known as
 * the digits of its uniform U drawn so far tell. Comparisons and gaps are decided only when that is enough, and
 * otherwise draw more digits of the same U; so each decision is the one that the ideal real keys would give.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import type { Interval } from "../exact/interval.js";
import { type Rational, rational } from "../exact/rational.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import type { Noise } from "./noise.js";

/** What the contenders of a race share. */
export interface Terms {
  readonly noise: Noise;
  readonly scale: Rational;
}

/** A key between two doubles, of which more can be learnt. */
export interface Keyed<T> {
  readonly lower: number;
  readonly upper: number;
  /** The numbers that the key may still be. */
  key(terms: T): Interval;
  refine(): void;
}

export class Contender<Id = number> implements Keyed<Terms> {
  readonly id: Id;
  readonly lower: number;
  readonly upper: number;
  private readonly score: number | Rational;
  private readonly entropy: Entropy;
  private readonly word: number;
  private readonly bits: number;
  /** Digits of U in BigInt, made of the word when a decision first needs more of them. */
  private uniform: PartialUniform | undefined;

  /** U ∈ [word, word + 1)·2^−bits so far. */
  constructor(
    id: Id,
    score: number | Rational,
    entropy: Entropy,
    word: number,
    bits: number,
    lower: number,
    upper: number,
  ) {
    this.id = id;
    this.lower = lower;
    this.upper = upper;
    this.score = score;
    this.entropy = entropy;
    this.word = word;
    this.bits = bits;
    this.uniform = undefined;
  }

  /** A small scale needs more binary places for the digits that are drawn. */
  key({ noise, scale }: Terms): Interval {
    const units = noise.enclose(this.revealed());
    const places = Math.max(bitLength(scale.denominator) - bitLength(scale.numerator), 0);
    return units
      .withPrecision(units.precision + places)
      .times(scale)
      .plus(rational(this.score));
  }

  refine(): void {
    this.revealed().reveal();
  }

  private revealed(): PartialUniform {
    this.uniform ??= new PartialUniform(this.entropy, BigInt(this.word), this.bits);
    return this.uniform;
  }
}

/** Negative if the key of `a` is above that of `b`, positive if it is below: the order of winners. */
export function byKeyDescending<T>(terms: T, a: Keyed<T>, b: Keyed<T>): number {
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
  a: Keyed<Terms>,
  b: Keyed<Terms>,
  unit: Rational,
  unitNumber: number,
): number | bigint {
  const fast = fastGapInUnits(a, b, unitNumber);
  return fast >= 0 ? fast : exactGapInUnits(terms, a, b, unit);
}

function exactGapInUnits(terms: Terms, a: Keyed<Terms>, b: Keyed<Terms>, unit: Rational): bigint {
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
function fastGapInUnits(a: Keyed<Terms>, b: Keyed<Terms>, unit: number): number {
  const most = Math.floor(((a.upper - b.lower) / unit) * WIDEN);
  const least = Math.floor(Math.max(a.lower - b.upper, 0) / unit / WIDEN);
  return least === most && most <= Number.MAX_SAFE_INTEGER ? least : -1;
}

function alike(a: Interval, b: Interval): [Interval, Interval] {
  const precision = Math.max(a.precision, b.precision);
  return [a.withPrecision(precision), b.withPrecision(precision)];
}
