import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import type { Rational } from "../../src/exact/rational.js";
import { rationals } from "./arbitrary.js";
import { expectAroundDecimal } from "./decimal-oracle.js";

const precisions = fc.constantFrom(1, 8, 16, 53, 64, 100, 128, 256);

/** Two numbers, and an interval around both. */
function around(a: Rational, b: Rational, precision: number): Interval {
  return a.compare(b) <= 0 ? Interval.hull(a, b, precision) : Interval.hull(b, a, precision);
}

describe("Interval", () => {
  it("contains the sum, difference, product and quotient of whatever its operands contain", () => {
    const number = rationals(80);
    fc.assert(
      fc.property(number, number, number, number, precisions, (a, b, c, d, precision) => {
        const [x, y] = [around(a, b, precision), around(c, d, precision)];
        for (const p of [a, b, a.plus(b).dividedBy(2)]) {
          for (const q of [c, d]) {
            expect(x.plus(y).contains(p.plus(q))).toBe(true);
            expect(x.minus(y).contains(p.minus(q))).toBe(true);
            expect(x.times(y).contains(p.times(q))).toBe(true);
            expect(x.times(q).contains(p.times(q))).toBe(true);
            if (!y.contains(0)) expect(x.dividedBy(y).contains(p.dividedBy(q))).toBe(true);
            if (!q.equals(0)) expect(x.dividedBy(q).contains(p.dividedBy(q))).toBe(true);
          }
        }
        expect(x.negated().contains(a.negated())).toBe(true);
        expect(x.power(3).contains(a.times(a).times(a))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("is never wider than one rounding at each end", () => {
    const points = fc.bigInt({ min: -(1n << 90n), max: 1n << 90n });
    fc.assert(
      fc.property(points, points, rationals(60), precisions, (a, b, factor, precision) => {
        const [x, y] = [new Interval(a, a, precision), new Interval(b, b, precision)];
        const width = (z: Interval) => z.hi - z.lo;
        expect(width(x.plus(y)) === 0n && width(x.minus(y)) === 0n).toBe(true);
        expect(width(x.times(y)) <= 1n && width(x.times(factor)) <= 1n).toBe(true);
        if (b !== 0n) expect(width(x.dividedBy(y)) <= 1n).toBe(true);
        if (a >= 0n) expect(width(x.sqrt()) <= 1n).toBe(true);
      }),
    );
  });

  it("has a logarithm that is certain and tight at random points", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 1n << 300n }),
        fc.nat(280),
        precisions,
        (digits, drop, precision) => {
          const a = (digits >> BigInt(drop)) + 1n;
          const x = new Interval(a, a, precision);
          if (!x.contains(1)) expectAroundDecimal(x.ln(), "ln", x.lower());
        },
      ),
      { numRuns: 200 },
    );
  });

  it("has an exponential that is certain and tight at random points", () => {
    const digits = fc.bigInt({ min: -(1n << 300n), max: 1n << 300n });
    fc.assert(
      fc.property(digits, precisions, fc.integer({ min: -20, max: 8 }), (random, precision, size) => {
        const a = random >> BigInt(300 - Math.max(precision + size, 0)); // |x| up to 2^size
        const x = new Interval(a, a, precision);
        if (!x.contains(0)) expectAroundDecimal(x.exp(), "exp", x.lower());
      }),
      { numRuns: 200 },
    );
  });

  it("shrinks as the precision grows: each finer enclosure meets the coarser one", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 1n << 40n }), (a) => {
        for (const f of ["ln", "sqrt"] as const) {
          const coarse = new Interval(a, a, 32)[f]();
          const fine = new Interval(a, a, 32).withPrecision(200)[f]();
          expect(coarse.withPrecision(200).isBelow(fine) || coarse.withPrecision(200).isAbove(fine)).toBe(
            false,
          );
        }
      }),
    );
  });
});
