/** The Laplace mechanism [Ding23, Theorem 3.3]: `measureCounts` by its exact law. */
import { describe, expect, it } from "vitest";
import { measureCounts } from "../../core/src/discover/measure-counts.js";
import { type Rational, rational } from "../../core/src/exact/rational.js";
import { bitTree } from "../../core/src/testing/bit-tree.js";
import { expectLaw } from "../../core/test/support/expect-law.js";
import type { Law } from "../src/laws/law.js";
import { discreteLaplaceTail } from "../src/laws/stable-laws.js";
import { likelihoodRatio } from "../src/likelihood-ratio.js";

const FURTHEST = 12;

/** Of a count with noise: each integer near it, and everything beyond. */
function lawOfCount(count: number, scale: string): Law {
  const tail = discreteLaplaceTail(scale); // P(noise > x)
  const above = (value: number) => tail(value - count);
  const values = Array.from({ length: 2 * FURTHEST + 1 }, (_, i) => i - FURTHEST);
  const each = values.map((value) => [String(value), above(value - 1).minus(above(value))] as const);
  return new Map([
    [
      "below",
      above(-FURTHEST - 1)
        .negated()
        .plus(1n),
    ],
    ...each,
    ["above", above(FURTHEST)],
  ]);
}

describe("the Laplace mechanism", () => {
  it("has the law of a count with discrete Laplace noise, by every string of bits", () => {
    const measured = bitTree(
      (entropy) => String(measureCounts({ a: 1 }, ["a"], { scale: 1, entropy }).counts[0].count),
      { depth: 16 },
    );
    const law = [...lawOfCount(1, "1")].map(([value, mass]) => [value, String(mass.lower())]);
    expectLaw({ tree: measured, probabilities: Object.fromEntries(law) });
  });

  it.each([
    { sensitivity: 1, scale: "1" },
    { sensitivity: 1, scale: "7/2" },
    { sensitivity: 3, scale: "2" },
  ])(
    "costs ε = Δ/scale, exactly and no less: counts that one person moves by $sensitivity, scale $scale",
    ({ sensitivity, scale }) => {
      const { privacy } = measureCounts({ a: 0 }, ["a"], { scale, sensitivity });
      const epsilon = rational(sensitivity).dividedBy(scale);
      expect(privacy).toEqual({ measure: "pure", epsilon });
      const moved = Array.from({ length: 2 * sensitivity + 1 }, (_, i) => lawOfCount(i - sensitivity, scale));
      const { least, most } = likelihoodRatio(lawOfCount(0, scale), moved);
      expect((most as Rational).minus(epsilon).compare("1e-20")).toBe(-1);
      expect(epsilon.minus(least as Rational).compare("1e-20")).toBe(-1);
    },
  );

  it("costs the sum for counts that one person moves together", () => {
    const { privacy } = measureCounts({ a: 5, b: 3 }, ["a", "b"], { scale: 2, maxItemsPerUser: 2 });
    expect(privacy).toEqual({ measure: "pure", epsilon: rational(1) });
  });
});
