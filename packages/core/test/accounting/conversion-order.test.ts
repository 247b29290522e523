import { describe, expect, it } from "vitest";
import { bestOrder } from "../../src/accounting/best-order.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import {
  approx,
  Budget,
  base2,
  boundedRangeCurve,
  compose,
  convert,
  gaussianToApprox,
  type Loss,
  type LossOf,
  pure,
  pureCurve,
  renyi,
  rhoAtMost,
  zcdp,
} from "../../src/index.js";

const LIMIT = approx(1, "1e-6");

describe("bestOrder", () => {
  const distance = (a: Rational, b: number) => {
    const difference = a.minus(rational(b));
    return difference.numerator < 0n ? difference.negated() : difference;
  };

  it("searches from 2^−44 to 2^84 above 1", () => {
    expect(
      bestOrder((alpha) => alpha)
        .alpha.minus(1n)
        .compare(2 ** -43),
    ).toBeLessThan(0);
    expect(bestOrder((alpha) => alpha.negated()).alpha.compare(2 ** 83)).toBeGreaterThan(0);
  });

  it("finds the deeper of two valleys, the first or the last", () => {
    const twoValleys = (first: number, last: number) => (alpha: Rational) => {
      const [near, far] = [
        distance(alpha, 2).plus(rational(first)),
        distance(alpha, 4097).plus(rational(last)),
      ];
      return near.compare(far) < 0 ? near : far;
    };
    expect(Number(bestOrder(twoValleys(0, 1)).alpha)).toBe(2);
    expect(Number(bestOrder(twoValleys(1, 0)).alpha)).toBe(4097);
  });
});

describe("an (ε, δ) budget that is charged in zCDP", () => {
  it("takes the conversion from the first charge, and adds up the rest at one order", () => {
    const budget = new Budget(LIMIT);
    const [first, second] = [budget.charge(zcdp("0.001")), budget.charge(zcdp("0.001"))];
    const [opening, next] = [first, second].map(({ counted }) => counted as LossOf["approx"]);
    expect([opening.delta, next.delta].map(Number)).toEqual([5e-7, 0]);
    expect(Number(opening.epsilon)).toBeGreaterThan(10 * Number(next.epsilon));
    expect(compose(first.counted, second.counted)).toEqual(budget.spent);
    expect(compose(budget.spent, budget.remaining)).toEqual(LIMIT);
  });

  it.each([
    [1, "1e-6"],
    [3, "1e-5"],
    ["1/10", "1e-9"],
    [20, "1e-3"],
  ])("(%s, %s) admits exactly what fits when the sum is converted with half of δ", (epsilon, delta) => {
    const half = approx(0, delta).delta.dividedBy(2n);
    const most = rhoAtMost({ epsilon, delta: half });
    const budget = new Budget(approx(epsilon, delta));
    expect(budget.admits(zcdp(most.times("1.000000001")))).toBe(false);
    for (let i = 0; i < 10; i++) budget.charge(zcdp(most.times("0.0999999999")));
    const spent = zcdp(most.times("0.999999999"));
    expect(convert(spent, { to: "approx", delta: half }).epsilon).toSatisfy(atMost(epsilon));
    expect(gaussianToApprox(spent.rho as Rational, { epsilon }).delta).toSatisfy(atMost(half));
  });

  it("counts what came before in ε, and what comes after at the order, where ε-DP costs less", () => {
    const budget = new Budget(approx(3, "1e-5"));
    expect(budget.charge(pure("1/2")).counted).toEqual(approx("1/2", 0));
    budget.charge(zcdp("0.01"));
    const small = budget.charge(approx("1/10", "1e-6")).counted as LossOf["approx"];
    expect(small.delta.toNumber()).toBe(1e-6);
    expect(small.epsilon).toSatisfy(atMost("1/20"));
    expect((budget.charge(base2(1)).counted as LossOf["approx"]).epsilon).toSatisfy(
      atMost("0.6931471805599454"),
    );
  });

  it("takes Rényi losses, and one that is ε-DP as such", () => {
    const budget = new Budget(LIMIT);
    expect(budget.charge(renyi(pureCurve("1/10"))).counted).toEqual(approx("1/10", 0));
    const { counted } = budget.charge(renyi(boundedRangeCurve("1/100"), "1e-8"));
    expect((counted as LossOf["approx"]).delta.toNumber()).toBeCloseTo(5.1e-7, 20);
  });

  it("says what would fit, before its first such charge and after it, and that fits", () => {
    const budget = new Budget(LIMIT);
    const first = fitting(budget, zcdp(1));
    expect(first).toMatch(/^at most rho = 0\.0229374466\d+, delta = 0\.0000005$/);
    budget.charge(zcdp("0.0229374"));
    const [, epsilon] = /^at most epsilon = (\S+)$/.exec(fitting(budget, pure(1))) ?? [];
    const left = (budget.remaining as LossOf["approx"]).epsilon as Rational;
    expect(left).toSatisfy(atMost(epsilon));
    expect(budget.admits(pure(epsilon))).toBe(true);
  });

  it("refuses the first such charge if no δ or no ε is left for the conversion", () => {
    expect(fitting(new Budget(approx(1, 0)), zcdp("0.001"))).toBe("at most rho = 0");
    const spent = new Budget(LIMIT);
    spent.charge(pure(1));
    expect(fitting(spent, zcdp("0.001"))).toBe("at most rho = 0");
  });

  it("may be unlimited, and admits nothing that is", () => {
    expect(new Budget(approx(Infinity, "1e-6")).admitsTimes(zcdp(1))).toBe(Infinity);
    expect(new Budget(LIMIT).admits(zcdp(Infinity))).toBe(false);
  });
});

function atMost(bound: number | string | Rational): (value: Rational) => boolean {
  return (value) => value.compare(bound) <= 0;
}

/** What the budget says would fit when it refuses the loss. */
function fitting(budget: Budget, loss: Loss): string {
  let expected = "";
  try {
    budget.charge(loss);
  } catch (error) {
    expected = (error as { expected: string }).expected;
  }
  return expected;
}
