import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { FarCoins } from "../../src/race/array-race.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";

/** Which of so many candidates have the zeros, as a text such as `"0100"`. */
function tossed(coins: FarCoins, candidates: number): string {
  return Array.from({ length: candidates }, () => (coins.passBy(1) === 0 ? "1" : "0")).join("");
}

/** Each pattern of independent coins, of which each shows 1 with probability 2^−zeros. */
function independentCoins(zeros: number, candidates: number): Record<string, string> {
  const sides = 2 ** zeros;
  return Object.fromEntries(
    Array.from({ length: 2 ** candidates }, (_, number) => {
      const pattern = number.toString(2).padStart(candidates, "0");
      const tails = [...pattern].filter((coin) => coin === "0").length;
      return [pattern, `${(sides - 1) ** tails}/${sides ** candidates}`];
    }),
  );
}

describe("The coins of far candidates", () => {
  it.each([
    { zeros: 0, candidates: 3, depth: 0 },
    { zeros: 1, candidates: 3, depth: 14 },
    { zeros: 2, candidates: 3, depth: 16 },
    { zeros: 3, candidates: 2, depth: 16 },
  ])("are independent, each with $zeros zeros or not", ({ zeros, candidates, depth }) => {
    const sample = (entropy: Entropy) => tossed(new FarCoins(zeros, entropy), candidates);
    const tree = bitTree(sample, { depth });
    expect(tree.undecided.toNumber()).toBeLessThan(0.1);
    expectLaw({ tree, probabilities: independentCoins(zeros, candidates) });
  });

  it("are independent also when they are exchanged in the middle", () => {
    const sample = (entropy: Entropy) =>
      tossed(new FarCoins(1, entropy), 2) + tossed(new FarCoins(1, entropy), 1);
    const tree = bitTree(sample, { depth: 14 });
    expectLaw({ tree, probabilities: independentCoins(1, 3) });
  });

  it("fall the same whether candidates are passed one by one or by the dozen", () => {
    for (const zeros of [1, 3, 8]) {
      const one = tossed(new FarCoins(zeros, seededEntropy(zeros)), 10_000);
      const coins = new FarCoins(zeros, seededEntropy(zeros));
      let dozens = "";
      for (let size = 1; dozens.length < one.length; size = (size % 12) + 1) {
        const passed = coins.passBy(size);
        dozens += "0".repeat(passed) + (passed < size ? "1" : "");
      }
      expect(dozens.slice(0, one.length)).toBe(one);
    }
  });
});
