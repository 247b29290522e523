import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { type NoisyMaxLossOptions, noisyMaxLoss } from "../../src/select/noisy-max-loss.js";
import { noiseWithin, noisyMaxBudget } from "../../src/select/noisy-max-noise.js";
import { type ReportNoisyMaxOptions, reportNoisyMax } from "../../src/select/report-noisy-max.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

describe("reportNoisyMax", () => {
  it.each(["exponential", "gumbel", "laplace", "gaussian"] as const)(
    "gives the index of the only candidate with %s noise, and nothing else but the loss",
    (noise) => {
      const answer = reportNoisyMax([-3], { noise, rho: 1, entropy: seededEntropy(1) });
      expect(Object.keys(answer)).toEqual(["candidate", "privacy"]);
      expect(answer.candidate).toBe(0);
    },
  );

  it.each<[ReportNoisyMaxOptions, object]>([
    [
      { noise: "exponential", epsilon: "1/3" },
      { measure: "pure", epsilon: rational("1/3") },
    ],
    [
      { noise: "gumbel", epsilon: "1/3", sensitivity: 5 },
      { measure: "pure", epsilon: rational("1/3") },
    ],
    [
      { noise: "laplace", epsilon: 2, monotone: true },
      { measure: "pure", epsilon: rational(2) },
    ],
    [
      { noise: "exponential", scale: 3 },
      { measure: "pure", epsilon: rational("2/3") },
    ],
    [
      { noise: "gumbel", scale: 3, monotone: true },
      { measure: "pure", epsilon: rational("1/3") },
    ],
    [
      { noise: "laplace", scale: 3, sensitivity: "1/2" },
      { measure: "pure", epsilon: rational("1/3") },
    ],
    [
      { noise: "exponential", rho: "1/2" },
      { measure: "zcdp", rho: rational("1/2") },
    ],
    [
      { noise: "gumbel", rho: "1/8" },
      { measure: "zcdp", rho: rational("1/8") },
    ],
    [
      { noise: "laplace", rho: "1/8" },
      { measure: "zcdp", rho: rational("1/8") },
    ],
    [
      { noise: "gaussian", rho: "1/7" },
      { measure: "zcdp", rho: rational("1/7") },
    ],
    [
      { noise: "gaussian", variance: 4 },
      { measure: "zcdp", rho: rational("3/8") },
    ],
    [
      { noise: "gaussian", variance: 4, monotone: true },
      { measure: "zcdp", rho: rational("3/32") },
    ],
  ])("reports the loss of three candidates for %o in the measure of the budget", (options, privacy) => {
    expect(reportNoisyMax([1, 2, 3], { ...options, entropy: seededEntropy(2) }).privacy).toEqual(privacy);
  });

  it.each(["exponential", "gumbel", "laplace", "gaussian"] as const)(
    "stays within a ρ whose noise is irrational, with %s noise, and less than 10^−14 below it",
    (noise) => {
      const rho = rational("1/3").dividedBy(7919n * 1000003n);
      const { privacy } = reportNoisyMax([1, 2, 3], { noise, rho, entropy: seededEntropy(3) });
      if (privacy.measure !== "zcdp") return expect.fail("a ρ is accounted for as ρ");
      expect(rational(privacy.rho).compare(rho)).toBeLessThanOrEqual(0);
      expect(rational(privacy.rho).compare(rho.times("0.99999999999999"))).toBe(1);
    },
  );
});

describe("reportNoisyMax refuses", () => {
  const BAD_SCORE = "scores must be finite numbers or bigints (up to 1.79e308) throughout";

  it.each<[string, readonly number[], object, string]>([
    ["no candidate", [], { epsilon: 1 }, "scores must be a list of 1 or more candidates; got 0"],
    ["NaN", [1, Number.NaN], { epsilon: 1 }, BAD_SCORE],
    ["NaN with Gaussian noise", [1, 2, Number.NaN], { noise: "gaussian", rho: 1 }, BAD_SCORE],
    ["+∞", [Infinity, 1], { epsilon: 1 }, BAD_SCORE],
    ["−∞", [1, -Infinity], { noise: "laplace", rho: 1 }, BAD_SCORE],
    ["−∞ with Gaussian noise", [1, -Infinity], { noise: "gaussian", variance: 1 }, BAD_SCORE],
    ["no budget", [1], {}, 'budget must be exactly one of epsilon, rho and scale; got "none"'],
    [
      "two budgets",
      [1],
      { epsilon: 1, rho: 1 },
      'budget must be exactly one of epsilon, rho and scale; got "epsilon and rho"',
    ],
    [
      "two budgets for Gaussian noise",
      [1],
      { noise: "gaussian", rho: 1, variance: 1 },
      'budget must be exactly one of rho and variance; got "rho and variance"',
    ],
    ["an ε of 0", [1], { epsilon: 0 }, "epsilon must be a rational > 0; got 0"],
    ["a negative ρ", [1], { rho: "-1/2" }, 'rho must be a rational > 0; got "-1/2"'],
    ["a ρ of 0", [1], { noise: "gaussian", rho: 0n }, "rho must be a rational > 0; got 0n"],
    ["a scale of 0", [1], { scale: 0 }, "scale must be a rational > 0; got 0"],
    [
      "a scale beyond the doubles",
      [1],
      { scale: 10n ** 271n },
      `scale must be a rational from 1e-270 to 1e270; got 1${"0".repeat(59)}… (272 characters)`,
    ],
    [
      "an ε that takes such a scale",
      [1],
      { noise: "laplace", epsilon: "1e300", monotone: true },
      `scale must be a rational from 1e-270 to 1e270; got 1/1${"0".repeat(57)}… (303 characters)`,
    ],
    ["a variance of 0", [1], { noise: "gaussian", variance: 0 }, "variance must be a rational > 0; got 0"],
    ["a sensitivity of 0", [1], { epsilon: 1, sensitivity: 0 }, "sensitivity must be a rational > 0; got 0"],
    [
      "an unknown noise",
      [1],
      { noise: "cauchy", epsilon: 1 },
      'noise must be "exponential", "gumbel", "laplace" or "gaussian"; got "cauchy"',
    ],
    [
      "no noise",
      [1],
      { noise: undefined, epsilon: 1 },
      'noise must be "exponential", "gumbel", "laplace" or "gaussian"; got undefined',
    ],
    [
      "an ε for Gaussian noise",
      [1],
      { noise: "gaussian", epsilon: 1 },
      "epsilon must be absent with gaussian noise, which has no pure guarantee; got 1",
    ],
    [
      "a scale for Gaussian noise",
      [1],
      { noise: "gaussian", scale: 1 },
      "scale must be absent with gaussian noise, which has a variance; got 1",
    ],
    [
      "a variance for other noise",
      [1],
      { noise: "gumbel", variance: 1 },
      "variance must be absent with gumbel noise, which has a scale; got 1",
    ],
  ])("%s, before a bit is drawn", (_, scores, options, message) => {
    const entropy = seededEntropy(4);
    const run = () =>
      reportNoisyMax(scores, { noise: "exponential", ...options, entropy } as ReportNoisyMaxOptions);
    expect(run).toThrow(expect.objectContaining({ message }));
    expect(entropy.bitsUsed).toBe(0);
  });
});

