/** δ of discrete Gaussian counts: reference values, joint enumeration, and variances that are certified as they are used. */
import { describe, expect, it } from "vitest";
import { countVariance } from "../../../src/accounting/count-variance.js";
import { deltaOfCounts, discreteGaussianDelta } from "../../../src/accounting/profile/discrete-gaussian.js";
import { type RationalLike, rational } from "../../../src/exact/rational.js";
import { vectors } from "../../support/count-vectors.js";
import { tight } from "../../support/tight-vectors.js";

const delta = (epsilon: RationalLike, variance: RationalLike, moved: number) =>
  deltaOfCounts(rational(epsilon), rational(variance), moved).toNumber("up");

/** H_ε of two counts with independent noise that both move by 1, over all pairs of integers that matter, and its two parts. */
function enumerated(epsilon: number, variance: number): number {
  const reach = Math.ceil(12 * Math.sqrt(variance)) + 2;
  const weight = (n: number) => Math.exp((-n * n) / (2 * variance));
  const integers = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const whole = integers.reduce((sum, n) => sum + weight(n), 0);
  let sum = 0;
  for (const a of integers)
    for (const b of integers)
      sum += Math.max(0, weight(a) * weight(b) - Math.exp(epsilon) * weight(a + 1) * weight(b + 1));
  return sum / whole / whole;
}

/** The sum with one noise in place of two, without the factor R. */
function withoutFactor(epsilon: number, variance: number): number {
  const total = 2 * variance;
  const reach = Math.ceil(12 * Math.sqrt(total)) + 2;
  const weight = (n: number) => Math.exp((-n * n) / (2 * total));
  let [sum, whole] = [0, 0];
  for (let s = -reach; s <= reach; s++) {
    whole += weight(s);
    sum += weight(s) * Math.max(0, -Math.expm1(epsilon - (2 * s + 2) / (2 * variance)));
  }
  return sum / whole;
}

describe("discreteGaussianDelta", () => {
  it.each(tight.discrete_gaussian_delta)("of $m counts at σ² = $variance and ε = $epsilon", (vector) => {
    const found = discreteGaussianDelta({
      epsilon: vector.epsilon,
      variance: vector.variance,
      moved: vector.m,
    });
    const most = rational(vector.single).times(rational(vector.factor).plus("1.000000001"));
    expect(found.compare(rational(vector.delta).times(rational(1).minus("1e-25")))).toBeGreaterThanOrEqual(0);
    expect(found.compare(most)).toBeLessThanOrEqual(0);
  });

  it.each(vectors.gaussian_delta)(
    "of $moved counts at σ² = $variance, as for names with counts",
    (vector) => {
      const found = discreteGaussianDelta({
        epsilon: vector.epsilon,
        variance: vector.variance,
        moved: vector.moved,
      });
      expect(found.compare(rational(vector.delta).times(rational(1).minus("1e-25")))).toBeGreaterThanOrEqual(
        0,
      );
      expect(found.compare(rational(vector.delta).times("1.000000001"))).toBeLessThanOrEqual(0);
    },
  );

  it.each([
    [0.5, 1],
    [0.5, 2],
    [0.5, 3.5],
    [1, 1],
    [1, 3],
    [4, 0.5],
  ])("bounds two counts at σ² = %s and ε = %s, and has at most 5 % more", (variance, epsilon) => {
    const actual = enumerated(epsilon, variance);
    expect(actual).toBeLessThanOrEqual(delta(epsilon, variance, 2) * (1 + 1e-12));
    expect(actual).toBeGreaterThan(0.95 * delta(epsilon, variance, 2));
  });

  it("needs the factor of sums: one noise in place of two isn't a bound", () => {
    const shares = Array.from({ length: 40 }, (_, i) => 0.1 * (i + 1)).map(
      (epsilon) => enumerated(epsilon, 0.5) / withoutFactor(epsilon, 0.5),
    );
    expect(Math.max(...shares)).toBeGreaterThan(1.005);
    for (const [i, share] of shares.entries()) {
      const epsilon = 0.1 * (i + 1);
      expect(share * withoutFactor(epsilon, 0.5)).toBeLessThanOrEqual(delta(epsilon, 0.5, 2) * (1 + 1e-12));
    }
  });

  it("holds where more than half of the noise is beyond the first term, and grows with the counts that move", () => {
    const found = [1, 5, 20, 100].map((moved) => delta(1, 10, moved));
    for (let i = 1; i < found.length; i++) expect(found[i]).toBeGreaterThan(found[i - 1]);
    expect(found[3]).toBeLessThanOrEqual(1);
    expect(delta("1e-9", 10, 1)).toBeLessThan(0.13);
  });

  it.each([
    [{ epsilon: 0, variance: 1, moved: 1 }, "epsilon must be a rational > 0; got 0"],
    [{ epsilon: 1, variance: 0, moved: 1 }, "variance must be a rational > 0; got 0"],
    [{ epsilon: 1, variance: 1, moved: 0 }, "moved must be an integer >= 1; got 0"],
    [{ epsilon: 1, variance: "0.49", moved: 2 }, "variance must be from 1/2"],
    [{ epsilon: 1, variance: "1e9", moved: 1 }, "variance must be from 1/2"],
  ])("refuses %o", (options, message) => {
    expect(() => discreteGaussianDelta(options)).toThrow(message);
  });
});

describe("the least variance of counts", () => {
  it.each(tight.discrete_gaussian_variance)("for ($epsilon, $delta) and $m counts", (vector) => {
    const variance = countVariance(rational(vector.epsilon), rational(vector.delta), vector.m);
    expect(variance.compare(rational(vector.variance).times("1.001"))).toBeLessThanOrEqual(0);
    expect(variance.compare(rational(vector.zcdp_variance).times("0.92"))).toBe(-1);
    expect(
      deltaOfCounts(rational(vector.epsilon), variance, vector.m).compare(vector.delta),
    ).toBeLessThanOrEqual(0);
  });

  it("is what zCDP needs where there is no exact sum", () => {
    const variance = countVariance(rational(1), rational("0.6"), 3);
    expect(variance.compare(0n)).toBe(1);
    expect(countVariance(rational("1e-5"), rational("1e-6"), 1).toNumber()).toBeGreaterThan(1e8);
  });

  it("must be checked as it is used: a larger one may have a larger δ", () => {
    expect(delta(2, "2.1", 1)).toBeGreaterThan(0);
    const rises = Array.from({ length: 100 }, (_, i) => delta(4, rational(50 + i).dividedBy(100), 1));
    expect(rises.some((value, i) => i > 0 && value > rises[i - 1])).toBe(true);
  });
});
