/**
 * A candidate still in the race. Its key, score + scale·noise, is a real number of which only as much is known as
 * the digits of its uniform U drawn so far tell. Comparisons and gaps are decided only when that is enough, and
 * otherwise draw more digits of the same U; so each decision is the one that the ideal real keys would give.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { type Rational, rational } from "../exact/rational.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import type { Noise } from "./noise.js";

/** What the contenders of a race share. */
export interface Terms {
  readonly noise: Noise;
  readonly scale: Rational;
}

/** The numbers from lo/over to hi/over, not in lowest terms: over > 0. */
export interface Ends {
  readonly lo: bigint;
  readonly hi: bigint;
  readonly over: bigint;
}

/** A key between two doubles, of which more can be learnt. */
export interface Keyed<T> {
  readonly lower: number;
  readonly upper: number;
  /** The numbers that the key may still be. */
  key(terms: T): Ends;
  /** Learns `digits` more binary digits, or some. */
  refine(digits?: number): void;
}

/** Contenders in columns, by place; `Pool` is one. */
interface Columns {
  readonly scores: ArrayLike<number | Rational>;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  /** U ∈ [word, word + 1)·2^−bits so far. */
  readonly words: ArrayLike<number>;
  readonly bits: ArrayLike<number>;
}

/** A contender in columns that do not change any more. Doubles stay there: most contenders need nothing else. */
export class Contender<Id = number> implements Keyed<Terms> {
  id: Id;
  private readonly columns: Columns;
  private readonly place: number;
  private readonly entropy: Entropy;
  /** Digits of U in BigInt, made of the word when a decision first needs more of them. */
  private uniform: PartialUniform | undefined;

  constructor(id: Id, columns: Columns, place: number, entropy: Entropy) {
    this.id = id;
    this.columns = columns;
    this.place = place;
    this.entropy = entropy;
  }

  get lower(): number {
    return this.columns.lower[this.place];
  }

  get upper(): number {
    return this.columns.upper[this.place];
  }

  key({ noise, scale }: Terms): Ends {
    const { lo, hi, precision } = noise.enclose(this.revealed());
    const { numerator, denominator } = scale;
    return plusScore(
      lo * numerator,
      hi * numerator,
      denominator << BigInt(precision),
      this.columns.scores[this.place],
    );
  }

  refine(digits?: number): void {
    this.revealed().reveal(digits);
  }

  private revealed(): PartialUniform {
    const { words, bits } = this.columns;
    this.uniform ??= new PartialUniform(this.entropy, BigInt(words[this.place]), bits[this.place]);
    return this.uniform;
  }
}

/** From lo/over + score to hi/over + score. */
export function plusScore(lo: bigint, hi: bigint, over: bigint, score: number | Rational): Ends {
  const { numerator, denominator } = rational(score);
  const start = numerator * over;
  return { lo: lo * denominator + start, hi: hi * denominator + start, over: over * denominator };
}

/** From the least to the most that a − b may be. */
function difference(a: Ends, b: Ends): Ends {
  return {
    lo: a.lo * b.over - b.hi * a.over,
    hi: a.hi * b.over - b.lo * a.over,
    over: a.over * b.over,
  };
}

/** Negative if the key of `a` is above that of `b`, positive if it is below: the order of winners. */
export function byKeyDescending<T>(terms: T, a: Keyed<T>, b: Keyed<T>): number {
  if (a.lower > b.upper) return -1;
  if (a.upper < b.lower) return 1;
  for (;;) {
    const { lo, hi } = difference(a.key(terms), b.key(terms));
    if (lo > 0n) return -1;
    if (hi < 0n) return 1;
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

/** Digits that are drawn a word at a time. */
const A_FEW = 64;

function exactGapInUnits(terms: Terms, a: Keyed<Terms>, b: Keyed<Terms>, unit: Rational): bigint {
  for (;;) {
    const { lo, hi, over } = difference(a.key(terms), b.key(terms));
    const divisor = over * unit.numerator;
    const most = (hi * unit.denominator) / divisor;
    // The order is decided: the gap is above 0, and `/` rounds what may be below it up to 0.
    if ((lo * unit.denominator) / divisor === most) return most;
    // A fine unit is some hundred digits away: a word at a time would compute as many logarithms.
    const missing = bitLength((hi - lo) * unit.denominator) - bitLength(divisor);
    const digits = missing > A_FEW ? missing : 1;
    a.refine(digits);
    b.refine(digits);
  }
}

/** 1 + 2^−50: more than the rounding of the unit and of two operations. */
const WIDEN = 1.0000000000000009;

/** The gap in whole units if the doubles decide it, else −1. */
function fastGapInUnits(a: Keyed<Terms>, b: Keyed<Terms>, unit: number): number {
  const most = Math.floor(((a.upper - b.lower) / unit) * WIDEN);
  const least = Math.floor(Math.max(a.lower - b.upper, 0) / unit / WIDEN);
  return least === most && most <= Number.MAX_SAFE_INTEGER ? least : -1;
}
