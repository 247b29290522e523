import { describe, expect, it } from "vitest";
import { AllOrdersRule } from "../../../src/accounting/profile/all-orders-rule.js";
import {
  FailingSteps,
  tableOfAllOrders,
  tableOfFailingOrder,
} from "../../../src/accounting/profile/failing-steps.js";
import { KeepTable } from "../../../src/accounting/profile/keep-table.js";
import { OrderRule, tableOfOneOrder } from "../../../src/accounting/profile/one-order-steps.js";
import { Rational, rational } from "../../../src/exact/rational.js";
import { convert, selectPartitions } from "../../../src/index.js";
import { vectors } from "../../support/count-vectors.js";

const budgetOf = (size: string, delta: string, moved: number) => ({
  ...{ size: rational(size), delta: rational(delta) },
  moved,
});

/** All probabilities, as doubles; the last is 1. */
function chancesOf(table: KeepTable): number[] {
  const chances: number[] = [];
  for (let units = table.units(0); units !== undefined; units = table.units(chances.length))
    chances.push(Rational.of(units, 1n << BigInt(table.steps.bits)).toNumber());
  return [...chances, 1];
}

/** The largest D_α(Bern(p)‖Bern(q))/α over a grid of orders, in doubles. */
function largestShare(p: number, q: number): number {
  if (p <= 0 || q <= 0 || p >= 1 || q >= 1) return Number.POSITIVE_INFINITY;
  let largest = p * Math.log(p / q) + (1 - p) * Math.log1p((q - p) / (1 - q));
  for (let alpha = 1.02; alpha < 1e4; alpha *= 1.02) {
    const [kept, lost] = [Math.log(p / q), Math.log((1 - p) / (1 - q))];
    const most = Math.max(kept, lost) * (alpha - 1);
    const sum = p * Math.exp(kept * (alpha - 1) - most) + (1 - p) * Math.exp(lost * (alpha - 1) - most);
    largest = Math.max(largest, (most + Math.log(sum)) / (alpha - 1) / alpha);
  }
  return largest;
}

/** What is left of two neighbouring probabilities when each side's failure is taken away; undefined if nothing is. */
function withoutFailure(before: number, after: number, failure: number): [number, number] | undefined {
  if (after <= before + failure || before >= 1 - failure) return undefined;
  return [before / (1 - failure), (after - failure) / (1 - failure)];
}

/** The largest D_α/α over all steps of a table, both ways, except for a failure at each of them. */
function costOf(chances: readonly number[], failure: number): number {
  return Math.max(
    ...chances.slice(1).flatMap((after, n) => {
      const pair = withoutFailure(chances[n], after, failure);
      return pair === undefined ? [] : [largestShare(...pair), largestShare(pair[1], pair[0])];
    }),
  );
}

describe("The table for names by all orders", () => {
  it.each(vectors.keep_zcdp)("is that of the vectors: ρ = $rho, δ = $delta, $moved", (vector) => {
    const table = tableOfAllOrders(budgetOf(vector.rho, vector.delta, vector.moved))!;
    const one = 1n << BigInt(table.steps.bits);
    for (const { count, real } of vector.keep) {
      const below = rational(real).minus(Rational.of(table.units(count) ?? one, one));
      expect(below.compare("-1e-26")).toBe(1); // the vectors' own rounding
      expect(below.compare(Rational.of(1n, 1n << 50n))).toBe(-1);
    }
    expect(table.halfKeep).toBe(vector.half_keep);
    expect(table.steps.first).toBe(
      rational(vector.failure_each).times(one).floor(), // rounded down
    );
  });

  it.each([
    ["1/40", "1e-6", 1],
    ["1/2", "1/1000", 2],
    ["1/10", "1e-9", 3],
  ] as const)("has ρ at every order and nearly that: ρ = %s, δ = %s, %i", (rho, delta, moved) => {
    const chances = chancesOf(tableOfAllOrders(budgetOf(rho, delta, moved))!);
    const [each, failure] = [rational(rho), rational(delta)].map((x) => x.toNumber() / moved);
    const cost = costOf(chances, failure);
    expect(cost / each).toBeLessThan(1 + 1e-6); // doubles
    expect(cost / each).toBeGreaterThan(0.999);
    // Wrong: all of ρ for every name, and a failure that is not divided.
    const tooMuch = chancesOf(tableOfAllOrders(budgetOf(rho, delta, 1))!);
    if (moved > 1) expect(costOf(tooMuch, failure)).toBeGreaterThan(1.5 * each);
  });

  it("has at every count the largest that may follow", () => {
    const table = tableOfAllOrders(budgetOf("1/10", "1/1000", 2))!;
    const { steps } = table;
    for (let n = 0; table.units(n + 1) !== undefined; n++) {
      const [from, to] = [table.units(n)!, table.units(n + 1)!];
      expect(steps.mayFollow(from, to)).toBe(true);
      expect(steps.mayFollow(from, to + 1n)).toBe(false);
    }
  });

  it("refuses what is certainly more than ρ, and takes what is certainly less", () => {
    const whole = 10n ** 12n;
    const rule = new AllOrdersRule(whole, rational("1/40"));
    const up = (p: number) => {
      const units = BigInt(Math.round(p * 1e12));
      for (let q = p; ; q *= 1.0001) {
        const most = Math.max(largestShare(q, p), largestShare(p, q));
        const to = BigInt(Math.round(q * 1e12));
        if (most < 0.9999 / 40) expect(rule.mayFollow(units, to)).toBe(true);
        if (most > 1.0001 / 40) {
          expect(rule.mayFollow(units, to)).toBe(false);
          return;
        }
      }
    };
    for (const p of [1e-5, 0.01, 0.3, 0.49, 0.51, 0.8, 0.99]) up(p);
    expect(rule.mayFollow(5n, 5n)).toBe(true);
    expect(rule.mayFollow(5n, 4n)).toBe(false);
  });

  it("isn't what a table for (ε, δ) costs in ρ: that is far more than its conversion", () => {
    const [epsilon, delta] = [rational(1), rational("1e-6")];
    // Charged: the ρ of (1, 10⁻⁶) is .0243. True, except for M·δ′:
    for (const [moved, least] of [
      [3, 0.051],
      [10, 0.142],
    ] as const) {
      const { table, numbers } = tableOfOneOrder({ epsilon, delta, moved })!;
      const chances = chancesOf(table).filter((chance, n) => n > 0 && chance < 1);
      const cost = Math.max(
        ...chances
          .slice(1)
          .flatMap((after, n) => [largestShare(after, chances[n]), largestShare(chances[n], after)]),
      );
      expect(cost * moved).toBeGreaterThan(least);
      expect(cost * moved).toBeGreaterThan(2 * 0.0243);
      expect(numbers.order).toBe(17);
    }
  });

  it("needs fewer people for a name than a Gaussian threshold in ρ", () => {
    const rho = "0.02294";
    for (const [moved, gaussian, all] of [
      [1, 24, 20],
      [3, 42, 36],
      [10, 79, 66],
    ] as const) {
      const options = { maxItemsPerUser: moved, rho, delta: "1e-6" };
      const [now, before] = [
        selectPartitions([], options),
        selectPartitions([], { ...options, method: "gaussian" }),
      ];
      expect([now.method, before.method]).toEqual(["zcdp", "gaussian"]);
      expect(now.halfKeep).toBe(all);
      expect(Number(before.threshold)).toBe(gaussian);
    }
  });
});

