/**
 * How often names may be kept where each of them may fail by itself: with probability d = δ/M anything may happen to a name, and for
 * the rest of 1 a rule of divergence holds. π′ may follow π > 0 if π′ ≤ π + d, or π ≥ 1 − d, or if the rule lets
 *
 *     q = (π′ − d)/(1 − d)   follow   p = π/(1 − d).
 *
 * From 0 only π′ ≤ d may follow, and 1 may follow as soon as π ≥ 1 − d. M names of one person are δ-approximately what M times the
 * rule says, because (1 − d)^M ≥ 1 − δ:
 *
 *   `AllOrdersRule`   ρ/M at every order, so δ-approximately ρ-zCDP
 *   `OrderRule`       τ/M at one order α, so δ-approximately τ at that order, for an account that counts at it
 *
 * Probabilities are multiples of 2^−bits. Cost: some half a second for a table in ρ. Tables are remembered. Proof: keep-table.proof.md.
 * @module
 */

import { lnOf, zerosAfterPoint } from "../../exact/certified.js";
import { bitLength, floorDiv } from "../../exact/integers.js";
import { Interval } from "../../exact/interval.js";
import { Rational } from "../../exact/rational.js";
import { RenyiCurve } from "../renyi-curve.js";
import { AllOrdersRule } from "./all-orders-rule.js";
import { type KeepSteps, KeepTable, type PairRule } from "./keep-table.js";
import { OrderRule } from "./one-order-steps.js";

/** How many more binary places all probabilities have than δ/M. */
const PLACES = 64;

/** What a release of names may cost, and how many of them one person moves. */
export interface FailingBudget {
  /** ρ, or τ at an order. */
  readonly size: Rational;
  readonly delta: Rational;
  readonly moved: number;
}

/** Which probabilities may follow one another, with a failure at every step. */
export class FailingSteps implements KeepSteps {
  readonly bits: number;
  readonly first: bigint;
  readonly #one: bigint;
  /** d, and the numerator and the denominator of it. */
  readonly #failure: Rational;
  readonly #rule: PairRule;

