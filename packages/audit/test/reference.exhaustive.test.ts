import { describe, expect, it } from "vitest";
import type { Entropy } from "../../core/src/entropy.js";
import { Interval } from "../../core/src/exact/interval.js";
import { Rational } from "../../core/src/exact/rational.js";
import { bitTree } from "../../core/src/testing/bit-tree.js";
import { replayEntropy } from "../../core/src/testing/replay-entropy.js";
import { seededEntropy } from "../../core/src/testing/seeded-entropy.js";
import { expectLaw } from "../../core/test/support/expect-law.js";
import { lawFromZero, symmetricLaw } from "../../core/test/support/law.js";
import { vectors } from "../../core/test/support/vectors.js";
import { Reference } from "../src/reference-samplers.js";

/** A sampler of the reference as a function of its entropy. */
function drawing<T>(sample: (reference: Reference) => T): (entropy: Entropy) => T {
  return (entropy) => sample(new Reference(entropy));
}

/** The bit tree of a sampler of the reference. */
function treeOf<T>(depth: number, sample: (reference: Reference) => T) {
  return bitTree(drawing(sample), { depth });
}

const BERNOULLI_LEFTOVER = Rational.of(1n, 1n << 16n);

describe("Reference.uniformBelow", () => {
  it.each([1n, 2n, 3n, 5n, 6n, 7n, 10n])("gives each value below %d the same mass, and misses none", (n) => {
    const depth = 12;
    const tree = treeOf(depth, (reference) => reference.uniformBelow(n));
    const undecided = Rational.of((1n << BigInt(depth)) % n, 1n << BigInt(depth));
    expect(tree.undecided).toEqual(undecided);
    for (let value = 0n; value < n; value++)
      expect(tree.mass.get(`${value}`)).toEqual(Rational.ONE.minus(undecided).dividedBy(n));
    expect(tree.mass.size).toBe(Number(n));
  });

  it("draws no bit for n = 1", () => {
    expect(new Reference(replayEntropy("")).uniformBelow(1n)).toBe(0n);
  });

  it("keeps the randomness of a miss", () => {
    const entropy = replayEntropy("111" + "0"); // 7 of 8 misses 5 and leaves 2 of 3; then 4 of 6 is a hit
    expect(new Reference(entropy).uniformBelow(5n)).toBe(4n);
    expect(entropy.bitsUsed).toBe(4);
  });

  it.each([(1n << 64n) + 1n, 10n ** 200n + 7n])("stays below n = %d and uses its whole range", (n) => {
    const reference = new Reference(seededEntropy("large n"));
    const values = Array.from({ length: 200 }, () => reference.uniformBelow(n));
    expect(values.every((value) => value >= 0n && value < n)).toBe(true);
    for (let quarter = 0n; quarter < 4n; quarter++)
      expect(values.filter((value) => (4n * value) / n === quarter).length).toBeGreaterThan(25);
  });
});

describe("Reference.bernoulli", () => {
  it.each([
    ["1/3", 1n, 3n],
    ["3/8", 3n, 8n],
    ["2/7", 2n, 7n],
    ["6/14", 6n, 14n],
    ["999/1000", 999n, 1000n],
    ["1/1000003", 1n, 1000003n],
  ])("is true with probability %s", (probability, p, q) => {
    const tree = treeOf(18, (reference) => reference.bernoulli(p, q));
    expectLaw({ tree, probabilities: { true: probability, false: `${q - p}/${q}` } });
    expect(tree.undecided.compare(BERNOULLI_LEFTOVER)).toBe(-1);
  });

  it("decides binary fractions completely, with as many bits as they have", () => {
    const tree = treeOf(3, (reference) => reference.bernoulli(3n, 8n));
    expect(tree.undecided).toEqual(Rational.ZERO);
    expect(tree.mass.get("true")).toEqual(Rational.of(3n, 8n));
  });

  it("draws no bit for probabilities 0 and 1", () => {
    const reference = new Reference(replayEntropy(""));
    expect(reference.bernoulli(0n, 7n)).toBe(false);
    expect(reference.bernoulli(7n, 7n)).toBe(true);
  });
});

