import { describe, expect, it } from "vitest";
import { Reference } from "../../../audit/src/reference-samplers.js";
import { Rational } from "../../src/exact/rational.js";
import { uniformBelow } from "../../src/sample/uniform-below.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const SIZES = [1, 2, 3, 5, 6, 7, 10];
const LARGE = [2n ** 53n - 1n, 2n ** 64n + 1n, 10n ** 200n + 7n];

describe("uniformBelow", () => {
  it.each(SIZES.flatMap((n) => [1, 3, 8].map((wordBits) => ({ n, wordBits }))))(
    "gives each value below $n the same mass in words of $wordBits bits",
    ({ n, wordBits }) => {
      const { mass, undecided } = bitTree((entropy) => uniformBelow(n, entropy), { depth: 15, wordBits });
      const each = Rational.ONE.minus(undecided).dividedBy(BigInt(n));
      expect([...mass.keys()].sort()).toEqual(Array.from({ length: n }, (_, value) => `${value}`).sort());
      expect([...mass.values()].every((value) => value.equals(each))).toBe(true);
    },
  );

  it.each(SIZES)(
    "leaves (2^15 mod n)/2^15 undecided for n = %d and words of one bit, the least possible",
    (n) => {
      const { undecided } = bitTree((entropy) => uniformBelow(n, entropy), { depth: 15 });
      expect(undecided).toEqual(Rational.of((1n << 15n) % BigInt(n), 1n << 15n));
    },
  );

  it.each(SIZES)("is the reference bit for bit below %d, for numbers and bigints", (n) => {
    const all = { depth: 12, key: String };
    const reference = bitTree(
      (entropy) => withBits(entropy, new Reference(entropy).uniformBelow(BigInt(n))),
      all,
    );
    expect(bitTree((entropy) => withBits(entropy, uniformBelow(n, entropy)), all)).toEqual(reference);
    expect(bitTree((entropy) => withBits(entropy, uniformBelow(BigInt(n), entropy)), all)).toEqual(reference);
  });

  it.each(LARGE)("is the reference on the same stream below %d", (n) => {
    const [ours, reference] = [seededEntropy("large n"), seededEntropy("large n")];
    for (let draw = 0; draw < 200; draw++) {
      expect(uniformBelow(n, ours)).toBe(new Reference(reference).uniformBelow(n));
      expect(ours.bitsUsed).toBe(reference.bitsUsed);
    }
  });

  // Below the last, a miss leaves so much that doubling it goes beyond 2^53.
  it.each([2 ** 52 - 1, 2 ** 52, 2 ** 52 + 1, 2 ** 53 - 1, 8_106_479_329_266_893])(
    "draws the same number as bigint below %d",
    (n) => {
      const [numbers, bigints] = [seededEntropy("2^52"), seededEntropy("2^52")];
      for (let draw = 0; draw < 200; draw++)
        expect(BigInt(uniformBelow(n, numbers))).toBe(uniformBelow(BigInt(n), bigints));
      expect(numbers.bitsUsed).toBe(bigints.bitsUsed);
    },
  );

  it("keeps the randomness of a miss", () => {
    const entropy = replayEntropy("111" + "0"); // 7 of 8 misses 5 and leaves 2 of 3; then 4 of 6 is a hit
    expect(uniformBelow(5, entropy)).toBe(4);
    expect(entropy.bitsUsed).toBe(4);
  });

  it("draws no bit for n = 1", () => {
    const entropy = replayEntropy("");
    expect(uniformBelow(1, entropy)).toBe(0);
    expect(uniformBelow(1n, entropy)).toBe(0n);
  });

  it("draws from the system where no entropy is given", () => {
    const values = new Set(Array.from({ length: 100 }, () => uniformBelow(2n ** 64n)));
    expect(values.size).toBe(100);
  });
});

/** An outcome together with the number of bits that it took. */
function withBits(entropy: { readonly bitsUsed: number }, outcome: number | bigint): string {
  return `${outcome} after ${entropy.bitsUsed} bits`;
}
