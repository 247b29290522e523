import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import {
  approx,
  Budget,
  base2,
  boundedRangeCurve,
  compose,
  type Loss,
  pure,
  renyi,
  repeat,
  zcdp,
} from "../../src/index.js";

const shares = fc.bigInt({ min: 0n, max: 40n }).map((n) => Rational.of(n, 97n));
const chances = fc.constantFrom(0, "1/100", "1/1000");
const anyLoss: fc.Arbitrary<Loss> = fc.oneof(
  shares.map((epsilon) => pure(epsilon)),
  shares.map((eta) => base2(eta)),
  fc.tuple(shares, chances).map(([epsilon, delta]) => approx(epsilon, delta)),
  fc.tuple(shares, chances).map(([rho, delta]) => zcdp(rho.dividedBy(10n), delta)),
  fc.tuple(shares, chances).map(([epsilon, delta]) => renyi(boundedRangeCurve(epsilon), delta)),
);
const budgets: readonly [name: string, limit: Loss, charges: fc.Arbitrary<Loss>][] = [
  ["pure", pure(1), shares.map((share) => pure(share))],
  ["zcdp", zcdp(1, 1), fc.tuple(shares, shares).map(([rho, delta]) => zcdp(rho, delta))],
  ["approx", approx(1, 1), fc.tuple(shares, shares).map(([epsilon, delta]) => approx(epsilon, delta))],
  ["approx, in every measure,", approx(3, "1/10"), anyLoss],
];

describe.each(budgets)("a %s budget", (_, limit, charges) => {
  it("admits exactly what keeps the sum within the limit, and what is spent and left is the limit", () => {
    fc.assert(
      fc.property(fc.array(charges, { maxLength: 20 }), (wanted) => {
        const budget = new Budget(limit);
        for (const loss of wanted) {
          const admitted = budget.admits(loss);
          if (admitted) budget.charge(loss);
          else expect(() => budget.charge(loss)).toThrow("loss must be at most");
          expect(compose(budget.spent, budget.remaining)).toEqual(limit);
        }
        const counted = budget.history.map((charge) => charge.counted);
        expect(compose(repeat(limit, 0), ...counted)).toEqual(budget.spent);
      }),
    );
  });

  it("admits a charge as often as it said it would", () => {
    fc.assert(
      fc.property(charges, (loss) => {
        const budget = new Budget(limit);
        const times = budget.admitsTimes(loss);
        if (times === Infinity) return;
        for (let i = 0; i < times; i++) budget.charge(loss);
        expect(budget.admits(loss)).toBe(false);
      }),
    );
  });
});
