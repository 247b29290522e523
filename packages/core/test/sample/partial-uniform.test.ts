import { describe, expect, it } from "vitest";
import { PartialUniform } from "../../src/sample/partial-uniform.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

describe("PartialUniform", () => {
  it("knows nothing and has drawn nothing at first", () => {
    const u = new PartialUniform(replayEntropy(""));
    expect([u.numerator, u.bits]).toEqual([0n, 0]);
    expect(u.enclosure(4)).toMatchObject({ lo: 0n, hi: 16n, precision: 4 });
  });

  it("begins with the digits that it is given and appends to them", () => {
    const u = new PartialUniform(replayEntropy("0110"), 0b101n, 3);
    u.reveal(2);
    expect([u.numerator, u.bits]).toEqual([0b10101n, 5]);
    u.reveal();
    expect([u.numerator, u.bits]).toEqual([0b101011n, 6]);
  });

  it("draws whole words, as few as hold the digits asked for", () => {
    const entropy = replayEntropy("10110111000", { wordBits: 3 });
    const u = new PartialUniform(entropy);
    u.reveal(4);
    expect([u.numerator, u.bits]).toEqual([0b101101n, 6]);
    u.reveal(0);
    u.reveal(-5);
    expect(entropy.bitsUsed).toBe(6);
  });

  it("reveals up to its leading one", () => {
    const u = new PartialUniform(replayEntropy("00010"));
    u.revealLeadingOne();
    expect([u.numerator, u.bits]).toEqual([1n, 4]);
    u.revealLeadingOne();
    expect(u.bits).toBe(4);
  });

  it("encloses all that U may still be", () => {
    const u = new PartialUniform(replayEntropy("101"));
    u.reveal(3);
    expect(u.enclosure(2)).toMatchObject({ lo: 20n, hi: 24n, precision: 5 });
  });
});
