import { describe, expect, it } from "vitest";
import { drawRounded, drawRoundedEvenly } from "../../src/base2/utilities.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

describe("Rounding with as much work for any value", () => {
  it.each([0.5, 0.3, 1.999, 2 ** 30 + 0.75, -0.25, -7.1])("has the law of rounding %f", (value) => {
    const options = { depth: 12, key: (rounded: number) => String(rounded + 0) };
    const evenly = bitTree((entropy) => drawRoundedEvenly(value, entropy), options);
    expect(evenly).toEqual(bitTree((entropy) => drawRounded(value, entropy), options));
  });

  it("rounds as the other does with equal bits", () => {
    const [one, other] = [seededEntropy("even"), seededEntropy("even")];
    for (let i = 0; i < 2000; i++) {
      const value = (i - 1000) / 7;
      if (!Number.isInteger(value)) expect(drawRoundedEvenly(value, one)).toBe(drawRounded(value, other));
    }
  });

  it.each([0, 1, -3, 2 ** 40])("keeps the integer %i whatever the word, which it takes", (value) => {
    for (const wordBits of [1, 8, 32])
      for (const bit of ["0", "1"]) {
        const entropy = replayEntropy(bit.repeat(wordBits), { wordBits });
        expect(drawRoundedEvenly(value, entropy)).toBe(value);
        expect(entropy.bitsUsed).toBe(wordBits);
      }
  });
});
