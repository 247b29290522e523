/**
 * How often names may be kept, by one Rényi order α: π′ may follow π if both sums
 *
 *     π′^α·π^(1−α) + (1−π′)^α·(1−π)^(1−α)  and  π^α·π′^(1−α) + (1−π)^α·(1−π′)^(1−α)
 *
 * are at most K. Then M moved names are (ε, δ)-DP, where all of δ pays for a failure and all of it for the conversion,
 * because no answer shows both:
 *
 *     K^M ≤ δ·α·(α/(α−1))^(α−1)·e^((α−1)ε)  and  M·δ′ ≤ δ·(1 − K^(−M)),
 *
 * δ′ = π_1 being the probability that a name of one person is kept. α and M are integers, and K, δ′ and all π are dyadic, so each test
 * compares integers; enclosures decide nearly always.
 *
 * Cost: some 50 ms for all entries at ε = 1. Tables are remembered. Proof: keep-table.proof.md.
 * @module
 */

import { ceiling, lnOf } from "../../exact/certified.js";
import { bitLength, floorDiv } from "../../exact/integers.js";
import { Interval } from "../../exact/interval.js";
import { Rational } from "../../exact/rational.js";
import { type KeepSteps, KeepTable, type PairRule } from "./keep-table.js";

/** The binary places of K, and how many more than those of δ/M all probabilities have. */
const PLACES = 64;

/** What a release of names may cost, and how many of them one person moves. */
export interface NamesBudget {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly moved: number;
}

/** The public numbers that determine a table. */
export interface OneOrder {
  /** α. */
  readonly order: number;
  /** K, a multiple of 2^−64. */
  readonly growth: Rational;
  /** δ′, a multiple of 2^−bits. */
  readonly failure: Rational;
  readonly bits: number;
}

/** α = 3 + ⌊21·ln(1/δ)/(20ε)⌋: within a few per cent of the best order for names that half of the releases keep. */
function orderFor({ epsilon, delta }: NamesBudget): number {
  return (
    3 - Number(ceiling((precision) => lnOf(delta, precision).times(Rational.of(21n, 20n).dividedBy(epsilon))))
  );
}

/** ⌊2^64·(δ·α·(α/(α−1))^(α−1)·e^((α−1)ε))^(1/M)⌋. */
function growthUnits({ epsilon, delta, moved }: NamesBudget, order: number): bigint {
  const [alpha, less] = [Rational.of(BigInt(order)), BigInt(order - 1)];
  return -ceiling((precision) => {
    const bits = precision + 2 * PLACES;
    const gain = lnOf(alpha.dividedBy(less), bits).plus(epsilon).times(less);
    const sum = lnOf(delta.times(alpha), bits).plus(gain).dividedBy(BigInt(moved));
    return sum
      .exp()
      .times(1n << BigInt(PLACES))
      .negated();
  });
}

/** The numbers of the table for a budget; undefined where ε is so small, or δ so large, that the rule has no room. */
export function oneOrder(budget: NamesBudget): OneOrder | undefined {
  const { delta, moved } = budget;
  const order = orderFor(budget);
  const [units, unit] = [growthUnits(budget, order), 1n << BigInt(PLACES)];
  if (units <= unit) return undefined;
  const bits = PLACES + bitLength(Rational.of(BigInt(moved)).dividedBy(delta).floor());
  const one = 1n << BigInt(bits);
  const whole = units ** BigInt(moved);
  const failure = floorDiv(
    delta.numerator * (whole - (1n << BigInt(PLACES * moved))) * one,
    BigInt(moved) * delta.denominator * whole,
  );
  const less = BigInt(order - 1);
  if (failure <= 0n || units * (one - failure) ** less < unit * one ** less) return undefined;
  return { order, growth: Rational.of(units, unit), failure: Rational.of(failure, one), bits };
}

/** A table, and the numbers that determine it. */
interface TableOfOneOrder {
  readonly numbers: OneOrder;
  readonly table: KeepTable;
}

const LEAST_EPSILON = /* @__PURE__ */ Rational.of(1n, 20n);
const MOST_EPSILON = /* @__PURE__ */ Rational.of(100n);
const LEAST_DELTA = /* @__PURE__ */ Rational.of(1n, 10n ** 40n);
const MOST_MOVED = 1000;

const remembered = new Map<string, TableOfOneOrder>();
const MOST_REMEMBERED = 16;

/** The table for a budget; undefined where there is none, and where it would have many thousands of entries. */
export function tableOfOneOrder(budget: NamesBudget): TableOfOneOrder | undefined {
  const { epsilon, delta, moved } = budget;
  const isLong = epsilon.compare(LEAST_EPSILON) < 0 || delta.compare(LEAST_DELTA) < 0 || moved > MOST_MOVED;
  if (isLong || epsilon.compare(MOST_EPSILON) > 0) return undefined;
  const asked = [epsilon, delta, moved].join(" ");
  const known = remembered.get(asked);
  if (known !== undefined) return known;
  const numbers = oneOrder(budget);
  if (numbers === undefined) return undefined;
  const found = { numbers, table: new KeepTable(new OneOrderSteps(numbers)) };
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(asked, found);
  return found;
}

