import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { boundedRangeCurve, pureCurve } from "../../src/index.js";

const Wide = Decimal.clone({ precision: 80 });
const decimal = ({ numerator, denominator }: Rational) =>
  new Wide(String(numerator)).div(String(denominator));

/** From 1/1000 to 10, and orders from 1 + 1/1000 to 200. */
const sizes = fc.integer({ min: 1, max: 10_000 }).map((n) => Rational.of(BigInt(n), 1000n));
const orders = fc.integer({ min: 1, max: 199_000 }).map((n) => Rational.of(BigInt(n) + 1000n, 1000n));

/** D_α between two laws on two outcomes, by its definition. */
function divergence(p: Decimal, q: Decimal, alpha: Decimal): Decimal {
  const term = (a: Decimal, b: Decimal) => a.pow(alpha).times(b.pow(alpha.neg().plus(1)));
  return term(p, q)
    .plus(term(p.neg().plus(1), q.neg().plus(1)))
    .ln()
    .div(alpha.minus(1));
}

function expectJustAbove(value: Rational, truth: Decimal): void {
  expect(decimal(value).gte(truth)).toBe(true);
  expect(decimal(value).lte(truth.times("1.000000001"))).toBe(true);
}

describe("pureCurve", () => {
  it("is just above the divergence of randomized response", () => {
    fc.assert(
      fc.property(sizes, orders, (epsilon, alpha) => {
        const p = decimal(epsilon).exp().div(decimal(epsilon).exp().plus(1));
        expectJustAbove(pureCurve(epsilon).at(alpha), divergence(p, p.neg().plus(1), decimal(alpha)));
      }),
      { numRuns: 100 },
    );
  });
});

describe("boundedRangeCurve", () => {
  it("is above the divergence of every two-point mechanism of that range, and touches the worst", () => {
    fc.assert(
      fc.property(sizes, orders, fc.integer({ min: 1, max: 99 }), (epsilon, alpha, percent) => {
        const [range, order] = [decimal(epsilon), decimal(alpha)];
        const bound = boundedRangeCurve(epsilon).at(alpha);
        // The log ratios are t and t + ε with t = −s: q is fixed by Σ q·e^L = 1.
        const lawOf = (s: Decimal) => {
          const [low, high] = [s.neg().exp(), range.minus(s).exp()];
          const q = low.neg().plus(1).div(high.minus(low));
          return divergence(q.times(high), q, order);
        };
        expect(decimal(bound).gte(lawOf(range.times(percent).div(100)))).toBe(true);
        const e = (x: Decimal) => x.neg().exp().neg().plus(1); // 1 − e^−x
        const worst = order
          .div(order.minus(1))
          .times(e(order.minus(1).times(range)))
          .div(e(order.times(range)))
          .ln();
        expectJustAbove(bound, lawOf(worst));
      }),
      { numRuns: 100 },
    );
  });

  it("is at most αε²/8 and at most the curve of pure ε", () => {
    fc.assert(
      fc.property(sizes, orders, (epsilon, alpha) => {
        const bound = boundedRangeCurve(epsilon).at(alpha, "down");
        expect(bound.compare(epsilon.times(epsilon).times(alpha).dividedBy(8n))).toBeLessThanOrEqual(0);
        expect(bound.compare(pureCurve(epsilon).at(alpha))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe.each([
  ["pureCurve", pureCurve],
  ["boundedRangeCurve", boundedRangeCurve],
])("%s", (_, curve) => {
  it("grows with ε and with the order", () => {
    fc.assert(
      fc.property(sizes, orders, sizes, (epsilon, alpha, more) => {
        const value = curve(epsilon).at(alpha, "down");
        expect(curve(epsilon.plus(more)).at(alpha).compare(value)).toBeGreaterThan(0);
        expect(curve(epsilon).at(alpha.plus(more)).compare(value)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  });
});
