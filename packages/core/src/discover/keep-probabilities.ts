/**
 * Whether to publish a name that n people have, as often as (ε, δ)-DP allows for one name [DVGM20]:
 *
 *     π_0 = 0,  π_n = min(e^ε·π_(n−1) + δ, 1 − e^(−ε)·(1 − π_(n−1) − δ), 1).
 *
 * The π_n are enclosed, never rounded: the least of some enclosures encloses the least, so it doesn't matter which branch
 * it is. A name is kept if a lazily revealed uniform U is below π_n; where its digits don't tell, more are drawn of the
 * same U, and π_n is enclosed more narrowly. The coin is exact.
 *
 * Names that few people have are many and rarely kept. Where π_n ≤ 2^−z, U must start with z zeros; for all names of one
 * count these rare events are drawn at once, as how many names to pass by (sample/skips.proof.md).
 *
 * With counts: noise from −κ to κ with P(x) proportional to e^(−ε|x|), and the name with its noisy count if that is above
 * κ. Such a name is kept with the probability above for δ = P(κ).
 *
 * Cost: at most one word per name or so, and 2^(1−z) words where π_n ≤ 2^−z, 2 ≤ z ≤ 20; a million names of one person each
 * take about a hundred bits at δ = 10⁻⁶. A π_n takes six exponentials, once for each count. Proof: select-partitions.proof.md.
 * @module
 */

import type { Entropy } from "../entropy.js";
import { GUARD, zerosAfterPoint } from "../exact/certified.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { RareCoins } from "../sample/rare-coins.js";

const FIRST_PRECISION = 64;

/** Digits of U beyond these say nothing that the enclosure could tell. */
const SPARE = 8;

/** Skipping pays from two zeros on: finding the next name costs one word, its U another. */
const FEWEST_ZEROS = 2;

/** A skip of 2^−20 takes one word, and passes by a million names. */
const MOST_ZEROS = 20;

/** A coin that keeps a name which n people have with probability π_n. */
export class KeepCoin {
  readonly #epsilon: Rational;
  readonly #delta: Rational;
  readonly #levels: KeepChances[] = [];

  constructor(epsilon: Rational, delta: Rational) {
    this.#epsilon = epsilon;
    this.#delta = delta;
  }

  /** The coin in one release: whether to keep a name that `count` people have. A name that no one has is never kept. */
  tosses(entropy: Entropy): (count: number | bigint) => boolean {
    const rare = new Map<number | bigint, RareCoins | undefined>();
    return (count) => {
      if (count <= 0) return false;
      if (!rare.has(count)) rare.set(count, this.#rareCoins(count, entropy));
      const coins = rare.get(count);
      if (coins === undefined) return this.#isBelow(new PartialUniform(entropy), count);
      return !coins.passBy() && this.#isBelow(new PartialUniform(entropy, 0n, coins.zeros), count);
    };
  }

  /** Coins for U with enough leading zeros that every other U is certainly above π_n; undefined if that takes few zeros. */
  #rareCoins(count: number | bigint, entropy: Entropy): RareCoins | undefined {
    const chance = this.#chances(0).at(count);
    if (chance === undefined) return undefined;
    const zeros = Math.min(chance.precision - bitLength(chance.hi - 1n), MOST_ZEROS);
    return zeros < FEWEST_ZEROS ? undefined : new RareCoins(zeros, entropy);
  }

  /** Whether U is below π_n. */
  #isBelow(u: PartialUniform, count: number | bigint): boolean {
    for (let level = 0; ; ) {
      const chances = this.#chances(level);
      const chance = chances.at(count);
      if (chance === undefined) return true; // certain: no bits
      const [cells, places] = [BigInt(u.bits), BigInt(chance.precision)];
      if ((u.numerator + 1n) << places <= chance.lo << cells) return true;
      if (u.numerator << places >= chance.hi << cells) return false;
      if (u.bits + SPARE <= chances.precision) u.reveal();
      else level++;
    }
  }

  /** Encloses π_n with about `precision` binary places; undefined where it is certainly 1. */
  enclose(count: number, precision: number): Interval | undefined {
    return new KeepChances(this.#epsilon, this.#delta, precision).at(count);
  }

  #chances(level: number): KeepChances {
    this.#levels[level] ??= new KeepChances(this.#epsilon, this.#delta, FIRST_PRECISION * (1 << level));
    return this.#levels[level];
  }
}