/** Which probabilities may follow one another by these numbers. */
export class OneOrderSteps implements KeepSteps {
  readonly bits: number;
  readonly first: bigint;
  readonly #one: bigint;
  readonly #rule: OrderRule;

  constructor({ order, growth, failure, bits }: OneOrder) {
    this.bits = bits;
    this.#one = 1n << BigInt(bits);
    this.first = failure.times(this.#one).floor();
    this.#rule = new OrderRule(this.#one, order, growth);
  }

  isLast(from: bigint): boolean {
    return this.#one - from <= this.first;
  }

  mayFollow(from: bigint, to: bigint): boolean {
    return this.#rule.mayFollow(from, to);
  }

  guess(from: bigint, near: bigint): bigint {
    return this.#rule.guess(from, near);
  }
}

/** Both sums of one order, for probabilities in units of 1/whole. */
export class OrderRule implements PairRule {
  readonly #whole: bigint;
  readonly #order: bigint;
  readonly #growth: Rational;

  constructor(whole: bigint, order: number, growth: Rational) {
    this.#whole = whole;
    this.#order = BigInt(order);
    this.#growth = growth;
  }

  mayFollow(from: bigint, to: bigint): boolean {
    return this.#isWithin(from, to) && this.#isWithin(to, from);
  }

  /** to^α·from^(1−α) + (1−to)^α·(1−from)^(1−α) ≤ K. */
  #isWithin(from: bigint, to: bigint): boolean {
    const places = bitLength(this.#whole) - 1;
    const exactBits = Number(this.#order) * places;
    for (let bits = places + PLACES + bitLength(this.#order); bits < exactBits; bits *= 2) {
      const sum = this.#sum(from, to, bits);
      if (sum.isAbove(this.#growth)) return false;
      if (sum.upper().compare(this.#growth) <= 0) return true;
    }
    return this.#isExactlyWithin(from, to);
  }

  #sum(from: bigint, to: bigint, bits: number): Interval {
    const part = (a: bigint, b: bigint) =>
      Interval.from(Rational.of(a, b), bits)
        .power(this.#order - 1n)
        .times(Rational.of(a, this.#whole));
    return part(to, from).plus(part(this.#whole - to, this.#whole - from));
  }

  #isExactlyWithin(from: bigint, to: bigint): boolean {
    const [one, less] = [this.#whole, this.#order - 1n];
    const sum = to ** this.#order * (one - from) ** less + (one - to) ** this.#order * from ** less;
    const { numerator, denominator } = this.#growth;
    return sum * denominator <= numerator * one * (from * (one - from)) ** less;
  }

  /** Newton's method on the larger sum, which is convex, kept within a bracket. */
  guess(from: bigint, near: bigint): bigint {
    const slopes = new Slopes(this.#whole, this.#order, from, this.#growth);
    let [low, high] = [from, this.#whole - 1n];
    let at = near > low && near < high ? near : (low + high) >> 1n;
    for (let turn = 0; turn < MOST_TURNS && high - low > 1n; turn++) {
      const { isAbove, step } = slopes.at(at);
      if (isAbove) high = at;
      else low = at;
      const next = at - step;
      const isUseful = next > low && next < high && (turn & 3) < 3;
      const previous = at;
      at = isUseful ? next : (low + high) >> 1n;
      if (isUseful && next - previous <= 1n && previous - next <= 1n) break;
    }
    return at;
  }
}

const MOST_TURNS = 400;

/** Both sums and their slopes in fixed point, rounded anyhow: they make guesses. */
class Slopes {
  readonly #one: bigint;
  readonly #order: bigint;
  readonly #from: bigint;
  readonly #places: bigint;
  readonly #growth: bigint;

  constructor(one: bigint, order: bigint, from: bigint, growth: Rational) {
    this.#one = one;
    this.#order = order;
    this.#from = from;
    this.#places = BigInt(bitLength(one) + PLACES + 2 * bitLength(order));
    this.#growth = growth.times(1n << this.#places).floor();
  }

  /** Whether the larger sum is above K, and Newton's step back. */
  at(to: bigint): { readonly isAbove: boolean; readonly step: bigint } {
    const [one, from, order] = [this.#one, this.#from, this.#order];
    const [rise, fall] = [this.#power(to, from), this.#power(one - to, one - from)];
    const there = (to * rise + (one - to) * fall) / one;
    const [down, up] = [this.#power(from, to), this.#power(one - from, one - to)];
    const back = (from * down + (one - from) * up) / one;
    const isThere = there >= back;
    const excess = (isThere ? there : back) - this.#growth;
    const slope = isThere
      ? order * (rise - fall)
      : (order - 1n) * ((up * (one - from)) / (one - to) - (down * from) / to);
    return { isAbove: excess > 0n, step: slope === 0n ? 0n : (excess * one) / slope };
  }

  /** (a/b)^(α−1). */
  #power(a: bigint, b: bigint): bigint {
    let square = (a << this.#places) / b;
    let product = 1n << this.#places;
    for (let rest = this.#order - 1n; rest > 0n; rest >>= 1n) {
      if (rest & 1n) product = (product * square) >> this.#places;
      if (rest > 1n) square = (square * square) >> this.#places;
    }
    return product;
  }
}
