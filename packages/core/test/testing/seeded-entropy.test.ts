import { createCipheriv, createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { WinnowError } from "../../src/errors.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const words = (entropy: Entropy, count: number) => Array.from({ length: count }, () => entropy.word());

describe("seededEntropy", () => {
  it("is the ChaCha20 keystream under the SHA-256 of the seed, by another implementation", () => {
    const key = createHash("sha256").update("winnow").digest();
    const cipher = createCipheriv("chacha20", key, Buffer.alloc(16));
    const keystream = cipher.update(Buffer.alloc(4 * 40_000));
    const expected = Array.from({ length: 40_000 }, (_, i) => keystream.readUInt32LE(4 * i));
    expect(words(seededEntropy("winnow"), 40_000)).toEqual(expected);
  });

  it("repeats itself for the same seed", () => {
    expect(words(seededEntropy("a seed"), 5_000)).toEqual(words(seededEntropy("a seed"), 5_000));
  });

  it.each([
    ["a", "b"],
    ["", "0"],
    [7, 8],
    [7, -7],
    ["ab", "ba"],
    [Uint8Array.of(0), Uint8Array.of(0, 0)],
    ["x".repeat(100), "x".repeat(101)],
  ])("gives other words for another seed: %o and %o", (one, other) => {
    expect(words(seededEntropy(one), 8)).not.toEqual(words(seededEntropy(other), 8));
  });

  it("reads 7, 7n, the text 7 and its bytes as one seed", () => {
    const [first, ...others] = [7, 7n, "7", Uint8Array.of(0x37)].map((seed) => words(seededEntropy(seed), 4));
    for (const other of others) expect(other).toEqual(first);
  });

  it("gives the same stream however the bits are asked for", () => {
    const [whole, sliced] = [seededEntropy(1), seededEntropy(1)];
    for (let i = 0; i < 1_000; i++) {
      const word = whole.word();
      const cut = i % 33;
      expect(sliced.bits(cut) * 2 ** (32 - cut) + sliced.bits(32 - cut)).toBe(word);
    }
  });

  it("keeps its place when the script yields", async () => {
    const [straight, yielding] = [seededEntropy(2), seededEntropy(2)];
    const expected = words(straight, 100);
    const got = words(yielding, 50);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([...got, ...words(yielding, 50)]).toEqual(expected);
  });

  it("owes nothing to a byte seed that is changed afterwards", () => {
    const seed = Uint8Array.of(1, 2, 3);
    const entropy = seededEntropy(seed);
    seed.fill(9);
    expect(words(entropy, 8)).toEqual(words(seededEntropy(Uint8Array.of(1, 2, 3)), 8));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses the seed %s", (seed) => {
    expect(() => seededEntropy(seed)).toThrow(WinnowError);
    expect(() => seededEntropy(seed)).toThrow("seed must be a text, a finite number, a bigint");
  });
});
