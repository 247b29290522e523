import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { approx, base2, compose, type Loss, pure, pureCurve, renyi, zcdp } from "../../src/index.js";

const sizes = fc
  .tuple(fc.bigInt({ min: 0n, max: 1000n }), fc.bigInt({ min: 1n, max: 1000n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));
const deltas = fc.bigInt({ min: 0n, max: 1000n }).map((n) => Rational.of(n, 10_000n));
const measures: Readonly<Record<string, fc.Arbitrary<Loss>>> = {
  pure: sizes.map((epsilon) => pure(epsilon)),
  base2: sizes.map((eta) => base2(eta)),
  zcdp: fc.tuple(sizes, deltas).map(([rho, delta]) => zcdp(rho, delta)),
  approx: fc.tuple(sizes, deltas).map(([epsilon, delta]) => approx(epsilon, delta)),
};

describe.each(Object.entries(measures))("composition of %s losses", (_, losses) => {
  it("does not depend on order or grouping", () => {
    fc.assert(
      fc.property(losses, losses, losses, (a, b, c) => {
        expect(compose(compose(a, b), c)).toEqual(compose(a, compose(b, c)));
        expect(compose(a, b, c)).toEqual(compose(c, a, b));
      }),
    );
  });
});

describe("composition of Rényi losses", () => {
  it("does not depend on order or grouping", () => {
    fc.assert(
      fc.property(sizes, sizes, sizes, (x, y, z) => {
        const [a, b, c] = [x, y, z].map((epsilon) => renyi(pureCurve(epsilon)));
        const [left, right] = [compose(compose(a, b), c), compose(a, compose(b, c))];
        expect(left.curve.at("5/2")).toEqual(right.curve.at("5/2"));
        expect(compose(c, a, b).curve.at(7)).toEqual(left.curve.at(7));
      }),
      { numRuns: 30 },
    );
  });
});

describe("composition of mixed losses", () => {
  it("all at once is never larger than in groups", () => {
    fc.assert(
      fc.property(measures.pure, measures.pure, measures.zcdp, (a, b, c) => {
        const [once, grouped] = [compose(a, b, c), compose(compose(a, b), c)];
        if (once.measure !== "zcdp" || grouped.measure !== "zcdp") throw new Error("not in zCDP");
        expect((once.rho as Rational).compare(grouped.rho as Rational)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
