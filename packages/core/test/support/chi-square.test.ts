import { describe, expect, it } from "vitest";
import { chiSquare, chiSquareTail, pool } from "./chi-square.js";

describe("chiSquareTail", () => {
  // Quantiles from printed tables, to the digits of a double.
  it.each([
    [3.841458820694124, 1, 0.05],
    [6.634896601021213, 1, 0.01],
    [10.827566170662733, 1, 0.001],
    [15.08627246938899, 5, 0.01],
    [18.307038053275146, 10, 0.05],
    [124.34211340400407, 100, 0.05],
  ])("gives P(χ² ≥ %d) on %i degrees of freedom as %d", (statistic, degrees, probability) => {
    expect(chiSquareTail(statistic, degrees)).toBeCloseTo(probability, 12);
  });

  it("agrees with the closed form for even degrees of freedom, also far out in the tail", () => {
    for (const half of [1, 2, 5, 20]) {
      for (const x of [0.1, 1, half, half + 1, 3 * half, 50, 200]) {
        let [term, sum] = [1, 1]; // e^−x Σ x^i/i! over i < half
        for (let i = 1; i < half; i++) sum += term *= x / i;
        expect(chiSquareTail(2 * x, 2 * half) / (Math.exp(-x) * sum)).toBeCloseTo(1, 10);
      }
    }
  });

  it("is 1 where there is nothing to test", () => {
    expect(chiSquareTail(0, 3)).toBe(1);
    expect(chiSquareTail(0, 0)).toBe(1);
  });
});

describe("chiSquare", () => {
  it("computes Pearson's statistic", () => {
    const cells = [16, 18, 16, 14, 12, 12].map((observed) => ({ observed, expected: 88 / 6 }));
    const { statistic, degreesOfFreedom } = chiSquare(cells);
    expect(statistic).toBeCloseTo(2, 10);
    expect(degreesOfFreedom).toBe(5);
  });

  it("rejects outright what cannot have been observed", () => {
    const cells = [
      { observed: 99, expected: 100 },
      { observed: 1, expected: 0 },
    ];
    expect(chiSquare(cells).pValue).toBe(0);
  });

  it("finds nothing against a law of one outcome", () => {
    expect(chiSquare([{ observed: 50, expected: 50 }]).pValue).toBe(1);
  });
});

describe("pool", () => {
  const cells = (...expected: number[]) => expected.map((e) => ({ observed: 1, expected: e }));

  it("leaves large cells as they are", () => {
    expect(pool(cells(5, 10, 20))).toEqual(cells(5, 10, 20));
  });

  it("merges small cells with each other", () => {
    expect(pool(cells(10, 4, 3))).toEqual([
      { observed: 2, expected: 7 },
      { observed: 1, expected: 10 },
    ]);
  });

  it("merges small cells into the smallest large one when they do not suffice", () => {
    expect(pool(cells(2, 30, 10, 1))).toEqual([
      { observed: 3, expected: 13 },
      { observed: 1, expected: 30 },
    ]);
  });
});
