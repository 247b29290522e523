import { describe, expect, it } from "vitest";
import { discreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { symmetricLaw } from "../support/law.js";
import { vectors } from "../support/vectors.js";

describe("discreteGaussian", () => {
  // Rejection upon rejection: bits leave much open. one-off-choices.exhaustive.test.ts decides all but 10⁻¹⁶.
  const depths = [
    { wordBits: 1, depth: 15, leftover: "1/2" },
    { wordBits: 3, depth: 12, leftover: "3/4" },
  ];
  it.each(vectors.discrete_gaussian.flatMap((vector) => depths.map((depth) => ({ ...vector, ...depth }))))(
    "has its law for σ² = $sigma2 in words of $wordBits bits, all but $leftover of it",
    ({ sigma2, pmf_abs, wordBits, depth, leftover }) => {
      const tree = bitTree((entropy) => discreteGaussian(sigma2, entropy), { depth, wordBits });
      expectLaw({ tree, probabilities: symmetricLaw(pmf_abs) });
      expect(tree.undecided.compare(leftover)).toBe(-1);
    },
  );

  it.each(["1e-9", "1e-400"])("is 0 at σ² = %s", (sigmaSquared) => {
    const entropy = seededEntropy("small σ²");
    for (let draw = 0; draw < 200; draw++) expect(discreteGaussian(sigmaSquared, entropy)).toBe(0n);
  });

  it.each([
    ["10¹⁸", "1e18", 10n ** 9n],
    ["10⁴⁰⁰", "1e400", 10n ** 200n],
    ["(10²⁰⁰ + 7)/9", `${10n ** 200n + 7n}/9`, 10n ** 100n / 3n],
  ])("is of size σ·√(2/π) at σ² = %s", (_, sigmaSquared, sigma) => {
    const entropy = seededEntropy("large σ²");
    const draws = Array.from({ length: 300 }, () => discreteGaussian(sigmaSquared, entropy));
    const size = draws.reduce((sum, x) => sum + (x < 0n ? -x : x), 0n);
    expect(size > 208n * sigma && size < 271n * sigma).toBe(true); // 300·0.798, three standard deviations
    expect(draws.filter((x) => x < 0n).length).toBeGreaterThan(120);
    expect(draws.filter((x) => x > 0n).length).toBeGreaterThan(120);
  });

  it("draws from the system where no entropy is given", () => {
    expect(new Set(Array.from({ length: 20 }, () => discreteGaussian("1e24"))).size).toBe(20);
  });
});