describe("Reference.bernoulliExp", () => {
  it.each(vectors.bernoulli_exp.filter(({ p, q }) => p <= q))(
    "is true with probability $prob for γ = $p/$q",
    ({ p, q, prob }) => {
      const tree = treeOf(28, (reference) => reference.bernoulliExp(BigInt(p), BigInt(q)));
      expectLaw({ tree, probabilities: { true: prob } });
      expect(tree.undecided.compare(BERNOULLI_LEFTOVER)).toBe(-1);
    },
  );

  it.each([
    [1n, 10n],
    [1n, 3n],
    [4n, 5n],
  ])("is true with probability e^−γ for γ = %d/%d", (p, q) => {
    const tree = treeOf(32, (reference) => reference.bernoulliExp(p, q));
    const probability = Interval.from(Rational.of(-p, q), 128).exp().lower();
    expectLaw({ tree, probabilities: { true: String(probability) } });
    expect(tree.undecided.compare(BERNOULLI_LEFTOVER)).toBe(-1);
  });

  // A product of coins takes the bits of all of them. reference-choices.exhaustive.test.ts walks the coins instead.
  it.each(vectors.bernoulli_exp.filter(({ p, q }) => p > q))(
    "is true with probability $prob for γ = $p/$q, with 0.3 % undecided",
    ({ p, q, prob }) => {
      const tree = treeOf(24, (reference) => reference.bernoulliExp(BigInt(p), BigInt(q)));
      expectLaw({ tree, probabilities: { true: prob } });
      expect(tree.undecided.compare("0.003")).toBe(-1);
    },
  );

  it("draws no bit for γ = 0", () => {
    expect(new Reference(replayEntropy("")).bernoulliExp(0n, 10n ** 200n)).toBe(true);
  });

  it.each([
    ["10⁹", 10n ** 9n, 1n],
    ["10²⁰⁰", 10n ** 200n, 1n],
    ["10⁹ and a fraction of 200 digits", 10n ** 209n + 1n, 10n ** 200n],
  ])("is false, and soon, for γ = %s", (_, p, q) => {
    const entropy = seededEntropy("large γ");
    const reference = new Reference(entropy);
    for (let draw = 0; draw < 1000; draw++) expect(reference.bernoulliExp(p, q)).toBe(false);
    expect(entropy.bitsUsed).toBeLessThan(5000);
  });

  it("is true, and soon, for γ = 10⁻²⁰⁰", () => {
    const entropy = seededEntropy("small γ");
    const reference = new Reference(entropy);
    for (let draw = 0; draw < 1000; draw++) expect(reference.bernoulliExp(1n, 10n ** 200n)).toBe(true);
    expect(entropy.bitsUsed).toBeLessThan(3000);
  });
});

describe("Reference.shuffle", () => {
  it.each([0, 1, 2, 3, 4])("puts %d items into each order with the same mass", (n) => {
    const tree = treeOf(18, (reference) => reference.shuffle(Array.from({ length: n }, (_, i) => i)));
    const orders = [1, 1, 2, 6, 24][n];
    const mass = Rational.ONE.minus(tree.undecided).dividedBy(BigInt(orders));
    expect(tree.mass.size).toBe(orders);
    for (const each of tree.mass.values()) expect(each).toEqual(mass);
    expect(tree.undecided.compare("1/400")).toBe(-1);
  });

  it("shuffles in place and returns the same array", () => {
    const items = ["a", "b", "c"];
    expect(new Reference(seededEntropy("in place")).shuffle(items)).toBe(items);
    expect(items.toSorted()).toEqual(["a", "b", "c"]);
  });
});

