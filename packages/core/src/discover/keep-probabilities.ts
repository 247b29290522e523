/**
 * Whether to publish a name that n people have, as often as (ε, δ)-DP allows for one name [DVGM20]:
 *
 *     π_0 = 0,  π_n = min(e^ε·π_(n−1) + δ, 1 − e^(−ε)·(1 − π_(n−1) − δ), 1).
 *
 * The π_n are enclosed, never rounded: the least of some enclosures encloses the least, so it doesn't matter which branch
 * it is. `NameCoin` tosses with them.
 *
 * With counts: noise from −κ to κ with P(x) proportional to e^(−ε|x|), and the name with its noisy count if that is above
 * κ. Such a name is kept with the probability above for δ = P(κ).
 *
 * Cost: a π_n takes six exponentials, once for each count. Proof: select-partitions.proof.md.
 * @module
 */

import { GUARD, zerosAfterPoint } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { type Chance, NameCoin } from "./name-coin.js";

const FIRST_PRECISION = 64;

/** A coin that keeps a name which n people have with probability π_n, the largest that (ε, δ) allows. */
export class KeepCoin extends NameCoin {
  readonly #epsilon: Rational;
  readonly #delta: Rational;
  readonly #levels: KeepChances[] = [];

  constructor(epsilon: Rational, delta: Rational) {
    super();
    this.#epsilon = epsilon;
    this.#delta = delta;
  }

  protected chance(count: number | bigint, level: number): Chance | undefined {
    this.#levels[level] ??= new KeepChances(this.#epsilon, this.#delta, FIRST_PRECISION * (1 << level));
    return this.#levels[level].at(count);
  }

  /** Encloses π_n with about `precision` binary places; undefined where it is certainly 1. */
  enclose(count: number, precision: number): Interval | undefined {
    return new KeepChances(this.#epsilon, this.#delta, precision).at(count);
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
