import { describe, expect, it } from "vitest";
import type { LooseSpend } from "../../src/accounting/spend.js";
import { type RationalLike, rational } from "../../src/exact/rational.js";
import {
  AboveThreshold,
  type Entropy,
  limitedTopK,
  makeNoisyTopK,
  TopKStream,
  topK,
  topKWithGap,
} from "../../src/index.js";
import { integer } from "../../src/options.js";
import { exponential, gumbel } from "../../src/race/noise.js";
import { termsOf } from "../../src/select/noisy-winners.js";
import { chooseNoise, rangeOf, usualResolution, usualScale } from "../../src/select/options.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectRefused } from "./refusals.js";

function noise(
  options: LooseSpend,
  { range = 2, rounds = 1 }: { range?: RationalLike; rounds?: number } = {},
) {
  const { measure, scale } = chooseNoise(options, rational(range), rounds);
  return { measure, scale: String(scale) };
}

describe("A budget", () => {
  it("in epsilon buys exponential noise of scale rounds·range/ε", () => {
    expect(noise({ epsilon: 1 })).toEqual({ measure: "pure", scale: "2" });
    expect(noise({ epsilon: "1/3" }, { rounds: 5 })).toEqual({ measure: "pure", scale: "30" });
    expect(noise({ epsilon: 0.1 }, { range: "1/7" })).toEqual({ measure: "pure", scale: "10/7" });
  });

  it("in rho buys Gumbel noise of scale range·√(rounds/8ρ), rounded up", () => {
    expect(noise({ rho: "1/2" })).toEqual({ measure: "zcdp", scale: "1" });
    expect(noise({ rho: "1/8" }, { rounds: 4 })).toEqual({ measure: "zcdp", scale: "4" });
    const { scale } = noise({ rho: "1/4" }); // √2
    expect(rational(scale).times(scale).compare(2n)).toBe(1);
    expect(rational(scale).toNumber()).toBeCloseTo(Math.SQRT2, 12);
  });

  it("in scale is the scale of exponential noise itself", () => {
    expect(noise({ scale: "7/2" }, { rounds: 9 })).toEqual({ measure: "pure", scale: "3.5" });
    expect(noise({ scale: 0 })).toEqual({ measure: "pure", scale: "0" });
  });

  it("is refused by its name", () => {
    expectRefused(() => noise({ epsilon: 0 }), "epsilon must be a rational > 0; got 0");
    expectRefused(() => noise({ rho: 0 }), "rho must be a rational > 0; got 0");
    expectRefused(() => noise({ scale: -1 }), "scale must be a rational >= 0; got -1");
    expectRefused(() => rangeOf({ sensitivity: 0 }), "sensitivity must be a rational > 0; got 0");
  });

  it("in rho is spent on Gumbel noise, in epsilon on exponential noise", () => {
    const scale = rational(1);
    expect(termsOf({ k: 1, measure: "zcdp", scale })).toEqual({ noise: gumbel, scale });
    expect(termsOf({ k: 1, measure: "pure", scale })).toEqual({ noise: exponential, scale });
    expect(gumbel).not.toBe(exponential);
  });

  it("of a domain that is larger than the names is refused", () => {
    expectRefused(
      () => topK({ ant: 1, bee: 2 }, { k: 1, epsilon: 1, domain: { size: 5 } }),
      "size must be absent with names, which unlisted candidates lack; got 5",
    );
  });

  it("is given exactly once", () => {
    const text = "budget must be exactly one of epsilon, rho and scale; got ";
    expectRefused(() => noise({}), `${text}"none"`);
    expectRefused(() => noise({ epsilon: undefined }), `${text}"none"`);
    expectRefused(() => noise({ epsilon: 1, rho: 1, scale: 1 }), `${text}"epsilon and rho and scale"`);
  });
});

describe("The range", () => {
  it("is twice the sensitivity, or once where scores are monotone", () => {
    expect(String(rangeOf({}))).toBe("2");
    expect(String(rangeOf({ monotone: true }))).toBe("1");
    expect(String(rangeOf({ sensitivity: "3/2" }))).toBe("3");
    expect(String(rangeOf({ sensitivity: "3/2", monotone: true }))).toBe("1.5");
  });
});

describe("A count", () => {
  it("is a safe integer from 1 on", () => {
    expect(integer("k", 1)).toBe(1);
    expect(integer("k", Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expectRefused(
      () => integer("k", Number.MAX_SAFE_INTEGER + 1),
      "k must be an integer >= 1; got 9007199254740992",
    );
  });
});

describe("A usual resolution", () => {
  it("is at least 1e-300 times the scale, and any for no noise", () => {
    expect(usualResolution(rational("3e-300"), rational(3))).toEqual(rational("3e-300"));
    expect(usualResolution(rational("1e-9000"), rational(0))).toEqual(rational("1e-9000"));
    expect(() => usualResolution(rational("2.9e-300"), rational(3))).toThrow(
      "resolution must be a rational >= 1e-300 times the scale of the noise; got",
    );
  });

  it.each<[string, (resolution: string, entropy: Entropy) => unknown]>([
    ["topKWithGap", (resolution, entropy) => topKWithGap([3, 1], { k: 1, epsilon: 1, resolution, entropy })],
    ["TopKStream", (resolution, entropy) => new TopKStream({ k: 1, epsilon: 1, resolution, entropy })],
    ["makeNoisyTopK", (resolution) => makeNoisyTopK({ k: 1, measure: "pure", scale: 1, resolution })],
    ["AboveThreshold", (resolution, entropy) => new AboveThreshold({ epsilon: 1, resolution, entropy })],
    [
      "limitedTopK",
      (resolution, entropy) =>
        limitedTopK({ a: 9 }, { k: 1, epsilon: 1, delta: "1e-6", maxCandidates: 2, resolution, entropy }),
    ],
  ])("is asked of %s before a bit is drawn", (_, call) => {
    const entropy = seededEntropy("untouched");
    expect(() => call("1e-9000", entropy)).toThrow("resolution must be a rational >= 1e-300 times the scale");
    expect(entropy.bitsUsed).toBe(0);
  });
});

describe("A usual scale", () => {
  it("is one that doubles hold with room to spare", () => {
    for (const scale of ["1e-270", "1", "1e270"])
      expect(usualScale(rational(scale))).toEqual(rational(scale));
    for (const scale of ["0.99e-270", "1.01e270"])
      expect(() => usualScale(rational(scale))).toThrow(
        expect.objectContaining({ code: "invalid-parameter" }),
      );
  });
});
