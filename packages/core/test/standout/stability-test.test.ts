import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { drawDiscreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { StabilityTest, testBudget } from "../../src/standout/stability-test.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { laplaceTail, passing } from "./exact-laws.js";

const delta = "1e-6";

describe("StabilityTest", () => {
  it("has Gaussian noise of Δ²/(2ρ) for a rho, and a threshold for it", () => {
    const test = new StabilityTest(2n, { rho: "1/50" }, { delta });
    expect(test.threshold).toBe(48n); // σ² = 100
    expect(test.loss.zcdp).toEqual({ measure: "zcdp", rho: rational("1/50"), delta: rational(delta) });
    expect(test.loss.approx).toBeUndefined();
    expect(test).toEqual(new StabilityTest(2n, { variance: 100 }, { delta }));
  });

  it("has Laplace noise of Δ/ε for an epsilon, and a threshold for it", () => {
    const test = new StabilityTest(2n, { epsilon: "1/4" }, { delta: "1/1000" });
    expect(test.threshold).toBe(50n); // a scale of 8
    const failure = rational("1/1000");
    expect(test.loss.approx).toEqual({ measure: "approx", epsilon: rational("1/4"), delta: failure });
    expect(test.loss.zcdp).toEqual({ measure: "zcdp", rho: rational("0.03108825044289906"), delta: failure });
    expect(test).toEqual(new StabilityTest(2n, { scale: 8 }, { delta: "1/1000" }));
  });

  it("reports the loss of the noise that it has, in all measures alike", () => {
    const gaussian = new StabilityTest(2n, { variance: 3600 }, { delta });
    expect(gaussian.loss.zcdp.rho).toEqual(rational("4/7200"));
    expect(gaussian.loss.renyi.curve.at(10)).toEqual(rational("40/7200"));
    const laplace = new StabilityTest(1n, { scale: 10 }, { delta });
    expect(laplace.loss.renyi.curve.epsilon).toEqual(rational("1/10"));
    expect(laplace.loss.renyi.delta).toEqual(rational(delta));
  });

  it("rounds an irrational size up, so that the loss stays within the budget", () => {
    const { rho } = new StabilityTest(1n, { rho: "0.123456789012345678" }, { delta }).loss.zcdp;
    expect(rational(rho).compare("0.123456789012345678")).toBe(-1);
    expect(rational(rho).compare("0.12345678901234")).toBe(1);
  });

  it("is strict: noise that only reaches the threshold does not pass", () => {
    const test = new StabilityTest(1n, { variance: 100 }, { delta });
    expect(test.passesWith(11n, 38n)).toBe(false);
    expect(test.passesWith(11n, 39n)).toBe(true);
  });

  it.each([1n, 2n, 6n])("takes every gap up to Δ = %d for 0", (gapSensitivity) => {
    const test = new StabilityTest(gapSensitivity, { variance: 100 }, { delta });
    for (let gap = 0n; gap <= gapSensitivity; gap++) {
      expect(test.passesWith(gap, 48n)).toBe(false);
      expect(test.passesWith(gap, 49n)).toBe(true);
    }
    expect(test.passesWith(gapSensitivity + 1n, 48n)).toBe(true);
  });

  it("passes a certain gap unless the noise is as low as it would have to be high", () => {
    const test = new StabilityTest(2n, { variance: 100 }, { delta });
    expect(test.certainGap).toBe(99n);
    expect(test.passesWith(test.certainGap, -48n)).toBe(true);
    expect(test.passesWith(test.certainGap, -49n)).toBe(false);
  });

  it.each([0, 3, 5])("passes a gap of %d as often as its law says, by all strings of bits", (gap) => {
    const test = new StabilityTest(1n, { scale: 1 }, { delta: "1/4" });
    const tree = bitTree((entropy) => test.passes(gap, entropy), { depth: 16 });
    const chance = passing(gap, 1, Number(test.threshold), laplaceTail(1));
    const [mass, undecided] = [tree.mass.get("true") ?? rational(0), tree.undecided];
    expect(mass.compare(chance.upper())).toBeLessThanOrEqual(0);
    expect(mass.plus(undecided).compare(chance.lower())).toBeGreaterThanOrEqual(0);
    expect(undecided.toNumber()).toBeLessThan(0.01);
  });

  it("draws Gaussian noise for a variance", () => {
    const test = new StabilityTest(1n, { variance: 100 }, { delta });
    const [drawn, tested] = [seededEntropy("gaussian"), seededEntropy("gaussian")];
    for (let i = 0; i < 100; i++) {
      const noise = drawDiscreteGaussian(rational(100), drawn);
      expect(test.passes(50, tested)).toBe(test.passesWith(50n, noise));
    }
    expect(tested.bitsUsed).toBe(drawn.bitsUsed);
  });

  it("refuses no budget and two", () => {
    expect(() => new StabilityTest(1n, {}, { delta })).toThrow(
      'budget must be exactly one of rho, epsilon, variance and scale; got "none"',
    );
    expect(() => new StabilityTest(1n, { rho: 1, variance: 1 }, { delta })).toThrow(
      'budget must be exactly one of rho, epsilon, variance and scale; got "rho and variance"',
    );
  });

  it.each(["rho", "epsilon", "variance", "scale"])("refuses a %s that is not positive", (name) => {
    expect(() => new StabilityTest(1n, { [name]: 0 }, { delta })).toThrow(
      `${name} must be a rational > 0; got 0`,
    );
  });

  it.each([0, 1, -0.5, 2])("refuses a delta of %d", (bad) => {
    expect(() => new StabilityTest(1n, { rho: 1 }, { delta: bad })).toThrow(
      `delta must be a rational > 0 and < 1; got ${bad}`,
    );
  });

  it("has a budget that may stand in an option of its own", () => {
    expect(testBudget("test", { rho: 1 })).toEqual({ rho: rational(1) });
    expect(() => testBudget("test", { scale: 0 })).toThrow("scale must be a rational > 0; got 0");
  });

  it("refuses an unknown threshold", () => {
    const threshold = "largest" as "smallest";
    expect(() => new StabilityTest(1n, { rho: 1 }, { delta, thresholdRule: threshold })).toThrow(
      'thresholdRule must be "smallest" or "closed-form"; got "largest"',
    );
  });
});
