/**
 * Constants of the literature that are not safe, each refuted by the exact loss of one mechanism, next to ours,
 * which pass the same check.
 */
import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import { boundedRangeCurve, convert, gaussianToApprox, repeat, zcdp } from "../../src/index.js";

/** ρ + √(2ρ·ln(1/δ)), rounded up: what is sometimes given as the ε of ρ-zCDP. */
function epsilonByRootOfTwo(rho: Rational, delta: string): Rational {
  const logarithm = Interval.from(delta, 200).ln().negated();
  return logarithm.times(rho.times(2n)).sqrt().plus(rho).upper();
}

/** How many times larger than allowed the δ of the Gaussian mechanism, which is ρ-zCDP, is at ε. */
function excessOfGaussian(rho: Rational, epsilon: Rational, delta: string): number {
  return gaussianToApprox(rho, { epsilon }).delta.dividedBy(delta).toNumber();
}

describe("converting ρ-zCDP by ρ + √(2ρ·ln(1/δ))", () => {
  const [rho, delta] = [rational("1/2"), "1e-6"]; // Gaussian noise with σ = 1 on a count

  it("is false: the Gaussian mechanism exceeds that δ twentyfold", () => {
    const epsilon = epsilonByRootOfTwo(rho, delta);
    expect(epsilon.toNumber()).toBeCloseTo(4.216922188849838, 12);
    expect(excessOfGaussian(rho, epsilon, delta)).toBeCloseTo(19.633, 3);
  });

  it.each(["simple", "optimal"] as const)("the %s conversion passes the same check", (method) => {
    const { epsilon } = convert(zcdp(rho), { to: "approx", delta, conversion: method });
    expect(excessOfGaussian(rho, rational(epsilon), delta)).toBeLessThanOrEqual(1);
  });
});

describe("counting T queries of ρ each as ρ", () => {
  const [each, T, delta] = [zcdp("0.001"), 100, "1e-6"];

  it("is false: T Gaussian answers are together one with Tρ", () => {
    const claimed = convert(each, { to: "approx", delta }).epsilon;
    const total = rational(repeat(each, T).rho);
    expect(total).toEqual(rational("0.1"));
    expect(excessOfGaussian(total, rational(claimed), delta)).toBeGreaterThan(10_000);
  });

  it("Tρ passes the same check", () => {
    const { epsilon } = convert(repeat(each, T), { to: "approx", delta });
    expect(excessOfGaussian(rational(repeat(each, T).rho), rational(epsilon), delta)).toBeLessThanOrEqual(1);
  });
});

describe("charging ε²/8 for permute-and-flip", () => {
  /** Two candidates whose scores differ by d noise scales: the better one wins with probability 1 − e^−d/2. */
  const winning = (d: number) => 1 - Math.exp(-d) / 2;
  const divergence = (p: number, q: number, alpha: number) =>
    Math.log(p ** alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)) / (alpha - 1);

  it.each([0.1, 0.5, 1])("is false for ε = %s: two candidates lose more than twice as much", (epsilon) => {
    const alpha = 1.001;
    const lost = divergence(winning(0), winning(epsilon), alpha) / alpha;
    const claimed = rational(boundedRangeCurve(epsilon).rho).toNumber();
    expect(lost).toBeGreaterThan(2 * claimed);
    expect(lost).toBeLessThanOrEqual(epsilon ** 2 / 2);
  });
});
