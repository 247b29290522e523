import { createCipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expandedEntropy, topK } from "../src/index.js";

const SEED = Uint8Array.from({ length: 32 }, (_, i) => i);

describe("expandedEntropy", () => {
  it("is the keystream of RFC 8439, §2.3.2 and appendix A.1, from its first block on", () => {
    const entropy = expandedEntropy(new Uint8Array(32));
    // The first block of the zero key with nonce 0 (appendix A.1, test vector 1), least significant byte of each word first.
    const first =
      "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586";
    const words = Array.from({ length: 16 }, (_, i) => Buffer.from(first, "hex").readUInt32LE(4 * i));
    expect(words.map(() => entropy.word())).toEqual(words);
    // Test vector 2: the same with counter 1.
    const second =
      "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f";
    expect(words.map(() => entropy.word())).toEqual(
      words.map((_, i) => Buffer.from(second, "hex").readUInt32LE(4 * i)),
    );
  });

  it("is the stream that OpenSSL makes of the same key, over many blocks", () => {
    const cipher = createCipheriv("chacha20", SEED, Buffer.alloc(16));
    const stream = cipher.update(Buffer.alloc(4 * 70_000));
    const entropy = expandedEntropy(SEED);
    for (let i = 0; i < 70_000; i++) if (entropy.word() !== stream.readUInt32LE(4 * i)) expect(i).toBe(-1);
  });

  it("gives the same answer for the same seed, and another for another", () => {
    const scores = Array.from({ length: 200 }, (_, i) => i % 7);
    const draw = (seed: Uint8Array) =>
      topK(scores, { k: 20, epsilon: 1, entropy: expandedEntropy(seed) }).winners;
    expect(draw(SEED)).toEqual(draw(SEED));
    expect(draw(SEED)).not.toEqual(draw(SEED.toReversed()));
  });

  it.each([new Uint8Array(31), new Uint8Array(33), "00".repeat(16), undefined])(
    "refuses a seed that isn't 32 bytes, without a word about it",
    (seed) => {
      expect(() => expandedEntropy(seed as Uint8Array)).toThrow(/^seed must be 32 bytes$/);
    },
  );
});
