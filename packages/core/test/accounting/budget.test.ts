import { describe, expect, it } from "vitest";
import { largestWithin } from "../../src/accounting/largest-within.js";
import { WinnowError } from "../../src/errors.js";
import { Interval } from "../../src/exact/interval.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import {
  approx,
  Budget,
  base2,
  boundedRangeCurve,
  convert,
  type Loss,
  type LossOf,
  type Measure,
  pure,
  pureCurve,
  RenyiCurve,
  renyi,
  zcdp,
  zcdpCurve,
} from "../../src/index.js";

/** What a refused charge throws, after a check that it changed nothing. */
function refusal(budget: Budget, loss: Loss): WinnowError {
  const before = [budget.spent, budget.remaining, budget.history];
  try {
    budget.charge(loss);
  } catch (error) {
    expect([budget.spent, budget.remaining, budget.history]).toEqual(before);
    if (error instanceof WinnowError) return error;
  }
  throw new Error("the charge was admitted");
}

describe("Budget", () => {
  it("keeps what was spent, what remains and the history, exactly", () => {
    const budget = new Budget(pure(1));
    budget.charge(pure("1/3"), "top ten");
    budget.charge(pure("1/3"));
    expect(budget.limit).toEqual(pure(1));
    expect(budget.spent).toEqual(pure("2/3"));
    expect(budget.remaining).toEqual(pure("1/3"));
    expect(budget.history).toEqual([
      { loss: pure("1/3"), counted: pure("1/3"), label: "top ten" },
      { loss: pure("1/3"), counted: pure("1/3") },
    ]);
  });

  it("admits a charge that exactly exhausts it, and after that only charges of nothing", () => {
    const budget = new Budget(zcdp("0.3", "3e-6"));
    for (let i = 0; i < 3; i++) budget.charge(zcdp("0.1", "1e-6"));
    expect(budget.remaining).toEqual(zcdp(0));
    expect(budget.admits(zcdp(0))).toBe(true);
    expect(budget.admits(zcdp("1e-300"))).toBe(false);
    expect(budget.admits(zcdp(0, "1e-300"))).toBe(false);
  });

  it("keeps no label that wasn't given", () => {
    const budget = new Budget(pure(1));
    expect(budget.charge(pure("1/4"))).not.toHaveProperty("label");
    expect(budget.settle(budget.reserve(pure("1/4")))).not.toHaveProperty("label");
  });

  it("refuses a label that isn't a text, and stays as it was", () => {
    const budget = new Budget(pure(1));
    const label = { label: "top ten places" } as unknown as string;
    expect(() => budget.charge(pure("1/4"), label)).toThrow("label must be a text");
    expect(() => budget.reserve(pure("1/4"), label)).toThrow("label must be a text");
    expect(budget.remaining).toEqual(pure(1));
  });

  it("may be in base 2", () => {
    const budget = new Budget(base2(1));
    budget.charge(base2("3/4"));
    expect(budget.spent).toEqual(base2("3/4"));
    expect(budget.remaining).toEqual(base2("1/4"));
    expect(budget.admits(base2("1/4"))).toBe(true);
    expect(budget.admits(base2("1/3"))).toBe(false);
  });

  it("admits a curve only if it is certainly within the limit, at every order, and never below 0", () => {
    const orders = { orders: [2, 8] };
    const same = new Budget(renyi(pureCurve(1)), orders);
    expect(same.admits(renyi(pureCurve(1)))).toBe(false); // rounded up, it is above what is rounded down
    expect(same.admits(renyi(zcdpCurve(0)))).toBe(true);
    const dips = RenyiCurve.of((alpha, precision) => Interval.from(alpha.minus(3n), precision));
    expect(() => same.charge(renyi(dips))).toThrow("curve must be a formula that is >= 0 at every order");
    const reservation = same.reserve(renyi(pureCurve("1/2")));
    expect(() => same.settle(reservation, renyi(zcdpCurve("1/10")))).toThrow(
      'loss must be at most what was reserved; got "more"',
    );
  });

  it("knows the largest loss of each measure within a limit", () => {
    const within = (limit: Loss, measure: Measure) =>
      largestWithin(limit, measure, [rational(2), rational(8)]);
    const [one, both] = [pure(1), approx(1, "1e-6")];
    for (const limit of [one, both, base2(1), zcdp(1, "1e-6")])
      expect(within(limit, limit.measure)).toBe(limit);
    const [eta, natural] = [within(one, "base2"), within(base2(1), "pure")] as [
      LossOf["base2"],
      LossOf["pure"],
    ];
    expect(Number(eta.eta)).toBeCloseTo(Math.LOG2E, 14);
    expect((eta.eta as Rational).compare(convert(one, { to: "base2" }).eta as Rational)).toBeLessThan(0);
    expect(Number(natural.epsilon)).toBeCloseTo(Math.LN2, 14);
    expect(
      (natural.epsilon as Rational).compare(convert(base2(1), { to: "pure" }).epsilon as Rational),
    ).toBeLessThan(0);
    expect(within(base2(Infinity), "pure")).toEqual(pure(Infinity));
    expect(within(one, "approx")).toEqual(approx(1, 0));
    expect(within(both, "pure")).toEqual(one);
    expect(within(one, "zcdp")).toBe(one);
    expect(within(one, "renyi")).toBe(one);
    expect(within(renyi(zcdpCurve("0.1"), "1e-6"), "zcdp")).toEqual(zcdp("0.1", "1e-6"));
    const rooted = within(zcdp("0.1", "1e-6"), "approx") as LossOf["approx"];
    const epsilon = rooted.epsilon as Rational;
    expect(epsilon.times(epsilon).compare("0.2")).toBeLessThan(0); // √0.2, rounded down
    expect(Number(epsilon)).toBeCloseTo(Math.sqrt(0.2), 13);
    expect(rooted.delta).toEqual(rational("1e-6"));
    expect(within(zcdp("0.1"), "approx")).toEqual(approx(epsilon, 0));
  });

  it("counts charges of other measures in its own", () => {
    const budget = new Budget(zcdp(1, "1e-6"));
    expect(budget.charge(pure("1/2")).counted).toEqual(zcdp("0.1224593312018546"));
    expect(budget.charge(approx("1/2", "1e-7")).counted).toEqual(zcdp("0.1224593312018546", "1e-7"));
    expect(budget.charge(renyi(boundedRangeCurve(1))).counted).toEqual(zcdp("0.1233015614822446"));
    expect(budget.spent).toEqual(zcdp("0.3682202238859538", "1e-7"));
  });

  it.each([
    [
      new Budget(pure(1)),
      pure(2),
      "at most epsilon = 1 (left: epsilon = 1, of epsilon = 1); got epsilon = 2",
    ],
    [
      new Budget(pure(1)),
      base2(2),
      "at most eta = 1.442695040888963 (left: epsilon = 1, of epsilon = 1); got eta = 2 (epsilon = 1.386294361119891)",
    ],
    [
      new Budget(base2(1)),
      pure(2),
      "at most epsilon = 0.693147180559945 (left: eta = 1, of eta = 1); got epsilon = 2 (eta = 2.885390081777927)",
    ],
    [
      new Budget(zcdp("0.02", "1e-6")),
      pure(1),
      "at most epsilon = 0.2 (left: rho = 0.02, delta = 0.000001, of rho = 0.02, delta = 0.000001); got epsilon = 1 (rho = 0.4621171572600098)",
    ],
    [
      new Budget(zcdp("0.02", "1e-6")),
      approx("0.1", "1e-3"),
      "at most epsilon = 0.2, delta = 0.000001 (left: rho = 0.02, delta = 0.000001, of rho = 0.02, delta = 0.000001); got epsilon = 0.1, delta = 0.001 (rho = 0.004995837495787998, delta = 0.001)",
    ],
    [
      new Budget(zcdp("0.02")),
      renyi(boundedRangeCurve(1)),
      "at most rho = 0.02 (left: rho = 0.02, of rho = 0.02); got rho = 0.1233015614822446",
    ],
    [
      new Budget(approx(1, "1e-6")),
      pure(2),
      "at most epsilon = 1 (left: epsilon = 1, delta = 0.000001, of epsilon = 1, delta = 0.000001); got epsilon = 2 (epsilon = 2, delta = 0)",
    ],
    [
      new Budget(renyi(zcdpCurve("0.1")), { orders: [2, 8] }),
      zcdp(1),
      "at most rho = 0.1 (left: epsilon(2) = 0.2, epsilon(8) = 0.8, of epsilon(2) = 0.2, epsilon(8) = 0.8); got rho = 1 (epsilon(2) = 2, epsilon(8) = 8)",
    ],
    [
      new Budget(renyi(zcdpCurve("0.02")), { orders: [2] }),
      renyi(zcdpCurve(1)),
      "at most epsilon(2) = 0.04 (left: epsilon(2) = 0.04, of epsilon(2) = 0.04); got epsilon(2) = 2",
    ],
  ])("a refusal says what was asked, what is left and what would fit (%#)", (budget, loss, text) => {
    const error = refusal(budget, loss);
    expect(error.code).toBe("budget-exceeded");
    expect(error.field).toBe("loss");
    expect(error.message).toBe(`loss must be ${text}`);
  });

  it("refuses a Rényi loss that a budget without orders counts", () => {
    expect(() => new Budget(zcdp("0.1")).charge(renyi(zcdpCurve(1)))).toThrow(
      "loss must be at most rho = 0.1",
    );
    expect(() => new Budget(renyi(zcdpCurve(1)), { orders: ["x"] })).toThrow("orders must be a rational");
  });

  it("what would fit does fit", () => {
    const budget = new Budget(zcdp("0.03"));
    budget.charge(zcdp("0.01"));
    expect(refusal(budget, pure(1)).expected).toBe("at most epsilon = 0.2");
    budget.charge(pure("0.2"));
    const { remaining } = budget;
    if (remaining.measure !== "zcdp") throw new Error("not a zCDP budget");
    expect(rational(remaining.rho).compare("7e-5")).toBe(-1); // 0.2²/2 − 0.2·tanh(0.1)
  });

  it("says how many more charges like one would be admitted", () => {
    const budget = new Budget(zcdp("0.1", "1e-6"));
    expect(budget.admitsTimes(zcdp("0.01"))).toBe(10);
    expect(budget.admitsTimes(pure("0.1"))).toBe(20); // ε·tanh(ε/2) each, not that of nε
    expect(budget.admitsTimes(zcdp("0.01", "3e-7"))).toBe(3);
    expect(budget.admitsTimes(zcdp(1))).toBe(0);
    expect(budget.admitsTimes(zcdp(0))).toBe(Infinity);
  });

  it("refuses a loss that its measure cannot count", () => {
    const error = refusal(new Budget(pure(1)), zcdp("0.001"));
    expect(error.code).toBe("invalid-parameter");
    expect(error.message).toBe('loss must be a loss that is bounded in the measure pure; got "zcdp"');
    expect(refusal(new Budget(pure(1)), pure(Infinity)).code).toBe("budget-exceeded");
  });

  it("holds a Rényi budget at every order of its list", () => {
    const budget = new Budget(renyi(pureCurve(1), "1e-6"), { orders: [2, "32"] });
    budget.charge(renyi(boundedRangeCurve(1), "1e-7"));
    expect(budget.admits(renyi(boundedRangeCurve(1)))).toBe(false); // too much at order 32
    expect(budget.admits(zcdp("0.003"))).toBe(true);
    const { remaining } = budget;
    if (remaining.measure !== "renyi") throw new Error("not a Rényi budget");
    const left = pureCurve(1).at(2).toNumber() - boundedRangeCurve(1).at(2).toNumber();
    expect(remaining.curve.at(2).toNumber()).toBeCloseTo(left, 12);
    expect(remaining.delta?.toNumber()).toBeCloseTo(9e-7, 20);
  });

  it("may be unlimited", () => {
    const budget = new Budget(pure(Infinity));
    budget.charge(pure(10));
    budget.charge(pure(Infinity));
    expect(budget.remaining).toEqual(pure(Infinity));
    expect(budget.admitsTimes(pure(1))).toBe(Infinity);
  });

  it("does not let its history be changed from outside", () => {
    const budget = new Budget(pure(1));
    const charge = budget.charge(pure("1/2"));
    (budget.history as unknown[]).pop();
    expect(budget.history).toEqual([charge]);
    expect(Object.isFrozen(charge)).toBe(true);
  });

  it.each([
    [
      () => new Budget(renyi(pureCurve(1))),
      "orders must be a list of 1 to 256 rationals, all > 1; got undefined",
    ],
    [
      () => new Budget(renyi(pureCurve(1)), { orders: [2, 1] }),
      "orders must be a list of 1 to 256 rationals, all > 1",
    ],
    [() => new Budget(pure(1), { orders: [2] }), "orders must be absent for a pure budget; got an array"],
  ])("is refused with a sentence (%#)", (make, message) => {
    expect(make).toThrow(message);
  });
});
