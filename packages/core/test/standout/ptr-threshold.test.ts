import { describe, expect, it } from "vitest";
import { gaussianThreshold, laplaceThreshold } from "../../src/accounting/profile/tails.js";
import { rational } from "../../src/exact/rational.js";
import { gaussianTail, laplaceTail, type Tail } from "./exact-laws.js";

const DELTAS = ["0.9", "1/2", "1/3", "0.1", "1e-3", "1e-6", "1e-10", "1e-20"];

/** P(noise > λ) ≤ δ, and λ − 1 would not do, unless it is negative. */
function expectSmallest(threshold: bigint, tail: Tail, delta: string): void {
  expect(tail(Number(threshold)).upper().compare(delta)).toBeLessThanOrEqual(0);
  if (threshold > 0n) expect(tail(Number(threshold) - 1).isAbove(delta)).toBe(true);
}

describe("the smallest Gaussian threshold", () => {
  it.each(["1/100", "1/4", "1", "7/3", "10", "100", "4000"])(
    "for σ² = %s keeps δ and is the least",
    (variance) => {
      const tail = gaussianTail(variance);
      for (const delta of DELTAS)
        expectSmallest(gaussianThreshold(rational(variance), rational(delta), "smallest"), tail, delta);
    },
  );

  it("decides where a tail is next to δ", () => {
    const tail = gaussianTail(100);
    const [exact, just] = [tail(48).upper(), rational("1e-40")];
    expect(gaussianThreshold(rational(100), exact.plus(just), "smallest")).toBe(48n);
    expect(gaussianThreshold(rational(100), exact.minus(just), "smallest")).toBe(49n);
  });

  // σ·Φ⁻¹(1 − δ) to the nearest integer, from tables; integer noise of such sizes is as good as normal.
  it.each([
    ["1e12", "1e-9", 5_997_807n],
    ["1e14", "1e-6", 47_534_243n],
    ["1e20", "1e-3", 30_902_323_062n],
  ])("for σ² = %s and δ = %s is at most about a thousandth too large", (variance, delta, quantile) => {
    const threshold = gaussianThreshold(rational(variance), rational(delta), "smallest");
    expect(threshold).toBeGreaterThanOrEqual(quantile);
    expect(threshold * 1000n).toBeLessThan(quantile * 1001n);
  });

  it("joins strips from one size on, by no more than it must", () => {
    const [exact, joined] = ["1e6", "4e6"].map((variance) =>
      gaussianThreshold(rational(variance), rational("1e-6"), "smallest"),
    );
    expect(exact).toBe(4753n); // 4753.4 less half a step
    expect(joined).toBeGreaterThanOrEqual(9506n);
    expect(joined).toBeLessThan(9516n);
  });
});

describe("the smallest Laplace threshold", () => {
  it.each(["1/10", "1", "10", "400/3"])("for a scale of %s keeps δ and is the least", (scale) => {
    const tail = laplaceTail(scale);
    for (const delta of DELTAS)
      expectSmallest(laplaceThreshold(rational(scale), rational(delta), "smallest"), tail, delta);
  });
});

describe("the thresholds in closed form", () => {
  it("are safe too, and never smaller", () => {
    for (const size of ["1/4", "1", "10", "4000"].map((text) => rational(text)))
      for (const delta of DELTAS.map((text) => rational(text)))
        for (const thresholdOf of [gaussianThreshold, laplaceThreshold])
          expect(thresholdOf(size, delta, "closed-form")).toBeGreaterThanOrEqual(
            thresholdOf(size, delta, "smallest"),
          );
  });
});
