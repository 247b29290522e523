/**
 * The k-subsets of n candidates in classes of equal weight, and a class drawn with exactly its probability.
 *
 * Positions 0 … n − 1 are by falling score; T is the first k. A set S ≠ T has a first position k − 1 − i that it leaves out
 * (0 ≤ i < k) and a last position k + j that it has (0 ≤ j < n − k). All positions before the one are in, none after the other
 * is, and i of the i + j positions between them are in. So class (i, j) has C(i + j, i) sets, each with the penalty
 *   p = q(T) − q(S) = λ·A_i + (1 − λ)·B_j,   A_i = h_{k−1−i} − h_k,   B_j = h_{k−1} − h_{k+j}
 * and the weight C(i + j, i)·e^(−p/τ) relative to T.
 *
 * Rejection from an envelope of powers of two: each class is proposed through exactly one part, T, an octave of near classes
 * or the grid of far ones, with a weight at least its own, and kept by an exact coin. Doubles decide which envelope is used,
 * never the law: each exponent is rounded up from a logarithm with a certified error, and `isNear` is the only judge of which
 * part a class belongs to.
 *
 * Cost: at most k·(n − k) exponents of about 4 ns, in blocks most of which one bound skips; about one coin a draw.
 * Proof: top-k-set.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import type { Interval } from "../exact/interval.js";
import { LARGEST_FACTORIAL, lnFactorial, lnFactorials } from "../exact/ln-factorial.js";
import { Rational } from "../exact/rational.js";
import { drawBernoulli } from "../sample/bernoulli.js";
import { LN_2 } from "../sample/minus-ln.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { drawBelow, drawBigBelow } from "../sample/uniform-below.js";
import { type RankedScores, SHARE_LOST } from "./ranked-scores.js";

/** How a penalty becomes a weight. */
export interface Weighing {
  /** λ: the part of the outsiders in the score of a set. */
  readonly outsiderShare: Rational;
  /** How many natural logarithms a weight loses for each unit of penalty, rounded down. */
  readonly rate: number;
  /** Encloses the weight of a penalty ≥ 0. */
  weight(penalty: Rational, precision: number): Interval;
}

/** A set other than T, by the first position that it leaves out and the last that it has. */
export interface SetClass {
  readonly i: number;
  readonly j: number;
}

/** How many octaves below the largest class a near class may be. */
const DEPTH = 64;
/**
 * More than all errors of a logarithm of a weight: three of ln m! (3·2^−15), two products of numbers below 2^30 with a
 * relative error of 2^−50 (2^−19), two differences that are lost to less than 2^−19, and the roundings of sums below 2^35.
 */
const SLACK = 1 / 64;
/** Larger losses are taken to be this, 2^30: a smaller loss is a larger envelope. */
const LARGEST_LOSS = 0x4000_0000;
/** A difference that is lost to less than this many logarithms is taken as it is. */
const LITTLE = 1 / 0x10_0000; // 2^−20
/** 1/ln 2, to half a unit in the last place; `slack` has room for that. */
const LOG2_E = 1 / LN_2;
/** How many classes of a row one bound can skip. */
const BLOCK = 256;

/** How large a list may be: ln m! is certified up to here. */
export const MOST_CANDIDATES = LARGEST_FACTORIAL;

/** Scores farther than this below the k-th make classes that are far, whatever the other scores are. */
export function reachOf(n: number, k: number, { outsiderShare, rate }: Weighing): number {
  const sets = lnFactorial(n) - lnFactorial(k) - lnFactorial(n - k);
  return (sets + DEPTH * LN_2 + 1) / (rate * Rational.ONE.minus(outsiderShare).toNumber("down"));
}

export class SetClasses {
  readonly #scores: RankedScores;
  readonly #k: number;
  readonly #weighing: Weighing;
  readonly #depth: number;
  readonly #slack: number;
  /** ln m!. */
  readonly #factorials: Float64Array;
  /** λ·A_i and (1 − λ)·B_j in logarithms, not above the true ones; B for sorted positions only. */
  readonly #outsiders: Float64Array;
  readonly #insiders: Float64Array;
  /** The largest exponent of a class, or 0, that of T. */
  readonly #top: number;
  /** The number of near classes in each octave below the top. */
  readonly #octaves: number[];
  readonly #total: bigint;

