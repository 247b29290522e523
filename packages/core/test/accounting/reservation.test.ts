import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import {
  approx,
  Budget,
  base2,
  boundedRangeCurve,
  limitedTopK,
  makeLimitedTopK,
  pure,
  pureCurve,
  renyi,
  WinnowError,
  zcdp,
  zcdpCurve,
} from "../../src/index.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { vectors } from "../support/unknown-vectors.js";

describe("Pay what you get", () => {
  it.each(vectors.charges)("$name", ({ measure, limit, steps }) => {
    const loss = (value: Rational, delta: string) =>
      measure === "zcdp" ? zcdp(value, delta) : approx(value, delta);
    const budget = new Budget(loss(rational(limit.value), limit.delta));
    for (const step of steps) {
      const { k, winners, stopped, each, delta, admitted } = step;
      const perRange = rational(step.r).dividedBy(step.scale);
      expect(measure === "zcdp" ? perRange.times(perRange).dividedBy(8n) : perRange).toEqual(rational(each));
      const countEach = rational("count_each" in step ? String(step.count_each) : 0);
      const whole = loss(rational(each).plus(countEach).times(k), delta);
      expect(whole).toEqual(loss(rational(step.reserved), delta));
      expect(budget.admits(whole)).toBe(admitted);
      if (admitted) {
        const reservation = budget.reserve(whole, "a run");
        expect(budget.reserved).toEqual(whole);
        const rounds = winners + (stopped ? 1 : 0);
        expect(rounds).toBe(step.rounds);
        const settled = rational(each).times(rounds).plus(countEach.times(winners));
        expect(settled).toEqual(rational(String(step.charged)));
        expect(budget.settle(reservation, loss(settled, delta)).label).toBe("a run");
      } else expect(() => budget.reserve(whole)).toThrow("loss must be at most");
      expect(budget.spent).toEqual(loss(rational(step.spent), step.spent_delta));
    }
  });

  it("counts open reservations in full, and one that is never settled for ever", () => {
    const budget = new Budget(zcdp(1, "1e-5"));
    const [first, second] = [budget.reserve(zcdp("0.6", "1e-6")), budget.reserve(zcdp("0.3", "1e-6"))];
    expect(budget.spent).toEqual(zcdp(0));
    expect(budget.reserved).toEqual(zcdp("0.9", "2e-6"));
    expect(budget.remaining).toEqual(zcdp("0.1", "8e-6"));
    expect(budget.admits(zcdp("0.2"))).toBe(false);
    expect(() => budget.charge(zcdp("0.2"))).toThrow("loss must be at most rho = 0.1");
    budget.settle(first, zcdp("0.1", "1e-6"));
    expect(budget.spent).toEqual(zcdp("0.1", "1e-6"));
    expect(budget.remaining).toEqual(zcdp("0.6", "8e-6"));
    budget.charge(zcdp("0.6"));
    expect(budget.admits(zcdp("1e-9"))).toBe(false);
    expect(budget.reserved).toEqual(second.counted);
    expect(budget.history.map(({ counted }) => counted)).toEqual([zcdp("0.1", "1e-6"), zcdp("0.6")]);
  });

  it("never exceeds the limit, however reservations overlap", () => {
    const entropy = seededEntropy("overlapping reservations");
    for (let run = 0; run < 30; run++) {
      const budget = new Budget(zcdp(1, "1e-5"));
      const open: ReturnType<Budget["reserve"]>[] = [];
      for (let step = 0; step < 60; step++) {
        const loss = zcdp(Rational.of(BigInt(1 + entropy.bits(4)), 40n), "1e-7");
        if (entropy.bit() === 1 && budget.admits(loss)) open.push(budget.reserve(loss));
        else if (open.length > 0) {
          const [reservation] = open.splice(entropy.bits(8) % open.length, 1);
          if (reservation.loss.measure !== "zcdp") throw new Error("not zCDP");
          const part = Rational.of(BigInt(entropy.bits(3)), 7n);
          budget.settle(reservation, zcdp(rational(reservation.loss.rho).times(part), "1e-7"));
        }
        const { remaining } = budget;
        expect(remaining.measure === "zcdp" && rational(remaining.rho).numerator >= 0n).toBe(true);
      }
    }
  });

  it("charges all of δ, and never more than was reserved", () => {
    const budget = new Budget(zcdp(1, "1e-5"));
    const reservation = budget.reserve(zcdp("0.5", "1e-6"));
    for (const more of [zcdp("0.6", "1e-6"), zcdp("0.5", "2e-6")])
      expect(() => budget.settle(reservation, more)).toThrow("loss must be at most what was reserved");
    expect(() => budget.settle(reservation, pure("0.1"))).toThrow(
      "loss must be a zcdp loss, as was reserved",
    );
    expect(budget.settle(reservation, zcdp("0.2")).counted).toEqual(zcdp("0.2", "1e-6"));
    expect(() => budget.settle(reservation)).toThrow("reservation must be one of this budget");
    expect(() => budget.settle({ ...reservation })).toThrow(WinnowError);
    expect(() => new Budget(zcdp(1)).settle(budget.reserve(zcdp("0.1")))).toThrow(WinnowError);
    expect(() => budget.settle(undefined as never)).toThrow(WinnowError);
  });

  it.each([
    [pure(1), pure("1/2"), pure("3/5")],
    [zcdp(1, "1e-5"), zcdp("1/2"), zcdp("1/4", "1e-6")],
    [base2(1), base2("1/2"), base2(rational("1/2").plus("1e-60"))],
  ])("says that it was more, however little (%#)", (limit, whole, more) => {
    const budget = new Budget(limit);
    const reservation = budget.reserve(whole);
    expect(() => budget.settle(reservation, more)).toThrow(
      'loss must be at most what was reserved; got "more"',
    );
  });

  it("may be settled in full", () => {
    const budget = new Budget(pure(1));
    budget.settle(budget.reserve(pure("1/2")));
    expect(budget.spent).toEqual(pure("1/2"));
  });

  it("adds up losses in ε in a budget of ε or (ε, δ)", () => {
    const pureBudget = new Budget(pure(1));
    pureBudget.settle(pureBudget.reserve(pure("1/2")), pure("1/10"));
    expect(pureBudget.spent).toEqual(pure("1/10"));
    const budget = new Budget(approx(1, "1e-5"));
    budget.settle(budget.reserve(approx("1/2", "1e-6")), approx("1/10", "1e-6"));
    expect(budget.spent).toEqual(approx("1/10", "1e-6"));
  });

  it.each([[new Budget(zcdp(1, "1e-5"))], [new Budget(renyi(zcdpCurve(1), "1e-5"), { orders: [2, 8] })]])(
    "settles a loss in ε in full where ε is squared (%#)",
    (budget) => {
      const reservation = budget.reserve(approx("1/2", "1e-6"));
      expect(() => budget.settle(reservation, approx("1/10", "1e-6"))).toThrow(
        /^loss must be all that was reserved, because a (zcdp|renyi) budget .*; got "less"/,
      );
      expect(budget.settle(reservation).counted).toEqual(reservation.counted);
      const inBase2 = budget.reserve(base2("1/4"));
      const less = base2(rational("1/4").minus("1e-60"));
      expect(() => budget.settle(inBase2, less)).toThrow("loss must be all that was reserved");
    },
  );

  it("settles rounds in a Rényi budget at each of its orders", () => {
    const budget = new Budget(renyi(zcdpCurve(1), "1e-5"), { orders: [2, 8] });
    const curve = boundedRangeCurve("1/3");
    budget.settle(budget.reserve(renyi(curve.times(10))), renyi(curve.times(10)));
    budget.settle(budget.reserve(renyi(curve.times(10))), renyi(curve.times(3)));
    expect(() => budget.settle(budget.reserve(renyi(curve)), renyi(curve.times(2)))).toThrow(
      "at most what was",
    );
    const { spent } = budget;
    if (spent.measure !== "renyi") throw new Error("not Rényi");
    expect(spent.curve.at(8)).toEqual(curve.times(13).at(8));
    const { counted } = budget.settle(budget.reserve(renyi(curve, "1e-6")), renyi(curve));
    expect(counted).toMatchObject({ delta: rational("1e-6") });
  });

  it("at the order of an (ε, δ) budget, counts rounds of bounded range at that order", () => {
    const budget = new Budget(approx(1, "1e-5"));
    const curve = boundedRangeCurve("1/10");
    const rounds = budget.reserve(renyi(curve.times(10), "1e-7"));
    const before = budget.reserved;
    const { counted } = budget.settle(rounds, renyi(curve.times(4), "1e-7"));
    if (counted.measure !== "approx" || before.measure !== "approx") throw new Error("not (ε, δ)");
    expect(Number(counted.epsilon)).toBeLessThan(Number(before.epsilon));
    expect(counted.delta).toEqual(before.delta);
  });

  it("at that order, counts a loss in ε in full, whatever the answer", () => {
    const budget = new Budget(approx(3, "1e-5"));
    const early = budget.reserve(approx("1/10", "1e-7"));
    budget.charge(zcdp("1/1000"));
    for (const [whole, part] of [
      [approx("1/5", "1e-7"), approx("1/1000", "1e-7")],
      [pure("1/5"), pure("1/1000")],
      [base2("1/5"), base2("1/1000")],
    ]) {
      const reservation = budget.reserve(whole);
      const charge = budget.settle(reservation, part);
      expect(charge.loss).toEqual(part);
      expect(charge.counted).toEqual(reservation.counted);
    }
    const reservation = budget.reserve(approx("1/5", "1e-7"));
    expect(() => budget.settle(reservation, approx("21/100", "1e-7"))).toThrow("at most what was reserved");
    // Reserved as ε itself, before there was an order.
    expect(budget.settle(early, approx("1/1000", 0)).counted).toEqual(approx("1/1000", "1e-7"));
  });

  it("at an order, the smaller of price and curve is sound only if the price bounds the loss from both sides", () => {
    const order = 2;
    const e = (x: RationalLike) => Interval.from(x, 128).exp();
    const curve = pureCurve(1).at(order);
    /** E_q[(p/q)² e^−charge] for an answer that loses +1 and one that loses less: at most 1 in a step of the filter. */
    const step = (charged: RationalLike, other: { loss: RationalLike; charged: RationalLike }) => {
      const chance = e(0)
        .minus(e(other.loss))
        .dividedBy(e(1).minus(e(other.loss))); // so that both laws sum to 1
      const factor = (loss: RationalLike, price: RationalLike) => e(rational(loss).times(order).minus(price));
      return chance
        .times(factor(1, charged))
        .plus(e(0).minus(chance).times(factor(other.loss, other.charged)));
    };
    // The second answer costs 1/2. It loses −1/2, within its price, or −1, which is within it in this direction only.
    expect(step(curve, { loss: "-1/2", charged: "1/2" }).isBelow("0.85")).toBe(true);
    expect(step(curve, { loss: -1, charged: "1/2" }).isAbove("1.01")).toBe(true);
    // Always the curve, or always the price.
    expect(step(curve, { loss: -1, charged: curve }).isBelow("1.0000000001")).toBe(true);
    expect(step(1, { loss: -1, charged: "1/2" }).isBelow("0.8")).toBe(true);
  });

  it("holds for a limited-domain top k: reserve, draw, settle", () => {
    const terms = { k: 10, noise: "gumbel", scale: 7, delta: "1e-6" } as const;
    const measurement = makeLimitedTopK(terms);
    const budget = new Budget(zcdp("1/10", "1e-5"));
    const reservation = budget.reserve(measurement.reservation.zcdp);
    const answer = measurement.invoke({ ant: 4000, bee: 3000, cat: 2000, dog: 2 });
    expect(answer.rounds).toBe(4);
    budget.settle(reservation, answer.charge.zcdp);
    expect(budget.spent).toEqual(zcdp("1/98", measurement.failure));
    const { charge } = limitedTopK({}, { k: 10, epsilon: 1, delta: "1e-6", noise: "exponential" });
    expect(Number(charge.approx.epsilon)).toBe(0.1);
  });
});