  /** `ruleFor` gets the number of units in 1 of the probabilities that it will be asked about. */
  constructor(bits: number, failure: Rational, ruleFor: (whole: bigint) => PairRule) {
    this.bits = bits;
    this.#one = 1n << BigInt(bits);
    this.#failure = failure;
    this.first = failure.times(this.#one).floor();
    this.#rule = ruleFor(this.#one * (failure.denominator - failure.numerator));
  }

  isLast(from: bigint): boolean {
    return this.#isFailure(this.#one - from);
  }

  mayFollow(from: bigint, to: bigint): boolean {
    if (this.#isFailure(to - from) || this.isLast(from)) return true;
    return from > 0n && this.#rule.mayFollow(this.#before(from), this.#after(to));
  }

  guess(from: bigint, near: bigint): bigint {
    if (from === 0n || this.isLast(from)) return near;
    const before = this.#before(from);
    const after = this.#after(near);
    const { numerator, denominator } = this.#failure;
    const guessed = this.#rule.guess(before, after > before ? after : before + 1n);
    return floorDiv(guessed + numerator * this.#one, denominator);
  }

  /** The probabilities of all steps that are more than a failure, without it. */
  pairsOf(table: KeepTable): (readonly [Rational, Rational])[] {
    const pairs: (readonly [Rational, Rational])[] = [];
    const whole = this.#one * (this.#failure.denominator - this.#failure.numerator);
    for (let count = 1; ; count++) {
      const [from, to] = [table.units(count), table.units(count + 1)];
      if (from === undefined || to === undefined) return pairs;
      if (this.#isFailure(to - from) || this.isLast(from)) continue;
      pairs.push([Rational.of(this.#before(from), whole), Rational.of(this.#after(to), whole)]);
    }
  }

  #isFailure(units: bigint): boolean {
    return units * this.#failure.denominator <= this.#failure.numerator * this.#one;
  }

  /** π/(1 − d) and (π′ − d)/(1 − d), in the units of the rule. */
  #before(from: bigint): bigint {
    return from * this.#failure.denominator;
  }

  #after(to: bigint): bigint {
    return to * this.#failure.denominator - this.#failure.numerator * this.#one;
  }
}

function placesFor({ delta, moved }: FailingBudget): number {
  return PLACES + bitLength(Rational.of(BigInt(moved)).dividedBy(delta).floor());
}

const LEAST_RHO = /* @__PURE__ */ Rational.of(1n, 10n ** 4n);
const MOST_RHO = /* @__PURE__ */ Rational.of(100n);
const LEAST_DELTA = /* @__PURE__ */ Rational.of(1n, 10n ** 40n);

const remembered = new Map<string, KeepTable>();
const MOST_REMEMBERED = 16;

/** The largest table that is δ-approximately ρ-zCDP; undefined where it would have many thousands of entries. */
export function tableOfAllOrders(budget: FailingBudget): KeepTable | undefined {
  const { size, delta, moved } = budget;
  const [rho, failure] = [size, delta].map((whole) => whole.dividedBy(moved)) as [Rational, Rational];
  if (rho.compare(LEAST_RHO) < 0 || rho.compare(MOST_RHO) > 0 || delta.compare(LEAST_DELTA) < 0)
    return undefined;
  const asked = [size, delta, moved].join(" ");
  const known = remembered.get(asked);
  if (known !== undefined) return known;
  const rule = (whole: bigint) => new AllOrdersRule(whole, rho);
  const table = new KeepTable(new FailingSteps(placesFor(budget), failure, rule));
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(asked, table);
  return table;
}

const LEAST_EACH = /* @__PURE__ */ Rational.of(1n, 1000n);
const MOST_EACH = /* @__PURE__ */ Rational.of(100n);
const MOST_ORDER = 10_000;

/** The largest table that is δ-approximately τ at an integer order; undefined where it would have many thousands of entries. */
export function tableOfFailingOrder(budget: FailingBudget, order: number): KeepTable | undefined {
  const { size, delta, moved } = budget;
  const each = size.dividedBy(moved);
  const isLong =
    each.compare(LEAST_EACH) < 0 || each.compare(MOST_EACH) > 0 || delta.compare(LEAST_DELTA) < 0;
  if (isLong || order < 2 || order > MOST_ORDER) return undefined;
  const bits = placesFor(budget);
  const [one, unit] = [1n << BigInt(bits), 1n << BigInt(PLACES)];
  const failure = Rational.of(delta.dividedBy(moved).times(one).floor(), one);
  const exponent = each.times(BigInt(order - 1));
  const precision = 4 * PLACES + 2 * Number(exponent.ceil()) + zerosAfterPoint(exponent);
  const growth = Rational.of(Interval.from(exponent, precision).exp().lower().times(unit).floor(), unit);
  return new KeepTable(new FailingSteps(bits, failure, (whole) => new OrderRule(whole, order, growth)));
}

/**
 * What the names of such a table cost except for δ: τ up to its order, beyond it M times the largest divergence of all its steps, the
 * last one of which is often the worst.
 */
export function curveOfTable(table: KeepTable, { size, moved }: FailingBudget, order: number): RenyiCurve {
  const pairs = () => (table.steps as FailingSteps).pairsOf(table);
  return RenyiCurve.of((alpha, precision) => {
    if (alpha.compare(BigInt(order)) <= 0) return size;
    const each = pairs().flatMap(([p, q]) => [
      divergence(p, q, alpha, precision),
      divergence(q, p, alpha, precision),
    ]);
    return each.reduce(larger, Interval.from(0n, precision)).times(BigInt(moved));
  });
}

/** D_α of two laws of a coin. */
function divergence(p: Rational, q: Rational, alpha: Rational, precision: number): Interval {
  const less = alpha.minus(1n);
  const digits = precision + 64 + 2 * Number(alpha.ceil());
  const part = (here: Rational, there: Rational) =>
    lnOf(here, digits).times(alpha).minus(lnOf(there, digits).times(less)).exp();
  const sum = part(p, q).plus(part(Rational.ONE.minus(p), Rational.ONE.minus(q)));
  return sum.ln().dividedBy(less).withPrecision(precision);
}

function larger(a: Interval, b: Interval): Interval {
  return new Interval(a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, a.precision);
}
