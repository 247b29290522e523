import { describe, expect, it } from "vitest";
import { normalizedSample } from "../../src/sample/normalized-sample.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { expectLaw } from "../support/expect-law.js";
import { vectors } from "../support/more-vectors.js";

describe("normalizedSample", () => {
  it.each(vectors.bit_by_bit)(
    "has the reference law by all bit strings: $weights",
    ({ weights, probs_exact }) => {
      const tree = bitTree((entropy) => normalizedSample(weights, entropy), { depth: 16 });
      expect(tree.undecided.compare("1/1000")).toBe(-1);
      expectLaw({ tree, probabilities: Object.fromEntries(probs_exact.map((p, i) => [String(i), p])) });
    },
  );

  it("brings fractions to a common denominator, and never gives a weight of 0", () => {
    const tree = bitTree((entropy) => normalizedSample(["1/6", 0, "0.25", 0, "1/12"], entropy), {
      depth: 14,
    });
    expectLaw({ tree, probabilities: { 0: "1/3", 2: "1/2", 4: "1/6" } });
  });

  it("refuses what is not a list of weights before a bit is drawn", () => {
    expect(() => normalizedSample([])).toThrow("weights must be a list with at least one weight > 0");
    expect(() => normalizedSample([0, 0])).toThrow("at least one weight > 0");
    expect(() => normalizedSample([1, -1])).toThrow("weights must be rationals >= 0");
    expect(() => normalizedSample([1, Number.NaN])).toThrow("weights must be a rational");
    expect(() => normalizedSample(7 as never)).toThrow("weights must be an array");
  });
});