describe("The table for names at one order of an account", () => {
  it.each(vectors.keep_order)(
    "is that of the vectors, unit by unit: ($epsilon, $delta), $moved",
    (vector) => {
      const { bits, order, K_units, failure_each_units, keep, half_keep, certain_from } = vector;
      const one = 1n << BigInt(bits);
      const failure = Rational.of(BigInt(failure_each_units), one);
      const growth = Rational.of(BigInt(K_units), 1n << 64n);
      const steps = new FailingSteps(bits, failure, (whole) => new OrderRule(whole, order, growth));
      const table = new KeepTable(steps);
      for (const { count, units } of keep) expect(String(table.units(count) ?? one)).toBe(units);
      expect(table.halfKeep).toBe(half_keep);
      expect(table.units(certain_from)).toBeUndefined();
      expect(table.units(certain_from - 1)).toBeDefined();
    },
  );

  it("costs τ at its order, and what its steps cost at others", () => {
    const options = { maxItemsPerUser: 2, epsilon: "1/2", order: 8, delta: "1/1000" };
    const { privacy, method, halfKeep } = selectPartitions([], options);
    expect(method).toBe("renyi");
    expect(halfKeep).toBeGreaterThan(3);
    if (privacy.measure !== "renyi") throw new Error(privacy.measure);
    expect(String(privacy.delta)).toBe("0.001");
    expect(String(privacy.curve.at(8))).toBe("0.5");
    expect(String(privacy.curve.at(2))).toBe("0.5");
    const chances = chancesOf(tableOfFailingOrder(budgetOf("1/2", "1/1000", 2), 8)!);
    const divergence = (p: number, q: number, alpha: number) =>
      Math.log(p ** alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)) / (alpha - 1);
    for (const [alpha, most] of [
      [8, 1 / 4],
      [12, privacy.curve.at(12).toNumber() / 2],
      [40, privacy.curve.at(40).toNumber() / 2],
    ]) {
      const worst = Math.max(
        ...chances.slice(1).flatMap((after, n) => {
          const pair = withoutFailure(chances[n], after, 0.0005);
          return pair === undefined ? [] : [divergence(...pair, alpha), divergence(pair[1], pair[0], alpha)];
        }),
      );
      expect(worst).toBeLessThanOrEqual(most * (1 + 1e-9));
      expect(worst).toBeGreaterThan(0.95 * most);
    }
    expect(privacy.curve.at(12).toNumber()).toBeGreaterThan(0.5);
    expect(() => convert(privacy, { to: "zcdp" })).toThrow("bounded in the measure zcdp");
  });

  it("is refused where it would be too long, or where nothing asks for it", () => {
    const ask = (change: object) => () =>
      selectPartitions([], { maxItemsPerUser: 2, epsilon: 1, order: 8, delta: "1e-6", ...change } as never);
    expect(ask({ order: 1 })).toThrow("epsilon must be from 1/1000 to 100 for each name");
    expect(ask({ epsilon: "1/1000" })).toThrow("epsilon must be from 1/1000 to 100 for each name");
    expect(ask({ counts: true })).toThrow("order must be absent with counts; got 8");
    expect(ask({ method: "optimal" })).toThrow('method must be "renyi" with an order; got "optimal"');
    expect(ask({ epsilon: undefined, rho: 1 })).toThrow("order must be absent with rho; got 8");
    expect(() =>
      selectPartitions([], { maxItemsPerUser: 2, rho: "1e-9", delta: "1e-6", method: "zcdp" }),
    ).toThrow("rho must be from 1/10000 to 100 for each name");
    expect(() =>
      selectPartitions([], { maxItemsPerUser: 2, epsilon: 1, delta: "1e-6", method: "zcdp" }),
    ).toThrow('method must be "zcdp" with rho only; got "zcdp"');
    expect(selectPartitions([], { maxItemsPerUser: 2, rho: "1e-9", delta: "1e-6" }).method).toBe("gaussian");
  });
});
