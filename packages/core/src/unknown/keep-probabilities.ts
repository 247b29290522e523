/**
 * Whether to publish a name that n people have, as often as (ε, δ)-DP allows for one name [DVGM20]:
 *
 *     π_0 = 0,  π_n = min(e^ε·π_(n−1) + δ, 1 − e^(−ε)·(1 − π_(n−1) − δ), 1).
 *
 * The π_n are enclosed, never rounded: the least of some enclosures encloses the least, so it doesn't matter which branch
 * it is. A name is kept if a lazily revealed uniform U is below π_n; where its digits don't tell, more are drawn of the
 * same U, and a finer table is computed. The coin is exact.
 *
 * Names that few people have are many and rarely kept. Where π_n ≤ 2^−z, U must start with z zeros; for all names of one
 * count these rare events are drawn at once, as how many names to pass by (docs/proofs/skips.md).
 *
 * With counts: noise from −κ to κ with P(x) proportional to e^(−ε|x|), and the name with its noisy count if that is above
 * κ. Such a name is kept with the probability above for δ = P(κ).
 *
 * Cost: at most one word a name or so, and 2^(1−z) words where π_n ≤ 2^−z, 2 ≤ z ≤ 20; a million names of one person each
 * take about a hundred bits at δ = 10⁻⁶. The table has about 2·ln(1/δ)/ε entries. Proof: docs/proofs/select-partitions.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { type Enclosure, isCertainlyAtMost, lnOf, roundedUp } from "../privacy/rounding.js";
import { skipsOf } from "../race/array-race.js";
import { drawDiscreteGaussian } from "../sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../sample/discrete-laplace.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { StripSampler } from "../sample/strip-sampler.js";

const FIRST_PRECISION = 64;
/** Digits of U beyond these say nothing that the table could tell. */
const SPARE = 8;
/** One zero saves nothing: a name that isn't passed by takes a word to find and a word of U. */
const FEWEST_ZEROS = 2;
/** A skip of 2^−20 takes one word, and passes by a million names. */
const MOST_ZEROS = 20;

/** A coin that keeps a name which n people have with probability π_n. */
export class KeepCoin {
  readonly #epsilon: Rational;
  readonly #delta: Rational;
  readonly #tables: KeepTable[] = [];

  constructor(epsilon: Rational, delta: Rational) {
    this.#epsilon = epsilon;
    this.#delta = delta;
  }

  /** The coin in one release: whether to keep a name that so many people have. A name that no one has is never kept. */
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

  /** Coins for U that start with so many zeros that the others are certainly above π_n; undefined if those are not many. */
  #rareCoins(count: number | bigint, entropy: Entropy): RareCoins | undefined {
    const chance = this.#table(0).at(count);
    if (chance === undefined) return undefined;
    const zeros = Math.min(chance.precision - bitLength(chance.hi - 1n), MOST_ZEROS);
    return zeros < FEWEST_ZEROS ? undefined : new RareCoins(zeros, entropy);
  }

  /** Whether U is below π_n. */
  #isBelow(u: PartialUniform, count: number | bigint): boolean {
    for (let level = 0; ; ) {
      const table = this.#table(level);
      const chance = table.at(count);
      if (chance === undefined) return true; // certain: no bits
      const [cells, places] = [BigInt(u.bits), BigInt(chance.precision)];
      if ((u.numerator + 1n) << places <= chance.lo << cells) return true;
      if (u.numerator << places >= chance.hi << cells) return false;
      if (u.bits + SPARE <= table.precision) u.reveal();
      else level++;
    }
  }

  /** Encloses π_n with about so many binary places; undefined where it is certainly 1. */
  enclose(count: number, precision: number): Interval | undefined {
    return new KeepTable(this.#epsilon, this.#delta, precision).at(count);
  }

  #table(level: number): KeepTable {
    this.#tables[level] ??= new KeepTable(this.#epsilon, this.#delta, FIRST_PRECISION * (1 << level));
    return this.#tables[level];
  }
}

/** Coins of names that come one by one: whether U starts with so many zeros. How many names to pass by is drawn at once. */
export class RareCoins {
  readonly zeros: number;
  readonly #entropy: Entropy;
  /** How many more to pass by; negative before that is drawn. */
  #left = -1;

  constructor(zeros: number, entropy: Entropy) {
    this.zeros = zeros;
    this.#entropy = entropy;
  }

  /** Whether the next name is passed by, because its U doesn't start with the zeros. */
  passBy(): boolean {
    if (this.#left < 0) this.#left = skipsOf(this.zeros).draw(this.#entropy);
    return this.#left-- > 0;
  }
}

/** Enclosures of π_0, π_1, … as far as they were asked for, up to the first that is certainly 1. */
class KeepTable {
  readonly precision: number;
  readonly #up: Interval;
  readonly #down: Interval;
  readonly #delta: Rational;
  readonly #one: Interval;
  readonly #chances: Interval[];
  #isComplete = false;

