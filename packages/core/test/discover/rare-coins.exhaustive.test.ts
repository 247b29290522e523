import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { RareCoins } from "../../src/sample/rare-coins.js";
import { skipsOf } from "../../src/sample/skips.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";

/** Which of so many names have the zeros, as a text such as `"0100"`. */
function tossed(coins: RareCoins, names: number): string {
  return Array.from({ length: names }, () => (coins.passBy() ? "0" : "1")).join("");
}

/** Each pattern of independent coins, of which each shows 1 with probability 2^−zeros. */
function independentCoins(zeros: number, names: number): Record<string, string> {
  const sides = 2 ** zeros;
  return Object.fromEntries(
    Array.from({ length: 2 ** names }, (_, number) => {
      const pattern = number.toString(2).padStart(names, "0");
      const tails = [...pattern].filter((coin) => coin === "0").length;
      return [pattern, `${(sides - 1) ** tails}/${sides ** names}`];
    }),
  );
}

describe("The coins of names that are rarely kept", () => {
  it.each([
    { zeros: 0, names: 3, depth: 0 },
    { zeros: 1, names: 3, depth: 14 },
    { zeros: 2, names: 3, depth: 16 },
    { zeros: 3, names: 2, depth: 16 },
  ])("are independent, each with $zeros zeros or not", ({ zeros, names, depth }) => {
    const sample = (entropy: Entropy) => tossed(new RareCoins(zeros, entropy), names);
    const tree = bitTree(sample, { depth });
    expect(tree.undecided.toNumber()).toBeLessThan(0.1);
    expectLaw({ tree, probabilities: independentCoins(zeros, names) });
  });

  it("are independent also when they are exchanged in the middle", () => {
    const sample = (entropy: Entropy) =>
      tossed(new RareCoins(1, entropy), 2) + tossed(new RareCoins(1, entropy), 1);
    const tree = bitTree(sample, { depth: 14 });
    expectLaw({ tree, probabilities: independentCoins(1, 3) });
  });

  it("pass by as many as the skips say", () => {
    for (const zeros of [1, 3, 8]) {
      const draws = seededEntropy(zeros);
      let expected = "";
      while (expected.length < 10_000) expected += `${"0".repeat(skipsOf(zeros).draw(draws))}1`;
      const coins = new RareCoins(zeros, seededEntropy(zeros));
      expect(tossed(coins, 10_000)).toBe(expected.slice(0, 10_000));
      expect(coins.zeros).toBe(zeros);
    }
  });

  it("pass nobody by who needs no zeros", () => {
    expect(new RareCoins(0, replayEntropy("")).passBy()).toBe(false);
  });
});
