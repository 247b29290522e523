import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { GapChoice } from "../../src/standout/gap-choice.js";
import { type LargestGapOptions, largestGap } from "../../src/standout/largest-gap.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

describe("a maxK", () => {
  it("beyond 2^20 is refused before memory is", () => {
    for (const maxK of [2 ** 20 + 1, 1e9, 2 ** 53 - 1])
      expect(() => largestGap([3, 1], { maxK, scale: 1 })).toThrow(
        `maxK must be an integer from 1 to 1048576; got ${maxK}`,
      );
  });
});

describe("with noise far below the gaps, largestGap", () => {
  /** Noise so small that the largest sum wins. */
  const chosen = (histogram: readonly (number | bigint)[], options: object = {}) =>
    largestGap(histogram, {
      ...{ maxK: 3, scale: "1e-6", entropy: seededEntropy("clear") },
      ...options,
    } as LargestGapOptions).k;

  it.each(["gumbel", "exponential", "laplace", "gaussian"])("finds the widest gap with %s noise", (noise) => {
    const size = noise === "gaussian" ? { variance: "1e-12", scale: undefined } : {};
    for (const [k, histogram] of [
      [1, [1, 9, 2, 3]],
      [2, [8, 1, 9, 2]],
      [3, [9, 8, 7, 1]],
    ] as const)
      expect(chosen(histogram, { noise, ...size })).toBe(k);
  });

  it("looks one count beyond maxK, and takes 0 for those that are not there", () => {
    expect(chosen([9, 8, 7], { maxK: 3 })).toBe(3);
    expect(chosen([9, 8, 7, 6, 1], { maxK: 3, regulariser: [0, 0, "1/2"] })).toBe(3);
    expect(chosen([9, 8, 7, 6, 1], { maxK: 3, regulariser: ["1/2", 0, 0] })).toBe(1);
  });

  it("subtracts counts of both kinds exactly", () => {
    const large = 1n << 60n;
    expect(chosen([large, large - 3n, large - 5n, large - 6n])).toBe(1);
    expect(chosen([large, large - 1n, large - 3n, large - 4n])).toBe(2);
    expect(chosen([9n, 8, 3n, 2])).toBe(2);
    expect(chosen([9, 8n, 7n, 1])).toBe(3);
    expect(chosen([9, 3n, 2, 1n])).toBe(1);
  });

  it("adds the regulariser to the gaps, as a function or an array, and never takes a k at −Infinity", () => {
    const histogram = [9, 6, 4, 3]; // gaps 3, 2, 1
    expect(chosen(histogram)).toBe(1);
    expect(chosen(histogram, { regulariser: [0, "1.01", 0] })).toBe(2);
    expect(chosen(histogram, { regulariser: (k: number) => k * k })).toBe(3);
    expect(chosen(histogram, { regulariser: [-Infinity, 0, 0] })).toBe(2);
    expect(chosen(histogram, { regulariser: (k: number) => (k < 3 ? -Infinity : 0) })).toBe(3);
  });

  it("takes wider gaps for as wide as the cap, and no narrower", () => {
    const histogram = [99, 6, 4, 3]; // gaps 93, 2, 1
    const regulariser = [0, 2, 0];
    expect(chosen(histogram, { regulariser })).toBe(1);
    expect(chosen(histogram, { regulariser, gapCap: 3 })).toBe(2);
    expect(chosen(histogram, { regulariser, gapCap: 5n })).toBe(1);
    expect(chosen([5n, 2n, 0n], { regulariser: [0, 2, 0], gapCap: 2 })).toBe(2);
  });
});

describe("the regulariser", () => {
  it("may be as large or as small as rationals are", () => {
    const last = "9".repeat(400);
    for (const noise of ["gumbel", "exponential", "laplace", "gaussian"] as const)
      for (const scale of ["1e-200", "1", "1e200"]) {
        const size = noise === "gaussian" ? { variance: rational(scale).times(scale) } : { scale };
        const choose = (regulariser: string[]) =>
          largestGap([5, 3], {
            ...{ maxK: 3, regulariser, noise, ...size },
            entropy: seededEntropy(scale),
          } as LargestGapOptions).k;
        expect(choose([`1${last}`, `2${last}`, `-2${last}`])).toBe(2);
        expect(choose([`-3${last}`, `-2${last}`, `-1${last}`])).toBe(3);
        expect([1, 2, 3]).toContain(choose([`1/${last}`, `1/1${last}`, `-1/${last}`]));
      }
  });

  it("is asked for each k once", () => {
    const asked: number[] = [];
    const regulariser = (k: number) => asked.push(k);
    largestGap([3, 1], { maxK: 3, scale: 1, regulariser, entropy: seededEntropy(1) });
    expect(asked).toEqual([1, 2, 3]);
  });

  it("may leave one k only, which is then certain", () => {
    const regulariser = (k: number) => (k === 4 ? 0 : -Infinity);
    const { k } = largestGap([5, 1], { maxK: 6, scale: 1, regulariser, entropy: seededEntropy(1) });
    expect(k).toBe(4);
  });

  it.each([
    [[0, 0], "regulariser must be a function, or an array of 3 terms; got 2"],
    [[0, 0, Number.NaN], "regulariser must be a rational number such as"],
    [() => Infinity, "regulariser must be a rational number such as"],
    [() => -Infinity, "regulariser must be above -Infinity for at least one k; got -Infinity"],
  ])("is refused if it is %s", (regulariser, message) => {
    const entropy = replayEntropy("");
    expect(() => largestGap([3, 2, 1], { maxK: 3, scale: 1, regulariser, entropy })).toThrow(message);
  });
});

