import { describe, expect, it } from "vitest";
import { Rational, rational } from "../../src/exact/rational.js";
import {
  approx,
  Budget,
  base2,
  compose,
  convert,
  type Loss,
  lossFromJson,
  lossToJson,
  pure,
  pureCurve,
  RenyiCurve,
  renyi,
  repeat,
  scaleAtLeast,
  topK,
  zcdp,
  zcdpCurve,
} from "../../src/index.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { amount } from "../support/amount.js";

/** So many different charges. */
const MANY = amount(300, 10_000);
const UNIT = Rational.of(1n, 10n ** 100n);

/** The n-th of ever different fractions of some fifty digits, as noise with a scale of 15 digits costs them. */
function price(n: number): Rational {
  const scale = rational("98765432.1234567").plus(`${n}.000000${n}1`);
  return rational(9n).dividedBy(scale.times(scale));
}

const LIMITS: readonly [limit: Loss, loss: (size: Rational) => Loss][] = [
  [pure(10), pure],
  [base2(10), base2],
  [zcdp(10, "1e-3"), (size) => zcdp(size, size.times("1e-9"))],
  [approx(10, "1e-3"), (size) => approx(size, size.times("1e-9"))],
];

const sizeOf = (loss: Loss) =>
  rational(
    loss.measure === "zcdp"
      ? loss.rho
      : loss.measure === "base2"
        ? loss.eta
        : (loss as { epsilon: Rational }).epsilon,
  );

/** The exact sum, pair by pair, so that no number is longer than it must be. */
function exactSum(sizes: readonly Rational[]): Rational {
  if (sizes.length === 1) return sizes[0];
  const half = sizes.length >> 1;
  return exactSum(sizes.slice(0, half)).plus(exactSum(sizes.slice(half)));
}

describe.each(LIMITS)("a budget of %j", (limit, loss) => {
  const sizes = Array.from({ length: MANY }, (_, n) => price(n));
  const charged = (list: readonly Rational[]) => {
    const budget = new Budget(limit);
    for (const size of list) budget.charge(loss(size));
    return budget;
  };

  it("counts many different charges at no less than they cost, and hardly more", () => {
    const few = sizes.slice(0, 100);
    const [spent, exact] = [sizeOf(charged(few).spent), exactSum(few)];
    expect(spent.compare(exact)).toBeGreaterThanOrEqual(0);
    expect(spent.minus(exact).compare(UNIT.times(few.length))).toBeLessThanOrEqual(0);
  });

  it("keeps numbers that stay short and that JSON carries, in whatever order they were charged", () => {
    const [budget, reversed] = [charged(sizes), charged([...sizes].reverse())];
    expect(reversed.spent).toEqual(budget.spent);
    for (const part of [budget.spent, budget.limit, budget.remaining, budget.reserved]) {
      expect(lossFromJson(JSON.parse(JSON.stringify(lossToJson(part))))).toEqual(part);
      expect(JSON.stringify(part).length).toBeLessThan(600);
    }
    expect(compose(budget.spent, budget.remaining)).toEqual(limit);
  });

  it("composes them to the same, in any order and to no less in steps", () => {
    const losses = sizes.slice(0, 100).map(loss);
    const whole = compose(...losses);
    expect(compose(...[...losses].reverse())).toEqual(whole);
    const steps = losses.reduce<Loss>((sum, next) => compose(sum, next), repeat(limit, 0));
    expect(sizeOf(steps).compare(exactSum(sizes.slice(0, 100)))).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(steps).length).toBeLessThan(1000);
  });

  it("gives back exactly what a reservation took", () => {
    const budget = charged(sizes.slice(0, 30));
    const before = budget.remaining;
    for (const size of [price(1000), rational("1/7"), rational("0.1")]) {
      budget.settle(budget.reserve(loss(size)), loss(Rational.ZERO));
      expect(sizeOf(budget.remaining)).toEqual(sizeOf(before));
    }
    const [held, all] = [budget.reserve(loss(price(2000))), charged([...sizes.slice(0, 30), price(2000)])];
    budget.settle(held);
    expect(sizeOf(budget.spent)).toEqual(sizeOf(all.spent));
  });
});

