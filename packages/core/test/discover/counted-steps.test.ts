import { describe, expect, it } from "vitest";
import { pure, zcdp } from "../../src/accounting/loss.js";
import { publicSteps, unknownSteps } from "../../src/discover/counted-steps.js";
import type { LimitedTopKMeasurement } from "../../src/discover/limited-top-k.js";
import { rational } from "../../src/exact/rational.js";
import type { NoisyTopK } from "../../src/select/noisy-top-k.js";

const delta = "1e-6";

describe("The noise of names of an unknown domain", () => {
  const noiseFor = (options: object) => {
    const { measurement, noise } = unknownSteps({ delta, ...options } as never);
    return [(measurement as LimitedTopKMeasurement).noise, noise.law];
  };

  it("is exponential for up to three names or gaps under ε, else Gumbel, unless it is asked for", () => {
    expect(noiseFor({ k: 3, epsilon: 1 })).toEqual(["exponential", "laplace"]);
    expect(noiseFor({ k: 4, epsilon: 1 })).toEqual(["gumbel", "gaussian"]);
    expect(noiseFor({ k: 4, epsilon: 1, resolution: 1 })).toEqual(["exponential", "laplace"]);
    expect(noiseFor({ k: 4, epsilon: 1, noise: "exponential" })).toEqual(["exponential", "laplace"]);
    expect(noiseFor({ k: 3, epsilon: 1, noise: "gumbel" })).toEqual(["gumbel", "gaussian"]);
    expect(noiseFor({ k: 3, rho: "1/8" })).toEqual(["gumbel", "gaussian"]);
    expect(noiseFor({ k: 3, rho: "1/8", resolution: 1 })).toEqual(["exponential", "gaussian"]);
  });

  it("takes all of the budget but the countShare of the counts", () => {
    for (const [sharing, share] of [
      ["independent", "1/4"],
      ["shared", "1/5"],
    ] as const) {
      const { names, noise } = unknownSteps({ k: 2, epsilon: 1, delta, sharing });
      const left = rational(1).minus(share);
      expect(names.measure === "approx" && rational(names.epsilon)).toEqual(left);
      expect(noise.lossOf(2)).toEqual(pure(share));
    }
    const half = unknownSteps({ k: 2, epsilon: 1, delta, countShare: "1/2" });
    expect(half.noise.lossOf(2)).toEqual(pure("1/2"));
  });
});

describe("The noise of names of a public list", () => {
  const measurement = (options: object) => publicSteps(options as never).measurement as NoisyTopK;

  it("is of the measure of the budget, and covers people who are added, removed or replaced", () => {
    for (const [neighbours, scale] of [
      [undefined, "8/3"],
      ["add-remove", "8/3"],
      ["replace", "16/3"],
    ]) {
      const asked = { k: 2, epsilon: 1, neighbours, sharing: "independent" };
      expect([measurement(asked).measure, String(measurement(asked).scale)]).toEqual(["pure", scale]);
      expect(publicSteps(asked as never).names).toEqual(pure("3/4"));
    }
    expect(measurement({ k: 2, rho: "1/8" }).measure).toBe("zcdp");
  });

  it("leaves the rest of the budget to counts of the same neighbours, sensitivity and items of a person", () => {
    const counts = (options: object) =>
      publicSteps({ k: 3, sharing: "independent", ...options } as never).noise;
    expect([counts({ epsilon: 1 }).law, counts({ rho: 1 }).law]).toEqual(["laplace", "gaussian"]);
    expect(String(counts({ epsilon: 1 }).size)).toBe("12");
    expect(String(counts({ epsilon: 1, sensitivity: 2 }).size)).toBe("24");
    expect(String(counts({ epsilon: 1, maxItemsPerUser: 1 }).size)).toBe("4");
    expect(String(counts({ epsilon: 1, maxItemsPerUser: 1, neighbours: "replace" }).size)).toBe("8");
    expect(counts({ rho: 1 }).lossOf(3)).toEqual(zcdp("1/4"));
  });

  it("refuses what only an unknown domain has", () => {
    const asked = { k: 2, epsilon: 1 };
    expect(() => publicSteps({ ...asked, noise: "gumbel" })).toThrow(
      'noise must be absent for a public domain; got "gumbel"',
    );
    expect(() => publicSteps({ ...asked, maxCandidates: 9 })).toThrow(
      "maxCandidates must be absent for a public domain; got 9",
    );
    expect(() => publicSteps({ k: 2, rho: 1, resolution: 1 })).toThrow(
      "resolution must be absent with rho for a public domain; got 1",
    );
  });
});