// Each leftover is the probability that 20 bits are not enough; reference-choices.exhaustive.test.ts gets far below them.
describe("The bit trees of the composed samplers", () => {
  const depth = 20;

  it.each([
    { vector: vectors.geometric[0], leftover: "0.006" },
    { vector: vectors.geometric[3], leftover: "0.015" },
  ])("enclose the geometric law for s/t = $vector.s/$vector.t up to $leftover", ({ vector, leftover }) => {
    const tree = treeOf(depth, (reference) => reference.geometric(BigInt(vector.s), BigInt(vector.t)));
    expectLaw({ tree, probabilities: lawFromZero(vector.pmf) });
    expect(tree.undecided.compare(leftover)).toBe(-1);
  });

  it("enclose the discrete Laplace law of scale 1 up to 0.023", () => {
    const tree = treeOf(depth, (reference) => reference.discreteLaplace(1n, 1n));
    expectLaw({ tree, probabilities: symmetricLaw(vectors.discrete_laplace[0].pmf_abs) });
    expect(tree.undecided.compare("0.023")).toBe(-1);
  });
});

describe("The composed samplers at the ends of their range", () => {
  const digits200 = 10n ** 200n;
  const draw = <T>(seed: string, sample: (reference: Reference) => T): T[] => {
    const reference = new Reference(seededEntropy(seed));
    return Array.from({ length: 300 }, () => sample(reference));
  };
  const mean = (values: bigint[]) => values.reduce((sum, value) => sum + value, 0n) / BigInt(values.length);
  const absolute = (value: bigint) => (value < 0n ? -value : value);

  it("geometric: 0 where a = e^(−10⁹), about t/s where the scale is 10⁹ or has 200 digits", () => {
    expect(draw("tiny", (reference) => reference.geometric(10n ** 9n, 1n)).every((y) => y === 0n)).toBe(true);
    for (const t of [10n ** 9n, digits200 + 7n]) {
      const average = mean(draw("wide", (reference) => reference.geometric(1n, t)));
      expect(average > (8n * t) / 10n && average < (12n * t) / 10n).toBe(true);
    }
  });

  it("geometric: the same law for a fraction whose terms both have 200 digits", () => {
    const values = draw("both", (reference) => reference.geometric(3n * digits200, 3n * digits200));
    const zeros = values.filter((y) => y === 0n).length;
    expect(zeros).toBeGreaterThan(150); // 300·(1 − 1/e) = 190
    expect(zeros).toBeLessThan(230);
  });

  it("truncatedGeometric: M = 1 and M = 10¹⁸ answer", () => {
    expect(draw("one", (reference) => reference.truncatedGeometric(1n, 3n, 1n)).every((d) => d === 0n)).toBe(
      true,
    );
    expect(mean(draw("many", (reference) => reference.truncatedGeometric(1n, 1n, 10n ** 18n)))).toBe(0n);
  });

  it("discreteLaplace: 0 at scale 10⁻⁹, of the size of the scale at 10⁹ and 200 digits", () => {
    expect(draw("tiny", (reference) => reference.discreteLaplace(10n ** 9n, 1n)).every((x) => x === 0n)).toBe(
      true,
    );
    for (const t of [10n ** 9n, digits200 + 7n]) {
      const size = mean(draw("wide", (reference) => reference.discreteLaplace(1n, t)).map(absolute));
      expect(size > (8n * t) / 10n && size < (12n * t) / 10n).toBe(true);
    }
  });

  it("discreteGaussian: 0 at σ² = 10⁻⁹, of size σ√(2/π) at σ² = 10¹⁸ and 400 digits", () => {
    expect(
      draw("tiny", (reference) => reference.discreteGaussian(1n, 10n ** 9n)).every((x) => x === 0n),
    ).toBe(true);
    for (const sigma of [10n ** 9n, digits200]) {
      const size = mean(
        draw("wide", (reference) => reference.discreteGaussian(sigma * sigma, 1n)).map(absolute),
      );
      expect(size > (7n * sigma) / 10n && size < (9n * sigma) / 10n).toBe(true);
    }
  });

  it("an entropy that fails makes every sampler fail", () => {
    const reference = new Reference(replayEntropy("0"));
    for (const sample of [
      () => reference.uniformBelow(3n),
      () => reference.geometric(1n, 10n),
      () => reference.discreteLaplace(1n, 10n),
      () => reference.discreteGaussian(100n, 1n),
      () => reference.shuffle([1, 2, 3]),
      () => reference.lazyExponential(),
    ])
      expect(sample).toThrow("more bits were asked for");
  });
});
