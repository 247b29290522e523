import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Rational } from "../../src/exact/rational.js";
import { DiscreteGaussian, DiscreteLaplace, Geometric } from "../../src/sample/prepared.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { type Law, lawFromZero, symmetricLaw } from "../support/law.js";
import { vectors } from "../support/vectors.js";

interface Sampler {
  sample(entropy?: Entropy): number;
  fill<A extends Int32Array | Float64Array>(target: A, entropy?: Entropy): A;
}

const CASES: readonly { name: string; sampler: Sampler; probabilities: Law }[] = [
  ...vectors.geometric.map(({ s, t, pmf }) => ({
    name: `Geometric at the rate ${s}/${t}`,
    sampler: new Geometric(`${s}/${t}`),
    probabilities: lawFromZero(pmf),
  })),
  ...vectors.discrete_laplace.map(({ s, t, pmf_abs }) => ({
    name: `DiscreteLaplace of scale ${t}/${s}`,
    sampler: new DiscreteLaplace(`${t}/${s}`),
    probabilities: symmetricLaw(pmf_abs),
  })),
  ...vectors.discrete_gaussian.map(({ sigma2, pmf_abs }) => ({
    name: `DiscreteGaussian of σ² = ${sigma2}`,
    sampler: new DiscreteGaussian(sigma2),
    probabilities: symmetricLaw(pmf_abs),
  })),
];
/** All of them have one integer a strip, so 24 bits leave less than 1/30,000 undecided. */
const LEFTOVER = Rational.of(1n, 30_000n);

describe("Prepared samplers", () => {
  it.each(CASES.flatMap((each) => [1, 3, 8].map((wordBits) => ({ ...each, wordBits }))))(
    "$name has its law in words of $wordBits bits",
    ({ sampler, probabilities, wordBits }) => {
      const tree = bitTree((entropy) => sampler.sample(entropy), { depth: 24, wordBits });
      expectLaw({ tree, probabilities });
      expect(tree.undecided.compare(LEFTOVER)).toBe(-1);
    },
  );

  it.each(CASES)("$name fills arrays with what it draws one by one", ({ sampler }) => {
    for (const target of [new Int32Array(500), new Float64Array(500)]) {
      const [batch, single] = [seededEntropy("fill"), seededEntropy("fill")];
      expect(sampler.fill(target, batch)).toBe(target);
      expect([...target]).toEqual(Array.from({ length: 500 }, () => sampler.sample(single)));
      expect(batch.bitsUsed).toBe(single.bitsUsed);
    }
  });

  it("take one word a draw where strips have one integer", () => {
    for (const { sampler } of CASES) {
      const entropy = seededEntropy("one word");
      sampler.fill(new Int32Array(1000), entropy);
      expect(entropy.bitsUsed).toBe(32_000);
    }
  });

  it.each([
    ["Geometric of rate 10⁹", new Geometric("1e9")],
    ["Geometric of rate 10³⁰⁰", new Geometric("1e300")],
    ["Geometric of rate 10⁴⁰⁰", new Geometric("1e400")],
    ["DiscreteLaplace of scale 10⁻⁹", new DiscreteLaplace("1e-9")],
    ["DiscreteGaussian of σ² = 10⁻⁹", new DiscreteGaussian("1e-9")],
    ["DiscreteGaussian of σ² = 10⁻⁴⁰⁰", new DiscreteGaussian("1e-400")],
  ])("%s is 0, and never −0", (_, sampler) => {
    const draws = [...sampler.fill(new Float64Array(1000), seededEntropy("nothing"))];
    expect(draws.every((x) => Object.is(x, 0))).toBe(true);
  });

  it.each<[string, Sampler, number]>([
    ["Geometric of rate 2⁻⁴⁰", new Geometric(Rational.of(1n, 1n << 40n)), 2 ** 40],
    ["Geometric of a rate of 200 digits", new Geometric(`${10n ** 191n}/${10n ** 200n + 7n}`), 1e9],
    ["DiscreteLaplace of scale 2⁴⁰", new DiscreteLaplace(1n << 40n), 2 ** 40],
    [
      "DiscreteLaplace of a scale of 200 digits",
      new DiscreteLaplace(`${10n ** 200n + 7n}/${10n ** 191n}`),
      1e9,
    ],
    ["DiscreteGaussian of σ² = 10¹⁸", new DiscreteGaussian("1e18"), 1e9 * Math.sqrt(2 / Math.PI)],
    ["DiscreteGaussian of σ² = 2⁸⁰", new DiscreteGaussian(1n << 80n), 2 ** 40 * Math.sqrt(2 / Math.PI)],
    [
      "DiscreteGaussian of a σ² of 200 digits",
      new DiscreteGaussian(`${10n ** 200n + 7n}/${10n ** 182n}`),
      1e9 * Math.sqrt(2 / Math.PI),
    ],
  ])("%s has the size that it should", (_, sampler, size) => {
    const draws = [...sampler.fill(new Float64Array(10_000), seededEntropy("large"))];
    const mean = draws.reduce((sum, x) => sum + Math.abs(x), 0) / draws.length;
    expect(draws.every(Number.isSafeInteger)).toBe(true);
    expect(Math.abs(mean - size)).toBeLessThanOrEqual(0.05 * size); // five standard deviations at least
  });

  it("take the smallest rate and the largest scales, and only a geometric variate is never negative", () => {
    const scale = 1n << 40n;
    const samplers = [
      new Geometric(Rational.of(1n, scale)),
      new DiscreteLaplace(scale),
      new DiscreteGaussian(scale * scale),
    ];
    const draws = samplers.map((each) => [...each.fill(new Float64Array(50), seededEntropy("signs"))]);
    expect(draws.map((each) => each.some((x) => x < 0))).toEqual([false, true, true]);
  });

  it("zero an Int32Array and throw where a draw does not fit", () => {
    const target = new Int32Array(100).fill(7);
    expect(() => new DiscreteGaussian("1e20").fill(target, seededEntropy("too large"))).toThrow(
      expect.objectContaining({ code: "sample-out-of-range" }),
    );
    expect(target.every((x) => x === 0)).toBe(true);
  });

  it("draw from the system where no entropy is given", () => {
    const laplace = new DiscreteLaplace("1e9");
    // Two of 20 agree with probability 5e-8, four pairs of them never.
    expect(new Set(Array.from({ length: 20 }, () => laplace.sample())).size).toBeGreaterThan(16);
    expect(new Set(laplace.fill(new Float64Array(20))).size).toBeGreaterThan(16);
  });

  it("fail when the entropy fails", () => {
    const laplace = new DiscreteLaplace("1e8"); // needs two words
    expect(() => laplace.sample(replayEntropy("0".repeat(32), { wordBits: 32 }))).toThrow(
      "more bits were asked for",
    );
  });
});
