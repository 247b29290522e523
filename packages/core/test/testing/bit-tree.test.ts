import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Rational } from "../../src/exact/rational.js";
import { type BitTree, bitTree } from "../../src/testing/bit-tree.js";
import { NotDeterministic } from "../../src/testing/tree-walk.js";

/** Fair flips until the first 1: the law 2^−(k+1) on k = 0, 1, … */
function flipsBeforeOne(entropy: Entropy): number {
  let flips = 0;
  while (entropy.bit() === 0) flips++;
  return flips;
}

/** Uniform on 0, 1, 2 by rejection. */
function third(entropy: Entropy): number {
  for (;;) {
    const value = entropy.bits(2);
    if (value < 3) return value;
  }
}

const entries = (tree: BitTree) => Object.fromEntries([...tree.mass].map(([key, p]) => [key, p.toString()]));

function total(tree: BitTree): Rational {
  return [...tree.mass.values()].reduce((sum, p) => sum.plus(p), tree.undecided);
}

describe("bitTree", () => {
  it("gives each outcome its exact dyadic mass", () => {
    const tree = bitTree(flipsBeforeOne, { depth: 4 });
    expect(entries(tree)).toEqual({ 0: "0.5", 1: "0.25", 2: "0.125", 3: "0.0625" });
    expect(tree.undecided.toString()).toBe("0.0625");
    expect(tree.leaves).toBe(5);
  });

  it("gives a sampler that asks for nothing all of the mass", () => {
    const tree = bitTree(() => "sure", { depth: 0 });
    expect(entries(tree)).toEqual({ sure: "1" });
    expect(tree.undecided.equals(0)).toBe(true);
    expect(tree.leaves).toBe(1);
  });

  it("leaves everything undecided when the first word crosses the depth", () => {
    const tree = bitTree((entropy) => entropy.word(), { depth: 7, wordBits: 8 });
    expect(tree.mass.size).toBe(0);
    expect(tree.undecided.equals(1)).toBe(true);
  });

  it("branches a word of 8 bits 256 ways in as many runs", () => {
    let runs = 0;
    const sample = (entropy: Entropy) => {
      runs++;
      return entropy.word() % 2;
    };
    const tree = bitTree(sample, { depth: 8, wordBits: 8 });
    expect(entries(tree)).toEqual({ 0: "0.5", 1: "0.5" });
    expect(tree.leaves).toBe(256);
    expect(runs).toBe(257); // the first leaf is repeated at the end
  });

  it.each([1, 2, 3, 4, 8])("encloses the law of a rejection sampler in words of %i bits", (wordBits) => {
    const tree = bitTree(third, { depth: 16, wordBits });
    for (const outcome of ["0", "1", "2"]) {
      const mass = tree.mass.get(outcome)!;
      expect(mass.compare("1/3")).toBeLessThanOrEqual(0);
      expect(mass.plus(tree.undecided).compare("1/3")).toBeGreaterThanOrEqual(0);
    }
    expect(total(tree).equals(1)).toBe(true);
  });

  it("knows the undecided mass of a rejection sampler: 4^−r after r rounds", () => {
    expect(bitTree(third, { depth: 12 }).undecided.equals(Rational.of(1n, 4n ** 6n))).toBe(true);
  });

  it("never gives a word that crosses the depth", () => {
    const tree = bitTree(third, { depth: 13, wordBits: 3 }); // four words of 3 bits, the 13th bit is not used
    expect(total(tree).equals(1)).toBe(true);
    expect(tree.undecided.equals(Rational.of(1n, 4n ** 6n))).toBe(true);
  });

  it("names outcomes by the given key", () => {
    const tree = bitTree((entropy) => [entropy.bit(), entropy.bit()], {
      depth: 2,
      key: ([first, second]) => `sum ${first + second}`,
    });
    expect(entries(tree)).toEqual({ "sum 0": "0.25", "sum 1": "0.5", "sum 2": "0.25" });
  });

  it("counts a run that swallowed the end of its bits as undecided", () => {
    const sample = (entropy: Entropy) => {
      try {
        return flipsBeforeOne(entropy);
      } catch {
        return -1;
      }
    };
    expect(entries(bitTree(sample, { depth: 2 }))).toEqual({ 0: "0.5", 1: "0.25" });
  });

  it("names the bits on which a sampler failed, and keeps the cause", () => {
    const cause = new Error("no such table entry");
    const sample = (entropy: Entropy) => {
      if (entropy.bits(3) === 0b101) throw cause;
    };
    expect(() => bitTree(sample, { depth: 3 })).toThrow(
      expect.objectContaining({
        message: 'the sampler failed on the bits "101": Error: no such table entry',
        cause,
      }),
    );
  });

  it("finds a sampler that asks for fewer bits the second time", () => {
    let spare: number | undefined;
    const sample = (entropy: Entropy) => {
      const value = spare ?? entropy.bits(2);
      spare = spare === undefined ? value : undefined;
      return value;
    };
    expect(() => bitTree(sample, { depth: 4 })).toThrow(NotDeterministic);
  });

  it("finds a sampler whose answer depends on the runs before", () => {
    let runs = 0;
    expect(() => bitTree((entropy) => entropy.bit() + runs++, { depth: 1 })).toThrow(NotDeterministic);
  });

  it("refuses a depth or a word size that makes no sense", () => {
    for (const depth of [-1, 1.5, Number.NaN])
      expect(() => bitTree(flipsBeforeOne, { depth })).toThrow("depth must be an integer >= 0");
    expect(() => bitTree(flipsBeforeOne, { depth: 4, wordBits: 0 })).toThrow("wordBits must be an integer");
  });
});
