import { describe, expect, it } from "vitest";
import type { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { type LargestGapOptions, largestGap } from "../../src/standout/largest-gap.js";
import { bitTree } from "../../src/testing/bit-tree.js";
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
        return largestGap([100], { ...options, ...size, noise, gapCap: 1, entropy } as LargestGapOptions).k;
      });
      expect(new Set(drawn).size).toBeGreaterThan(20);
    }
    const clear = largestGap([9, 9, 9, 1], { ...options, scale: "1e-3", entropy: seededEntropy("clear") });
    expect(clear.k).toBe(3);
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
});

describe("the cap", () => {
  it("lets wider gaps count as if they were as wide as it", () => {
    expectTree(treeOf([9, 2, 0], { maxK: 2, scale: 2, gapCap: 3 }), lawFrom(1, softmax([3, 2], 2)));
    expectTree(treeOf([9, 2, 0], { maxK: 2, scale: 2, gapCap: 100n }), lawFrom(1, softmax([7, 2], 2)));
  });
});
