import { describe, expect, it } from "vitest";
import { Rational, rational } from "../../../packages/core/src/exact/rational.js";
import { bitTree } from "../../../packages/core/src/testing/bit-tree.js";
import { replayEntropy } from "../../../packages/core/src/testing/replay-entropy.js";
import { expectLaw } from "../../../packages/core/test/support/expect-law.js";
import { vectors } from "../../../packages/core/test/support/more-vectors.js";
import { eliminateByBits, sampleBitByBit } from "../../src/study/bitwise-sampling.js";

const total = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0);

/** E[bits], by the tree of all bits: what is decided, and at most so much more for what is not. */
function meanBits(weights: readonly number[], depth: number): { least: Rational; open: Rational } {
  const tree = bitTree((entropy) => String(sampleBitByBit(weights, entropy).bits), { depth });
  let least = tree.undecided.times(BigInt(depth));
  for (const [bits, mass] of tree.mass) least = least.plus(mass.times(BigInt(bits)));
  return { least, open: tree.undecided };
}

describe("Algorithm 4 of [Ilv20], bit by bit", () => {
  it.each(vectors.bit_by_bit)("has its law by all bit strings: $weights", ({ weights, probs_exact }) => {
    const tree = bitTree((entropy) => String(sampleBitByBit(weights, entropy).index), { depth: 14 });
    expectLaw({ tree, probabilities: Object.fromEntries(probs_exact.map((p, i) => [i, p])) });
    expect(tree.undecided.compare("0.02")).toBe(-1);
  });

  it.each(vectors.bit_by_bit)("takes the reference number of bits: $weights", (vector) => {
    const { least, open } = meanBits(vector.weights, 16);
    const expected = rational(vector.expected_bits_algorithm4);
    expect(least.compare(expected)).toBeLessThanOrEqual(0);
    // A run that is not over after 16 bits takes a few more, and less than the mean from a fresh start on top of a try.
    expect(least.plus(open.times(10n)).compare(expected)).toBeGreaterThanOrEqual(0);
    expect(open.compare("0.01")).toBe(-1);
  });

  it("gives a weight of 0 to nobody, and needs no bit where one has all", () => {
    expect(sampleBitByBit([0, 4n, 0], replayEntropy(""))).toEqual({ index: 1, bits: 0 });
    const tree = bitTree((entropy) => String(sampleBitByBit([1, 0, 1], entropy).index), { depth: 4 });
    expect([...tree.mass.keys()].sort()).toEqual(["0", "2"]);
  });
});

describe("Algorithm 2 of [Ilv20], by elimination", () => {
  it.each(vectors.bit_by_bit)(
    "finds the part that holds each sample: $weights",
    ({ weights, bits_of_total }) => {
      const found = Array.from({ length: total(weights) }, (_, sample) => eliminateByBits(weights, sample));
      expect(found.map(({ index }) => index)).toEqual(
        weights.flatMap((weight, index) => new Array<number>(weight).fill(index)),
      );
      for (const { bits } of found) expect(bits).toBeLessThanOrEqual(bits_of_total);
    },
  );

  it.each(vectors.bit_by_bit)("looks at the reference number of bits on average: $weights", (vector) => {
    const { weights, expected_bits_inspected_algorithm2 } = vector;
    const sum = Array.from({ length: total(weights) }, (_, s) => eliminateByBits(weights, s).bits);
    const mean = Rational.of(BigInt(total(sum)), BigInt(total(weights)));
    expect(mean.equals(expected_bits_inspected_algorithm2)).toBe(true);
  });

  it("tells utilities apart by its bits alone, which is why a release scans everything", () => {
    const histogram = (weights: readonly number[]) => {
      const bits = Array.from({ length: total(weights) }, (_, s) => eliminateByBits(weights, s).bits);
      return [0, 1, 2, 3, 4, 5].map((count) => bits.filter((one) => one === count).length / bits.length);
    };
    // Utilities 0, 1, 1, 1 and 1, 1, 1, 1: with b = 1/2 weights 2, 1, 1, 1 and 1, 1, 1, 1.
    expect(histogram([2, 1, 1, 1])).not.toEqual(histogram([1, 1, 1, 1]));
    expect(histogram([1, 1, 1, 1])).toEqual([0, 0, 1, 0, 0, 0]);
  });

  it("refuses weights and samples that make no sense, before a bit is drawn", () => {
    expect(() => sampleBitByBit([0, 0], replayEntropy(""))).toThrow(
      "weights must be a list with at least one weight > 0",
    );
    expect(() => sampleBitByBit([1, -1], replayEntropy(""))).toThrow(
      "weights must be an integer >= 0; got -1",
    );
    expect(() => eliminateByBits([1, 2], 3)).toThrow(
      "sample must be an integer below the sum of the weights; got 3",
    );
    expect(() => eliminateByBits([1, 2], -1n)).toThrow("sample must be an integer >= 0");
  });
});