describe("sums of what people type", () => {
  it.each([
    ["0.1", 10],
    ["1/3", 3],
    ["1/103", 103],
    ["1/365", 365],
    [`1/${7n ** 60n * 11n}`, 5],
    ["1e-300", 1000],
  ])("are exact: %s, %i times", (share, times) => {
    const whole = rational(share).times(times);
    const budget = new Budget(pure(whole));
    for (let i = 0; i < times; i++) budget.charge(pure(share));
    expect(budget.remaining).toEqual(pure(0));
    expect(budget.spent).toEqual(pure(whole));
    expect(compose(...Array.from({ length: times }, () => pure(share)))).toEqual(pure(whole));
  });

  it("are exact for parts of a limit with any number of digits", () => {
    const long = Rational.of(10n ** 400n, 3n * 10n ** 400n + 1n);
    const budget = new Budget(pure(long));
    for (let i = 0; i < 3; i++) budget.charge(pure(long.dividedBy(3n)));
    expect(budget.remaining).toEqual(pure(0));
    expect(compose(pure(0), pure(long))).toEqual(pure(long));
  });

  it("stay short for one part in each of many primes", () => {
    const primes = Array.from({ length: 3000 }, (_, i) => i + 2).filter((n) => isPrime(n));
    const budget = new Budget(pure(100));
    for (const prime of primes) budget.charge(pure(Rational.of(1n, BigInt(prime))));
    const exact = exactSum(primes.map((prime) => Rational.of(1n, BigInt(prime))));
    expect(sizeOf(budget.spent).compare(exact)).toBeGreaterThan(0);
    expect(sizeOf(budget.spent).minus(exact).compare(UNIT.times(primes.length))).toBeLessThan(0);
  });

  it("never refuse a part of what was reserved, however long the part is as a fraction", () => {
    const budget = new Budget(pure(1));
    budget.charge(pure("1/3"));
    const reservation = budget.reserve(pure("2/3"));
    const part = rational("2/3").minus(Rational.of(1n, 7n ** 500n));
    expect(budget.settle(reservation, pure(part)).counted).toEqual(pure("2/3"));
    expect(budget.remaining).toEqual(pure(0));
  });
});

describe("the loss that noise reports", () => {
  it("has few digits, covers the noise and is at most the budget that was asked for", () => {
    for (const rho of ["0.05", "1/3", "1/7", "0.001234567890123456789", "0.00123"]) {
      const { privacy } = topK([5, 3, 1], { k: 3, rho, entropy: seededEntropy(rho) });
      const scale = scaleAtLeast(zcdp(rho), { distance: 2, rounds: 3, class: "bounded-range" });
      const noise = rational(12n).dividedBy(scale.times(scale).times(8n));
      expect(rational(privacy.rho).compare(noise)).toBeGreaterThanOrEqual(0);
      expect(rational(privacy.rho).compare(rho)).toBeLessThanOrEqual(0);
      expect(String(privacy.rho).length).toBeLessThanOrEqual(42);
    }
    for (const epsilon of ["0.7", "1/3", "0.70000000000000000001"])
      expect(
        rational(topK([5, 3, 1], { k: 1, epsilon, entropy: seededEntropy("e") }).privacy.epsilon).compare(
          epsilon,
        ),
      ).toBeLessThanOrEqual(0);
  });

  it("fills a budget of three thirds", () => {
    const budget = new Budget(zcdp(1));
    for (let i = 0; i < 3; i++)
      budget.charge(topK([5, 3, 1], { k: 3, rho: "1/3", entropy: seededEntropy("thirds") }).privacy);
    expect(rational(budget.spent.measure === "zcdp" ? budget.spent.rho : 0).compare(1n)).toBeLessThanOrEqual(
      0,
    );
  });
});

