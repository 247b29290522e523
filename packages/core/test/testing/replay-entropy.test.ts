import { describe, expect, it } from "vitest";
import { OutOfBits, replayEntropy } from "../../src/testing/replay-entropy.js";

describe("replayEntropy", () => {
  it("hands out the given bits in order", () => {
    const entropy = replayEntropy("01101");
    expect([1, 2, 3, 4, 5].map(() => entropy.bit())).toEqual([0, 1, 1, 0, 1]);
  });

  it("reads a word with its first bit on top", () => {
    const entropy = replayEntropy("0110100111000011", { wordBits: 8 });
    expect([entropy.word(), entropy.word()]).toEqual([0b01101001, 0b11000011]);
  });

  it("gives the same bits at every word size", () => {
    const bits = "110100111000111101000011001011001010".repeat(8); // 288 bits, a multiple of 1, 3, 8 and 32
    for (const wordBits of [1, 3, 8, 32]) {
      expect(replayEntropy(bits, { wordBits }).bigBits(bits.length)).toBe(BigInt(`0b${bits}`));
    }
  });

  it("reports how many bits were used", () => {
    const entropy = replayEntropy("0".repeat(16), { wordBits: 8 });
    expect(entropy.bitsUsed).toBe(0);
    entropy.bits(3);
    expect(entropy.bitsUsed).toBe(3);
    entropy.bits(6);
    expect(entropy.bitsUsed).toBe(9);
  });

  it("throws OutOfBits at the end and again after it", () => {
    const entropy = replayEntropy("01");
    entropy.bits(2);
    for (const _ of [1, 2]) expect(() => entropy.bit()).toThrow(OutOfBits);
    expect(entropy.bitsUsed).toBe(2);
  });

  it("does not pad a last word that is too short", () => {
    const entropy = replayEntropy("0110100111", { wordBits: 8 });
    entropy.word();
    expect(() => entropy.word()).toThrow("more bits were asked for than the 10 available");
  });

  it("starts out of bits when given none", () => {
    expect(() => replayEntropy("").bit()).toThrow(OutOfBits);
  });

  it("refuses texts that are not bits and words that do not fit", () => {
    expect(() => replayEntropy("012")).toThrow('bits must be a text of 0s and 1s; got "012"');
    expect(() => replayEntropy("01", { wordBits: 33 })).toThrow("wordBits must be an integer from 1 to 32");
  });
});