/**
 * Encloses any π_n, by the recursion in closed form: the first branch for the steps up to some m, the second from there on.
 * With a = e^(−ε),
 *
 *     π_n = δ·e^((n−1)ε)·(1 − a^n)/(1 − a)                                     for n ≤ m,
 *     1 − π_n = a^(n−m)·(1 − π_m) − δ·a·(1 − a^(n−m))/(1 − a), or 0 from there on   for n > m.
 */
class KeepChances {
  readonly precision: number;
  readonly #epsilon: Rational;
  readonly #delta: Rational;
  readonly #bits: number;
  readonly #one: Interval;
  /** 1 − a. */
  readonly #step: Interval;
  /** m lies between these; they differ only if more digits would be needed to tell. */
  readonly #turns: readonly bigint[];
  readonly #known = new Map<number | bigint, Interval>();
  /** The least count so far that is certainly kept. */
  #certain: number | bigint = Infinity;

  /** An error is divided by 1 − a up to twice, and multiplied by e^((m−1)ε) < 2/δ. */
  constructor(epsilon: Rational, delta: Rational, precision: number) {
    this.precision = precision;
    this.#epsilon = epsilon;
    this.#delta = delta;
    this.#bits = precision + 2 * zerosAfterPoint(epsilon) + zerosAfterPoint(delta) + GUARD;
    this.#one = Interval.from(1n, this.#bits);
    this.#step = this.#one.minus(this.#power(-1n));
    this.#turns = this.#turn();
  }

  at(count: number | bigint): Interval | undefined {
    if (count >= this.#certain) return undefined;
    const known = this.#known.get(count);
    if (known !== undefined) return known;
    const chance = this.#enclose(BigInt(count));
    if (chance.hi >= this.#one.lo && this.#isCertain(BigInt(count))) {
      this.#certain = count;
      return undefined;
    }
    this.#known.set(count, chance);
    return chance;
  }

  /** Both branches are at least 1 from π_(n−1) = 1 − δ on. */
  #isCertain(count: bigint): boolean {
    return (
      this.#enclose(count - 1n)
        .lower()
        .compare(Rational.ONE.minus(this.#delta)) >= 0
    );
  }

  /** Too early and too late a turn both give at least π_n, so the least over all that are possible encloses it. */
  #enclose(count: bigint): Interval {
    return this.#turns
      .map((turn) => (count <= turn ? this.#rising(count) : this.#closing(turn, count - turn)))
      .reduce(least, this.#one);
  }

  #rising(count: bigint): Interval {
    return this.#power(count - 1n)
      .times(this.#sum(count))
      .times(this.#delta);
  }

  #closing(turn: bigint, steps: bigint): Interval {
    const left = this.#one.minus(this.#rising(turn)).times(this.#power(-steps));
    return this.#one.minus(left).plus(this.#power(-1n).times(this.#sum(steps)).times(this.#delta));
  }

  /** 1 + a + … + a^(n−1). */
  #sum(terms: bigint): Interval {
    return this.#one.minus(this.#power(-terms)).dividedBy(this.#step);
  }

  /** e^(nε). */
  #power(n: bigint): Interval {
    return Interval.from(this.#epsilon.times(n), this.#bits).exp();
  }

  /** Step n is one of the first branch while π_(n−1) ≤ (1 − δ)/(1 + e^ε), so while n − 1 ≤ ln(1 + (1 − δ)/δ·tanh(ε/2))/ε. */
  #turn(): bigint[] {
    const odds = Rational.ONE.minus(this.#delta).dividedBy(this.#delta);
    const tanh = this.#step.dividedBy(this.#one.plus(this.#power(-1n)));
    const last = tanh.times(odds).plus(1n).ln().dividedBy(this.#epsilon);
    const [from, to] = [last.lower(), last.upper()].map((end) => end.floor() + 1n);
    return from === to ? [from] : [from, to];
  }
}

function least(a: Interval, b: Interval): Interval {
  return new Interval(a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi, a.precision);
}