  /** `depth` and `slack` are for tests: any depth ≥ 1 and any slack not below the certified one give the same law. */
  constructor(scores: RankedScores, k: number, weighing: Weighing, depth = DEPTH, slack = SLACK) {
    this.#scores = scores;
    this.#k = k;
    this.#weighing = weighing;
    this.#depth = depth;
    this.#slack = slack;
    const columns = scores.sortedLength - k;
    this.#factorials = lnFactorials(k + columns);
    const { outsiderShare, rate } = weighing;
    this.#outsiders = new Float64Array(k);
    const outside = rate * outsiderShare.toNumber("down");
    for (let i = 0; i < k; i++) this.#outsiders[i] = this.#loss(k - 1 - i, k, outside);
    this.#insiders = new Float64Array(columns);
    const inside = rate * Rational.ONE.minus(outsiderShare).toNumber("down");
    for (let j = 0; j < columns; j++) this.#insiders[j] = this.#loss(k - 1, k + j, inside);
    this.#top = this.#largest();
    this.#octaves = new Array(depth).fill(0);
    this.#eachNear((_i, _j, octave) => ++this.#octaves[octave] < 0);
    const near = this.#octaves.reduce((sum, count, octave) => sum + this.#units(count, octave), 0n);
    this.#total = this.#unitsOfT() + near + BigInt(k) * BigInt(scores.length - k);
  }

  /** A class with the probability of its sets, or undefined for T. */
  draw(entropy: Entropy): SetClass | undefined {
    for (;;) {
      const drawn = this.#propose(drawBigBelow(this.#total, entropy), entropy);
      if (drawn !== "rejected") return drawn === "first" ? undefined : drawn;
    }
  }