describe("a Rényi budget", () => {
  it("counts each charge at its orders once, and the same in any order", () => {
    const curves = Array.from({ length: amount(60, 300) }, (_, n) => [pureCurve, zcdpCurve][n % 2](price(n)));
    const [budget, reversed] = [curves, [...curves].reverse()].map((list) => {
      const budget = new Budget(renyi(zcdpCurve(1)), { orders: [2, "9/2"] });
      for (const curve of list) budget.charge(renyi(curve));
      return budget;
    });
    const spent = budget.spent.measure === "renyi" ? budget.spent.curve : undefined;
    for (const order of [2, "9/2"]) {
      const sum = exactSum(curves.map((curve) => curve.at(order)));
      expect(spent?.at(order).compare(sum)).toBeGreaterThanOrEqual(0);
      expect(
        spent
          ?.at(order)
          .minus(sum)
          .compare(UNIT.times(20 * curves.length)),
      ).toBeLessThanOrEqual(0);
    }
    expect(budget.admitsTimes(renyi(pureCurve(1)))).toBe(reversed.admitsTimes(renyi(pureCurve(1))));
  });

  it("does not follow a formula that changes after it was charged", () => {
    let size = rational("1/2");
    const curve = RenyiCurve.of(() => size);
    const budget = new Budget(renyi(zcdpCurve(1)), { orders: [2] });
    for (let i = 0; i < 3; i++) budget.charge(renyi(curve));
    size = Rational.ZERO;
    expect(budget.admits(renyi(zcdpCurve("1/3")))).toBe(false);
    expect(budget.admits(renyi(zcdpCurve("1/4")))).toBe(true);
  });
});

describe("a curve below 0", () => {
  const difference = renyi(zcdpCurve(1).minus(zcdpCurve(5)));
  const formula = renyi(RenyiCurve.of(() => rational(-1)));

  it("is refused by compose, repeat and convert", () => {
    const refused = "loss.curve must be a curve >= 0";
    expect(() => compose(renyi(zcdpCurve(2)), difference)).toThrow(refused);
    expect(() => compose(difference)).toThrow(refused);
    expect(() => repeat(difference, 3)).toThrow(refused);
    expect(() => convert(difference, { to: "approx", delta: "1e-6" })).toThrow(refused);
    expect(() => convert(difference, { to: "renyi" })).toThrow(refused);
    expect(() => new Budget(approx(1, "1e-6")).charge(difference)).toThrow("must be a rational >= 0");
  });

  it("is refused wherever its formula is evaluated", () => {
    const refused = "curve must be a formula that is >= 0 at every order";
    expect(() => formula.curve.at(2)).toThrow(refused);
    const both = compose(renyi(zcdpCurve(2)), formula);
    expect(() => convert(both, { to: "approx", delta: "1e-6" })).toThrow(refused);
    expect(() => new Budget(renyi(zcdpCurve(5)), { orders: [2] }).charge(both)).toThrow(refused);
  });

  it("may be what is left of a limit, and all that is left can be charged", () => {
    const budget = new Budget(renyi(zcdpCurve(1)), { orders: [2] });
    budget.charge(renyi(zcdpCurve("1/4")));
    budget.charge(budget.remaining);
    expect(budget.admits(renyi(zcdpCurve("1e-9")))).toBe(false);
  });
});

describe("what a budget hands out", () => {
  it("cannot be changed", () => {
    const budget = new Budget(zcdp(1, "1e-6"));
    const charge = budget.charge(zcdp("1/4"));
    const reservation = budget.reserve(zcdp("1/4"));
    for (const value of [budget.spent, budget.limit, budget.remaining, budget.reserved, charge, reservation])
      expect(Object.isFrozen(value)).toBe(true);
    expect(() => Object.assign(budget, { limit: zcdp(1e9) })).toThrow(TypeError);
    expect(() => Object.assign(budget, { spent: zcdp(0) })).toThrow(TypeError);
    (budget.history as unknown[]).length = 0;
    expect(budget.history).toHaveLength(1);
    expect(budget.remaining).toEqual(zcdp("1/2", "1e-6"));
  });

  it("does not lead to what it has spent", () => {
    const budget = new Budget(pure(1));
    budget.charge(pure("3/4"));
    const { epsilon } = budget.spent as { epsilon: { numerator: bigint } };
    try {
      epsilon.numerator = 0n;
    } catch {}
    expect(budget.admits(pure("1/2"))).toBe(false);
  });
});

function isPrime(n: number): boolean {
  for (let factor = 2; factor * factor <= n; factor++) if (n % factor === 0) return false;
  return true;
}
