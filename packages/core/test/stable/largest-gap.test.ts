import { describe, expect, it } from "vitest";
import type { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { type LargestGapOptions, largestGap } from "../../src/stable/largest-gap.js";
import { bitTree, replayEntropy } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { exp, softmax } from "./exact-laws.js";
import { expectTree } from "./expect-enclosed.js";

/** By all strings of up to 16 bits. */
function treeOf(histogram: readonly number[], options: LargestGapOptions, depth = 16) {
  return bitTree((entropy) => largestGap(histogram, { ...options, entropy }).k, { depth });
}

/** The law of k = first, first + 1, … */
function lawFrom(first: number, law: readonly Interval[]): ReadonlyMap<string, Interval> {
  return new Map(law.map((probability, i) => [String(first + i), probability]));
}

describe("a maxK", () => {
  it("beyond 2^20 is refused before memory is", () => {
    for (const maxK of [2 ** 20 + 1, 1e9, 2 ** 53 - 1])
      expect(() => largestGap([3, 1], { maxK, scale: 1 })).toThrow("an integer from 1 to 1048576");
  });

  it("may exceed the number of candidates by far", () => {
    const entropy = seededEntropy("many zeros");
    expect(largestGap([1e6, 1], { maxK: 2 ** 17, scale: 1, entropy }).k).toBe(1);
  });
});

describe("the law of largestGap", () => {
  const histogram = [0, 3, 1]; // gaps 2 and 1
  const half = (value: Interval) => value.dividedBy(2n);

  it("is the exponential mechanism on gaps with Gumbel noise", () => {
    expectTree(treeOf(histogram, { maxK: 2, scale: 2 }), lawFrom(1, softmax([2, 1], 2)));
  });

  it("is the same whatever the order of the candidates", () => {
    for (const order of [
      [3, 1, 0],
      [1, 0, 3],
    ])
      expect(treeOf(order, { maxK: 2, scale: 2 }, 12)).toEqual(treeOf(histogram, { maxK: 2, scale: 2 }, 12));
  });

  it("is permute-and-flip with exponential noise", () => {
    const second = half(exp(rational("-1/2")));
    const tree = treeOf(histogram, { maxK: 2, scale: 2, noise: "exponential" });
    expectTree(tree, lawFrom(1, [second.negated().plus(1n), second]));
  });

  it("is that of two Laplace variables' difference with Laplace noise", () => {
    // P(X − Y > d) = e^−d·(2 + d)/4 for scale 1
    const second = exp(rational("-1/2")).times("5/8");
    const tree = treeOf(histogram, { maxK: 2, scale: 2, noise: "laplace" });
    expectTree(tree, lawFrom(1, [second.negated().plus(1n), second]));
  });

  it("goes on to zeros beyond the last candidate", () => {
    expectTree(treeOf([2], { maxK: 2, scale: 2 }), lawFrom(1, softmax([2, 0], 2)));
    expectTree(treeOf([], { maxK: 2, scale: 2 }), lawFrom(1, softmax([0, 0], 2)));
  });
});

describe("the regulariser", () => {
  it("may have a common denominator beyond all doubles: the law is exact, for every noise", () => {
    // Terms 1/k: their common denominator up to k = 1000 has 433 digits. Without a gap, all k are nearly alike.
    const options = { maxK: 1000, regulariser: (k: number) => `1/${k}` };
    for (const noise of ["gumbel", "exponential", "laplace", "gaussian"] as const) {
      const size = noise === "gaussian" ? { variance: 1 } : { scale: 1 };
      const drawn = Array.from({ length: 40 }, (_, seed) => {
        const entropy = seededEntropy(`${noise} ${seed}`);
        return largestGap([100], { ...options, ...size, noise, cap: 1, entropy } as LargestGapOptions).k;
      });
      expect(new Set(drawn).size).toBeGreaterThan(20);
    }
    const clear = largestGap([9, 9, 9, 1], { ...options, scale: "1e-3", entropy: seededEntropy("clear") });
    expect(clear.k).toBe(3);
  });

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

  it("is added to the gaps, as a function or an array, also in fractions", () => {
    const law = lawFrom(1, softmax(["5/3", "3/2"], 1));
    expectTree(treeOf([3, 1, 0], { maxK: 2, scale: 1, regulariser: ["-1/3", 0.5] }), law);
    const regulariser = (k: number) => (k === 1 ? "-1/3" : rational("1/2"));
    expectTree(treeOf([3, 1, 0], { maxK: 2, scale: 1, regulariser }), law);
  });

  it("excludes a k by −Infinity", () => {
    const tree = treeOf([9, 2, 1, 1], { maxK: 3, scale: 1, regulariser: [-Infinity, 1, 0] });
    expectTree(tree, lawFrom(2, softmax([2, 0], 1)));
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
  it("lets wider gaps count as if they were as wide as it", () => {
    expectTree(treeOf([9, 2, 0], { maxK: 2, scale: 2, cap: 3 }), lawFrom(1, softmax([3, 2], 2)));
    expectTree(treeOf([9, 2, 0], { maxK: 2, scale: 2, cap: 100n }), lawFrom(1, softmax([7, 2], 2)));
  });

  it.each([0, -3, 2.5])("is refused if it is %d", (cap) => {
    expect(() => largestGap([1], { maxK: 1, scale: 1, cap })).toThrow(
      `cap must be an integer >= 1; got ${cap}`,
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

  it("a histogram that is none", () => {
    refusal({ scale: 1 }, [3, 0.5]).toThrow("histogram must be integers >= 0 throughout");
  });
});