describe("the cap", () => {
  it.each([0, -3, 2.5])("is refused if it is %d", (cap) => {
    expect(() => largestGap([1], { maxK: 1, scale: 1, gapCap: cap })).toThrow(
      `gapCap must be an integer >= 1; got ${cap}`,
    );
  });
});

describe("the loss of largestGap", () => {
  const run = (options: object) =>
    largestGap([9, 5, 1], { maxK: 8, ...options, entropy: seededEntropy("loss") } as LargestGapOptions)
      .privacy;
  const pure = (epsilon: string) => ({ measure: "pure", epsilon: rational(epsilon) });
  const zcdp = (rho: string) => ({ measure: "zcdp", rho: rational(rho) });

  it("is the epsilon that was asked for, or what a scale gives: gaps move by Δ_gap in both directions", () => {
    expect(run({ epsilon: "1/10" })).toEqual(pure("1/10"));
    expect(run({ scale: 20, monotone: true })).toEqual(pure("1/10"));
    expect(run({ scale: 20 })).toEqual(pure("1/5"));
    expect(run({ scale: 20, sensitivity: 3 })).toEqual(pure("3/5"));
    for (const noise of ["exponential", "laplace"] as const)
      expect(run({ scale: 20, noise })).toEqual(pure("1/5"));
  });

  it("is ε²/8 for Gumbel noise and ε²/2 for the others", () => {
    expect(run({ rho: "1/800" })).toEqual(zcdp("1/800"));
    expect(run({ rho: "1/200", noise: "exponential" })).toEqual(zcdp("1/200"));
    expect(run({ rho: "1/200", noise: "laplace" })).toEqual(zcdp("1/200"));
  });

  it("is m·(2Δ_gap)²/8σ² for Gaussian noise on m gaps, and excluded k do not count", () => {
    expect(run({ variance: 64, noise: "gaussian", monotone: true })).toEqual(zcdp("1/16"));
    expect(run({ variance: 64, noise: "gaussian" })).toEqual(zcdp("1/4"));
    const regulariser = (k: number) => (k > 2 ? -Infinity : 0);
    expect(run({ variance: 64, noise: "gaussian", regulariser })).toEqual(zcdp("1/16"));
    expect(run({ rho: "1/4", noise: "gaussian" })).toEqual(zcdp("1/4"));
  });

  it("is never above what was asked for", () => {
    for (const noise of ["gumbel", "exponential", "laplace", "gaussian"] as const) {
      const { rho } = run({ rho: "0.0123", noise }) as { rho: ReturnType<typeof rational> };
      expect(rho.compare("0.0123")).toBeLessThanOrEqual(0);
      expect(rho.compare("0.01229999999999")).toBe(1);
    }
  });
});

describe("largestGap refuses, before it draws a bit,", () => {
  const refusal = (options: object, histogram: readonly number[] = [3, 2]) => {
    const entropy = replayEntropy("");
    const run = () => largestGap(histogram, { maxK: 2, ...options, entropy } as LargestGapOptions);
    return expect(run);
  };

  it("a maxK that is no count", () => {
    for (const maxK of [0, 1.5, -1])
      refusal({ maxK, scale: 1 }).toThrow(`maxK must be an integer >= 1; got ${maxK}`);
  });

  it("no budget, two budgets, and a pure one with Gaussian noise", () => {
    refusal({}).toThrow('budget must be exactly one of epsilon, rho and scale; got "none"');
    refusal({ rho: 1, scale: 1 }).toThrow("budget must be exactly one of");
    refusal({ noise: "gaussian", epsilon: 1 }).toThrow("epsilon must be absent with gaussian noise");
    refusal({ noise: "cauchy", scale: 1 }).toThrow("noise must be");
  });

  it("a cap that is no count, and a regulariser that is neither a function nor a list", () => {
    refusal({ scale: 1, gapCap: 0 }).toThrow(/^gapCap must be/);
    expect(() => new GapChoice({ maxK: 2, gapCap: 0.5 }, { noise: "gumbel", scale: 1 })).toThrow(
      /^gapCap must be/,
    );
    refusal({ scale: 1, regulariser: 7 }).toThrow(
      "regulariser must be an array or a typed array; got a value of type number",
    );
  });

  it("a histogram that is none", () => {
    refusal({ scale: 1 }, [3, 0.5]).toThrow("histogram must be integers >= 0 throughout");
  });
});
