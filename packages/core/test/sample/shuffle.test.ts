import { describe, expect, it } from "vitest";
import { Reference } from "../../../audit/src/reference-samplers.js";
import { Rational } from "../../src/exact/rational.js";
import { shuffle } from "../../src/sample/shuffle.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const items = (n: number) => Array.from({ length: n }, (_, i) => i);

describe("shuffle", () => {
  it.each([0, 1, 2, 3, 4].flatMap((n) => [1, 3, 8].map((wordBits) => ({ n, wordBits }))))(
    "puts $n items into each order with the same mass in words of $wordBits bits",
    ({ n, wordBits }) => {
      const tree = bitTree((entropy) => shuffle(items(n), entropy), { depth: 16, wordBits });
      const orders = [1, 1, 2, 6, 24][n];
      const each = Rational.ONE.minus(tree.undecided).dividedBy(BigInt(orders));
      expect(tree.mass.size).toBe(orders);
      for (const mass of tree.mass.values()) expect(mass).toEqual(each);
      expect(tree.undecided.compare("1/100")).toBe(-1);
    },
  );

  it("is the reference bit for bit on every string of 12 bits", () => {
    const production = bitTree((entropy) => `${shuffle(items(4), entropy)} ${entropy.bitsUsed}`, {
      depth: 12,
    });
    const reference = bitTree(
      (entropy) => `${new Reference(entropy).shuffle(items(4))} ${entropy.bitsUsed}`,
      {
        depth: 12,
      },
    );
    expect(production).toEqual(reference);
  });

  it("is the reference on the same stream for 1,000 items", () => {
    const [ours, reference] = [seededEntropy("a thousand"), seededEntropy("a thousand")];
    expect(shuffle(items(1000), ours)).toEqual(new Reference(reference).shuffle(items(1000)));
    expect(ours.bitsUsed).toBe(reference.bitsUsed);
  });

  it.each([
    ["an array", ["a", "b", "c", "d"]],
    ["a typed array", Float64Array.of(1.5, 2.5, 3.5, 4.5)],
    ["an array of bigints", BigInt64Array.of(1n, 2n, 3n, 4n)],
  ])("shuffles %s in place and returns it", (_, array) => {
    const before = [...array];
    const shuffled = shuffle<unknown, ArrayLike<unknown> & { [index: number]: unknown }>(
      array,
      seededEntropy("in place"),
    );
    expect(shuffled).toBe(array);
    expect([...array]).not.toEqual(before);
    expect([...array].sort()).toEqual([...before].sort());
  });

  it("draws no bit for fewer than two items", () => {
    expect(shuffle([], replayEntropy(""))).toEqual([]);
    expect(shuffle(["only"], replayEntropy(""))).toEqual(["only"]);
  });

  it("draws from the system where no entropy is given", () => {
    expect(shuffle(items(1000))).not.toEqual(items(1000));
  });
});
