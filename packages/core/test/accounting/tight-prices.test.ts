/** The sharper zCDP prices, against values with 28 digits and against pairs that attain them. */
import { describe, expect, it } from "vitest";
import { pureCurve } from "../../src/accounting/curve.js";
import { laplaceCurve } from "../../src/accounting/noisy-max-curve.js";
import { rhoOfNoisyMax, rhoOfPure, rhoOfRange, rhoOfRounds } from "../../src/accounting/price.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { tight } from "../support/tight-vectors.js";

const [LEAST, MOST] = [rational(1).minus("1e-27"), rational(1).plus("1e-9")];

function expectRoundedUp(value: unknown, truth: string): void {
  const read = rational(value as Rational);
  expect(read.compare(LEAST.times(truth))).toBeGreaterThanOrEqual(0);
  expect(read.compare(MOST.times(truth))).toBeLessThanOrEqual(0);
}

describe("the price in zCDP", () => {
  it.each(tight.zcdp)("of ε-DP, bounded range and noisy max at $x is rounded up", (vector) => {
    const x = rational(vector.x);
    expectRoundedUp(rhoOfPure(x), vector.pure);
    expectRoundedUp(rhoOfRange(x), vector.bounded_range);
    expectRoundedUp(rhoOfNoisyMax(x), vector.laplace);
  });

  it("grows, and is never above the quadratic price or the loss", () => {
    const texts = ["1e-300", "1e-30", "9e-7", "1e-6", "1e-3", "0.3", "1", "2", "7", "40", "1000", "1e30"];
    for (const [price, of] of [
      [rhoOfPure, "pure"],
      [rhoOfRange, "bounded-range"],
      [rhoOfNoisyMax, "pure"],
    ] as const) {
      let last = Rational.ZERO;
      for (const x of texts.map((text) => rational(text))) {
        const rho = rational(price(x) as Rational);
        expect(rho.compare(last)).toBe(1);
        expect(rho.compare(rhoOfRounds(x, of))).toBeLessThanOrEqual(0);
        expect(rho.compare(x)).toBeLessThanOrEqual(0);
        last = rho;
      }
      expect(price(Rational.ZERO)).toEqual(Rational.ZERO);
    }
    expect([rhoOfPure(Infinity), rhoOfRange(Infinity)]).toEqual([Infinity, Infinity]);
  });

  it("of ε-DP is attained by randomized response", () => {
    const rho = (rhoOfPure(rational(2)) as Rational).toNumber();
    const share = pureCurve(2).at("1.0001").toNumber() / 1.0001 / rho;
    expect(share).toBeGreaterThan(0.999);
    expect(share).toBeLessThanOrEqual(1);
  });

  it("of bounded range is attained by the two-point pair with e^t = 1/x", () => {
    const [eta, order] = [2, 1.0001];
    const t = -Math.log(eta / Math.expm1(eta));
    const p = Math.expm1(t - eta) / Math.expm1(-eta);
    const mean = p * Math.exp((order - 1) * t) + (1 - p) * Math.exp((order - 1) * (t - eta));
    const share = Math.log(mean) / (order - 1) / order / (rhoOfRange(rational(eta)) as Rational).toNumber();
    expect(share).toBeGreaterThan(0.999);
    expect(share).toBeLessThanOrEqual(1);
  });
});

describe("the Laplace curve", () => {
  it.each(tight.laplace_curve)("at x = $x and order $alpha is rounded up", ({ x, alpha, value }) => {
    expectRoundedUp(laplaceCurve(x).at(alpha), value);
  });

  it("is below the curve of ε-DP and below the line of its ρ", () => {
    for (const x of ["1e-12", "0.1", "1", "5"])
      for (const alpha of ["1.0000001", "1.5", "2", "30", "10000"]) {
        const [value, line] = [laplaceCurve(x).at(alpha), rhoOfNoisyMax(rational(x)).times(alpha)];
        expect(value.compare(pureCurve(x).at(alpha).times(MOST))).toBeLessThanOrEqual(0);
        expect(value.compare(line.times(MOST))).toBeLessThanOrEqual(0);
      }
    expect(laplaceCurve(0).at(2)).toEqual(Rational.ZERO);
    expect(() => laplaceCurve("-1")).toThrow("distance must be a rational >= 0");
  });

  it("bounds the exact divergences of noisy max, of which some pair has more than 0.95", () => {
    const shares = tight.noisy_max_profile.map((vector) => {
      const bound = 1 - Math.exp((rational(vector.epsilon).toNumber() - Number(vector.x)) / 2);
      expect(bound).toBeCloseTo(Number(vector.bound), 12);
      return Math.max(Number(vector.delta_forward), Number(vector.delta_backward)) / bound;
    });
    expect(Math.max(...shares)).toBeLessThanOrEqual(1 + 1e-12);
    expect(Math.max(...shares)).toBeGreaterThan(0.95);
  });
});