  /** The first branch multiplies an error by e^ε, in all by less than 1/δ. */
  constructor(epsilon: Rational, delta: Rational, precision: number) {
    this.precision = precision;
    const bits = precision + bitLength(delta.denominator) + GUARD;
    this.#up = Interval.from(epsilon, bits).exp();
    this.#down = Interval.from(epsilon.negated(), bits).exp();
    this.#delta = delta;
    this.#one = Interval.from(1n, bits);
    this.#chances = [Interval.from(0n, bits)];
  }

  at(count: number | bigint): Interval | undefined {
    while (!this.#isComplete && this.#chances.length <= count) this.#extend();
    return this.#chances[Number(count)];
  }

  #extend(): void {
    const last = this.#chances[this.#chances.length - 1];
    const [one, delta] = [this.#one, this.#delta];
    if (last.lower().compare(Rational.ONE.minus(delta)) >= 0) {
      this.#isComplete = true; // both branches are at least 1
      return;
    }
    const rising = last.times(this.#up).plus(delta);
    const closing = one.minus(one.minus(last).minus(delta).times(this.#down));
    this.#chances.push(least(least(rising, closing), one));
  }
}

/** Two units a step, for millions of steps. */
const GUARD = 48;

function least(a: Interval, b: Interval): Interval {
  return new Interval(a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi, a.precision);
}

/** 2^40, beyond which there are no tables. */
const LARGEST_TABLE = 0x100_0000_0000n;

/** Noise of one scale or variance for many names, from tables that are made with the first draw. */
export function preparedNoise(law: "laplace" | "gaussian", size: Rational): (entropy: Entropy) => bigint {
  if (size.compare(LARGEST_TABLE) > 0) {
    const draw = law === "laplace" ? drawDiscreteLaplace : drawDiscreteGaussian;
    return (entropy) => draw(size, entropy);
  }
  const [rate, none] = [Rational.ONE.dividedBy(size), Rational.ZERO];
  const minusLnOfLaw =
    law === "laplace" ? { linear: rate, quadratic: none } : { linear: none, quadratic: rate.dividedBy(2n) };
  let tables: StripSampler | undefined;
  return (entropy) => {
    tables ??= new StripSampler(minusLnOfLaw, { signed: true });
    return BigInt(tables.sample(entropy));
  };
}

/** Discrete Laplace noise between −κ and κ, for the least κ with P(κ) ≤ δ. */
export class TruncatedLaplace {
  /** κ: a noisy count above it is published. */
  readonly bound: bigint;
  /** P(κ), rounded up: the δ of one name. */
  readonly failure: Rational;
  readonly #noise: (entropy: Entropy) => bigint;

  constructor(epsilon: Rational, delta: Rational) {
    const scale = Rational.ONE.dividedBy(epsilon);
    this.#noise = preparedNoise("laplace", scale);
    // a^κ ≤ δ is enough: P(κ) = a^κ·(1 − a)/(1 + a − 2a^(κ+1)) ≤ a^κ.
    let [low, high] = [0n, lnOf(delta, FIRST_PRECISION).negated().times(scale).upper().ceil()];
    if (high < 1n) high = 1n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (isCertainlyAtMost(chanceOfBound(epsilon, middle), delta)) high = middle;
      else low = middle;
    }
    this.bound = high;
    const rounded = roundedUp(chanceOfBound(epsilon, high));
    this.failure = rounded.compare(delta) > 0 ? delta : rounded;
  }

  /** The count with its noise if it is to be published. */
  publish(count: number | bigint, entropy: Entropy): bigint | undefined {
    if (count <= 0) return undefined;
    const noisy = BigInt(count) + this.#draw(entropy);
    return noisy > this.bound ? noisy : undefined;
  }

  /** By rejection: the law given that the noise is within the bound. */
  #draw(entropy: Entropy): bigint {
    for (;;) {
      const noise = this.#noise(entropy);
      if (noise <= this.bound && noise >= -this.bound) return noise;
    }
  }
}

/** Encloses P(κ) for κ ≥ 1. */
function chanceOfBound(epsilon: Rational, bound: bigint): Enclosure {
  return (precision) => {
    const zeros = Number(epsilon.times(bound).times("3/2").ceil());
    const bits = precision + zeros + GUARD;
    const power = (exponent: bigint) => Interval.from(epsilon.times(-exponent), bits).exp();
    const [a, one] = [power(1n), Interval.from(1n, bits)];
    const whole = one.plus(a).minus(power(bound + 1n).times(2n));
    return power(bound).times(one.minus(a)).dividedBy(whole);
  };
}
