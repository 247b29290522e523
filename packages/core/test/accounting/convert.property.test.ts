import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Rational, rational } from "../../src/exact/rational.js";
import {
  boundedRangeCurve,
  convert,
  gaussianToApprox,
  type Loss,
  pureCurve,
  renyi,
  rhoAtMost,
  zcdp,
} from "../../src/index.js";

/** n·10^−places, over many sizes. */
const sizes = (least: number, most: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: least, max: most }))
    .map(([n, exponent]) => rational(`${n}e${exponent}`));
const rhos = sizes(-6, -1);
const deltas = sizes(-12, -4);
const epsilons = sizes(-4, -1);
const few = { numRuns: 15 };

const epsilonOf = (loss: Loss, delta: Rational, method: "simple" | "optimal" = "optimal") =>
  rational(convert(loss, { to: "approx", delta, conversion: method }).epsilon);
const deltaOf = (loss: Loss, epsilon: Rational, method: "simple" | "optimal" = "optimal") =>
  convert(loss, { to: "approx", epsilon, conversion: method }).delta;
const barely = (value: Rational) => value.times(rational(1).plus("1e-9"));

const losses: fc.Arbitrary<Loss> = fc.oneof(
  rhos.map((rho) => zcdp(rho)),
  fc
    .tuple(epsilons, fc.bigInt({ min: 1n, max: 100n }))
    .map(([epsilon, times]) => renyi(boundedRangeCurve(epsilon).times(times))),
  fc
    .tuple(epsilons, fc.bigInt({ min: 1n, max: 100n }))
    .map(([epsilon, times]) => renyi(pureCurve(epsilon).times(times))),
);

describe("conversion to (ε, δ)", () => {
  it("is never larger by the optimal formula than by the simple one", () => {
    fc.assert(
      fc.property(losses, deltas, epsilons, (loss, delta, epsilon) => {
        expect(epsilonOf(loss, delta).compare(epsilonOf(loss, delta, "simple"))).toBeLessThanOrEqual(0);
        expect(deltaOf(loss, epsilon).compare(deltaOf(loss, epsilon, "simple"))).toBeLessThanOrEqual(0);
      }),
      few,
    );
  });

  it("is never below the exact curve of the Gaussian mechanism, which is ρ-zCDP", () => {
    fc.assert(
      fc.property(rhos, deltas, epsilons, (rho, delta, epsilon) => {
        const exact = gaussianToApprox(rho, { epsilon }).delta;
        expect(deltaOf(zcdp(rho), epsilon).compare(exact)).toBeGreaterThanOrEqual(0);
        const size = rational(gaussianToApprox(rho, { delta }).epsilon);
        expect(barely(epsilonOf(zcdp(rho), delta)).compare(size)).toBeGreaterThanOrEqual(0);
      }),
      few,
    );
  });

  it("grows with the loss and falls as δ or ε grows", () => {
    fc.assert(
      fc.property(rhos, rhos, deltas, epsilons, (rho, more, delta, epsilon) => {
        const [small, large] = [zcdp(rho), zcdp(rho.plus(more))];
        expect(epsilonOf(large, delta).compare(epsilonOf(small, delta))).toBeGreaterThanOrEqual(0);
        expect(deltaOf(large, epsilon).compare(deltaOf(small, epsilon))).toBeGreaterThanOrEqual(0);
        expect(epsilonOf(small, delta.times(2n)).compare(epsilonOf(small, delta))).toBeLessThanOrEqual(0);
        expect(deltaOf(small, epsilon.times(2n)).compare(deltaOf(small, epsilon))).toBeLessThanOrEqual(0);
      }),
      few,
    );
  });

  it("comes back to the δ it started from", () => {
    fc.assert(
      fc.property(losses, deltas, (loss, delta) => {
        const back = deltaOf(loss, epsilonOf(loss, delta));
        expect(back.compare(barely(delta))).toBeLessThanOrEqual(0);
      }),
      few,
    );
  });
});

describe("rhoAtMost", () => {
  it.each(["simple", "optimal"] as const)(
    "meets its target by the %s formula, and no larger ρ would",
    (method) => {
      fc.assert(
        fc.property(epsilons, deltas, (epsilon, delta) => {
          const rho = rhoAtMost({ epsilon, delta }, { conversion: method });
          expect(epsilonOf(zcdp(rho), delta, method).compare(barely(epsilon))).toBeLessThanOrEqual(0);
          expect(epsilonOf(zcdp(barely(rho)), delta, method).compare(epsilon)).toBeGreaterThan(0);
        }),
        few,
      );
    },
  );
});