describe.each(["exponential", "gumbel", "laplace", "gaussian"] as const)("With %s noise", (noise) => {
  const answer = (scores: Parameters<typeof reportNoisyMax>[0], negate?: boolean) => {
    const { privacy, ...choice } = reportNoisyMax(scores, {
      noise,
      rho: 1,
      negate,
      entropy: seededEntropy(5),
    });
    return choice;
  };

  it("a far larger score wins, or a far smaller one if that is wanted, by index or name", () => {
    expect([answer([0, 1e6, 0]), answer([0, 1e6, 0], false)]).toEqual([{ candidate: 1 }, { candidate: 1 }]);
    expect(answer([0, -1e6, 0], true)).toEqual({ candidate: 1 });
    expect(answer({ tea: 0, coffee: 1e6 })).toEqual({ candidate: "coffee" });
  });
});

describe("The noise within a budget", () => {
  const range = rational(3);

  it("is r/ε, and for a ρ less if the noise is of bounded range", () => {
    const size = (budget: object) => {
      const { noise, ...rest } = noiseWithin(budget as never, range, 7);
      return [noise, ...Object.values(rest).map(String)];
    };
    expect(size({ noise: "exponential", epsilon: "1/2" })).toEqual(["exponential", "6"]);
    expect(size({ noise: "laplace", scale: 4 })).toEqual(["laplace", "4"]);
    expect(size({ noise: "laplace", rho: "1/2" })).toEqual(["laplace", "3"]);
    expect(size({ noise: "gumbel", rho: "1/8" })).toEqual(["gumbel", "3"]);
    expect(size({ noise: "gaussian", rho: "63/8" })).toEqual(["gaussian", "1", "7"]);
    expect(size({ noise: "gaussian", variance: 5 })).toEqual(["gaussian", "5", "7"]);
  });

  it.each([
    [
      { noise: "cauchy", rho: 1 },
      'noise must be "exponential", "gumbel", "laplace" or "gaussian"; got "cauchy"',
    ],
    [{ noise: "laplace", scale: -1 }, "scale must be a rational > 0; got -1"],
    [{ noise: "laplace", epsilon: -1 }, "epsilon must be a rational > 0; got -1"],
    [{ noise: "laplace", rho: -1 }, "rho must be a rational > 0; got -1"],
    [{ noise: "gaussian", rho: -1 }, "rho must be a rational > 0; got -1"],
    [{ noise: "gaussian", variance: -1 }, "variance must be a rational > 0; got -1"],
  ])("is refused for %o, also where nobody read it before", (budget, message) => {
    expect(() => noiseWithin(budget as never, range, 7)).toThrow(expect.objectContaining({ message }));
  });

  it("is read by the name of the option that it is in", () => {
    const read = (value: object) => noisyMaxBudget("choose", value as never);
    expect(read({ noise: "gumbel", epsilon: 1 })).toEqual({ noise: "gumbel", epsilon: rational(1) });
    expect(() => read({ noise: "cauchy" })).toThrow('noise must be "exponential"');
    expect(() => read({ noise: "gumbel", variance: 0 })).toThrow("variance must be a rational > 0; got 0");
  });

  it.each([
    [{ noise: "exponential" }, "scale"],
    [{ noise: "gumbel" }, "scale"],
    [{ noise: "gaussian", maxCandidates: 2 }, "variance"],
    [{ noise: "gaussian", variance: 1 }, "maxCandidates"],
  ])("has a loss only if its size is known: %o lacks its %s", (options, field) => {
    expect(() => noisyMaxLoss(options as NoisyMaxLossOptions)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(`^${field} must be .*got undefined$`)),
      }),
    );
  });
});