  /** One proposal: a set's class that was kept, T, or nothing. Units are of 2^(top − depth). */
  #propose(unit: bigint, entropy: Entropy): SetClass | "first" | "rejected" {
    let rest = unit - this.#unitsOfT();
    if (rest < 0n) return areAllZero(this.#top - this.#depth, entropy) ? "first" : "rejected";
    for (let octave = 0; octave < this.#depth; octave++) {
      const size = BigInt(this.#depth - octave);
      const units = this.#units(this.#octaves[octave], octave);
      if (rest < units)
        return this.#keep(this.#ofOctave(octave, Number(rest >> size)), this.#top - octave, entropy);
      rest -= units;
    }
    const far = { i: Number(rest % BigInt(this.#k)), j: Number(rest / BigInt(this.#k)) };
    return this.#isNear(far.i, far.j) ? "rejected" : this.#keep(far, this.#top - this.#depth, entropy);
  }

  /** T weighs 1 = 2^0; where a unit is more than that, it is proposed by one unit and kept by as many bits. */
  #unitsOfT(): bigint {
    return this.#top > this.#depth ? 1n : 1n << BigInt(this.#depth - this.#top);
  }

  /** `count` classes of an octave, each proposed with a weight of 2^(top − octave). */
  #units(count: number, octave: number): bigint {
    return BigInt(count) << BigInt(this.#depth - octave);
  }

  /** Keeps a class that was proposed with a weight of 2^exponent with probability weight/2^exponent. */
  #keep(proposed: SetClass, exponent: number, entropy: Entropy): SetClass | "rejected" {
    const { i, j } = proposed;
    const sets = binomial(i + j, i);
    const ratio =
      exponent < 0 ? Rational.of(sets << BigInt(-exponent)) : Rational.of(sets, 1n << BigInt(exponent));
    return isKept(ratio, this.#penalty(proposed), this.#weighing, entropy) ? proposed : "rejected";
  }

  #penalty({ i, j }: SetClass): Rational {
    const at = (position: number) => this.#scores.exact(position);
    const { outsiderShare } = this.#weighing;
    const outside = at(this.#k - 1 - i).minus(at(this.#k));
    const inside = at(this.#k - 1).minus(at(this.#k + j));
    return outside.times(outsiderShare).plus(inside.times(Rational.ONE.minus(outsiderShare)));
  }

  /** The difference between the scores at two positions in logarithms, not above the true one. */
  #loss(from: number, to: number, rate: number): number {
    if (rate === 0) return 0;
    const [high, low] = [this.#scores.at(from), this.#scores.at(to)];
    const isExact = Number.isSafeInteger(high) && Number.isSafeInteger(low);
    const lost = isExact ? 0 : (Math.abs(high) + Math.abs(low)) * SHARE_LOST;
    const difference =
      lost * rate < LITTLE
        ? high - low - lost
        : this.#scores.exact(from).minus(this.#scores.exact(to)).toNumber("down");
    return Math.min(Math.max(difference, 0) * rate, LARGEST_LOSS);
  }

  /** An e with 2^e at least the weight of class (i, j). */
  #exponent(i: number, j: number): number {
    const factorials = this.#factorials;
    const sets = factorials[i + j] - factorials[i] - factorials[j];
    return Math.ceil((sets - this.#outsiders[i] - this.#insiders[j] + this.#slack) * LOG2_E);
  }

  /** An e with 2^e at least the weights of all classes (i, j) with first ≤ j ≤ last: binomials rise in j, and so does B. */
  #blockExponent(i: number, first: number, last: number): number {
    const factorials = this.#factorials;
    const sets = factorials[i + last] - factorials[i] - factorials[last];
    return Math.ceil((sets - this.#outsiders[i] - this.#insiders[first] + this.#slack) * LOG2_E);
  }

  /** From the last class on, where the largest of many equal scores is. */
  #largest(): number {
    const columns = this.#insiders.length;
    let top = 0;
    for (let i = this.#k - 1; i >= 0; i--)
      for (let end = columns; end > 0; ) {
        const start = Math.floor((end - 1) / BLOCK) * BLOCK;
        if (this.#blockExponent(i, start, end - 1) > top)
          for (let j = end - 1; j >= start; j--) top = Math.max(top, this.#exponent(i, j));
        end = start;
      }
    return top;
  }

  /** Visits all near classes, always in the same order, until one is found. */
  #eachNear(isFound: (i: number, j: number, octave: number) => boolean): void {
    const columns = this.#insiders.length;
    const least = this.#top - this.#depth;
    for (let i = 0; i < this.#k; i++)
      for (let start = 0; start < columns; start += BLOCK) {
        const end = Math.min(start + BLOCK, columns);
        if (this.#blockExponent(i, start, end - 1) <= least) continue;
        for (let j = start; j < end; j++) {
          const exponent = this.#exponent(i, j);
          if (exponent > least && isFound(i, j, this.#top - exponent)) return;
        }
      }
  }

  /** Whether `eachNear` visits this class. */
  #isNear(i: number, j: number): boolean {
    const columns = this.#insiders.length;
    if (j >= columns) return false;
    const least = this.#top - this.#depth;
    const start = Math.floor(j / BLOCK) * BLOCK;
    const last = Math.min(start + BLOCK, columns) - 1;
    return this.#blockExponent(i, start, last) > least && this.#exponent(i, j) > least;
  }

  /** The class of this rank among those of an octave. */
  #ofOctave(octave: number, rank: number): SetClass {
    let left = rank;
    let found: SetClass = { i: 0, j: 0 };
    this.#eachNear((i, j, at) => {
      if (at !== octave || left-- > 0) return false;
      found = { i, j };
      return true;
    });
    return found;
  }
}

/** Whether `count` bits are 0; none are drawn if it isn't above 0. */
function areAllZero(count: number, entropy: Entropy): boolean {
  for (let missing = count; missing > 0; missing--) if (entropy.bit() === 1) return false;
  return true;
}

/** True with probability ratio·weight(penalty), which is at most 1. */
function isKept(ratio: Rational, penalty: Rational, weighing: Weighing, entropy: Entropy): boolean {
  if (penalty.numerator === 0n) return drawBernoulli(ratio.numerator, ratio.denominator, entropy);
  const wide = Math.max(bitLength(ratio.numerator) - bitLength(ratio.denominator), 0) + 8;
  for (const u = new PartialUniform(entropy); ; u.reveal()) {
    const cell = u.enclosure();
    const bound = weighing
      .weight(penalty, cell.precision + wide)
      .times(ratio)
      .withPrecision(cell.precision);
    if (cell.hi <= bound.lo) return true;
    if (cell.lo >= bound.hi) return false;
  }
}

/** n!/(m!·(n − m)!), exactly. */
function binomial(n: number, m: number): bigint {
  const least = Math.min(m, n - m);
  let product = 1n;
  for (let factor = 1; factor <= least; factor++)
    product = (product * BigInt(n - least + factor)) / BigInt(factor);
  return product;
}

/** A set of the class, uniformly: its positions, the i between by Floyd's algorithm. */
export function drawSet(k: number, drawn: SetClass | undefined, entropy: Entropy): number[] {
  const firsts = drawn === undefined ? k : k - 1 - drawn.i;
  const positions = Array.from({ length: firsts }, (_, position) => position);
  if (drawn === undefined) return positions;
  const { i, j } = drawn;
  const between = new Set<number>();
  for (let last = j; last < i + j; last++) {
    const picked = drawBelow(last + 1, entropy);
    between.add(between.has(picked) ? last : picked);
  }
  for (const offset of between) positions.push(k - i + offset);
  positions.push(k + j);
  return positions;
}
